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


def in_process(root, *words, **variables):
    """What Python does that has the package of a folder, not compiled and not installed."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", *words],
        cwd=root, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(root), "PATH": "", "NUMBA_DISABLE_JIT": "1", **variables},
    )  # fmt: skip


def answer(root, program, *words):
    """The JSON that a program prints last, given words as JSON."""
    done = in_process(root, "-c", program, *map(json.dumps, words))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def failures(root, *files):
    """Run tests of the copy, which has `tests`, as `.ci/run nojit` does; returns what failed, or nothing."""
    shutil.copy(ROOT / "pyproject.toml", root)
    pytest = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *files)
    done = in_process(root, *pytest, WALLSIM_HYPOTHESIS_PROFILE="nojit", HOME=str(root))
    return "" if done.returncode == 0 else done.stdout[-3000:] + done.stderr[-1000:]
