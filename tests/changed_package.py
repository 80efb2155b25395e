"""Copies of the package in which a test follows a page of docs/extending, and what Python does with such a copy."""

import json
import shutil
import subprocess
import sys

from tests.test_architecture import ROOT


def copied(root, *more):
    """Copy the package and its data, and more folders of the repository, into a folder."""
    for folder in ("wallsim", "data", *more):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def insert(root, path, text, before):
    """Put a text before another, which stands once in a file of the copy."""
    file = root / path
    old = file.read_text("utf-8")
    assert old.count(before) == 1, f"{path}: {before!r} stands there {old.count(before)} times"
    file.write_text(old.replace(before, text + before), "utf-8")


def answer(root, program, *words):
    """The JSON that a program prints last, with the package of the folder, not compiled and not installed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, *map(json.dumps, words)],
        cwd=root, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(root), "PATH": "", "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def failures(root, *files):
    """Run tests of the copy, which has `tests`, as `.ci/run nojit` does; returns what failed, or nothing."""
    shutil.copy(ROOT / "pyproject.toml", root)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
        cwd=root, capture_output=True, text=True, check=False,
        env={
            "PYTHONPATH": str(root), "PATH": "", "NUMBA_DISABLE_JIT": "1", "WALLSIM_HYPOTHESIS_PROFILE": "nojit",
            "HOME": str(root),
        },
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stdout[-3000:] + done.stderr[-1000:]
