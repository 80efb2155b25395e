"""Puts the strategy report into a built site: the pages that the checkout's own `wallsim report` writes."""

import os
import subprocess
import sys
from pathlib import Path

REPORT = "report"  # the folder in the site; entries of the menu that begin with it are the report's pages


def write_report(root: Path, site: Path) -> list[str]:
    """Write the report of a checkout into the folder of a built site; returns what prevents it, one line each."""
    folder = (site / REPORT).resolve()
    command = [sys.executable, "-m", "wallsim", "report", "--out", str(folder)]
    done = subprocess.run(
        command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=False
    )
    return [f"wallsim report: {line}" for line in done.stderr.splitlines()[-1:]] if done.returncode else []
