"""Commands of wallsim, called in this process as from a terminal: what they print, or what they refuse."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from wallsim.cli import app

ROOT = Path(__file__).resolve().parents[2]


def wallsim(*words):
    """How a command with these words ended, which may be numbers or paths."""
    # The command takes over SIGTERM; the test's process wants its own back.
    handler = signal.getsignal(signal.SIGTERM)
    try:
        return CliRunner().invoke(app, [*map(str, words)])
    finally:
        signal.signal(signal.SIGTERM, handler)


def done(*words, status=0):
    """How a command ended that has to end with this status."""
    result = wallsim(*words)
    assert result.exit_code == status, f"{result.output}{result.exception or ''}"
    assert "Traceback" not in result.output
    return result


def printed(*words):
    """What a command prints, on one line."""
    return " ".join(done(*words).stdout.split())


def document(*words, status=0):
    """The one document that a command prints with `--json`, in ASCII."""
    result = done(*words, "--json", status=status)
    assert result.stdout.isascii()
    return json.loads(result.stdout)


def refusal(*words):
    """What a command says on standard error that ends with status 2, having printed nothing else and no traceback."""
    result = done(*words, status=2)
    assert result.stdout == ""
    return result.stderr


def start(*words, **options):
    """A process of its own with a command."""
    command = [sys.executable, "-m", "wallsim", *words]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True, **options)
