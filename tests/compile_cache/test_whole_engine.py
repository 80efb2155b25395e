"""The cache of the whole engine, by the command line: cold starts side by side, and damage to it."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.compile_cache.test_files import DAMAGES
from tests.naive.rng import JIT
from tests.shares import share_of_this_run
from wallsim.report.progress import COMPILING, WAITING

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")]
ROOT = Path(__file__).resolve().parents[2]
SECONDS = 900  # for a cold start on a busy machine


def start(cache, folder):
    """The command that plays ten games, with a compile cache of its own."""
    environment = {**os.environ, "WALLSIM_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "wallsim", "run", "--games", "10", "--seed", "8", "--out", str(folder)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(process):
    """What a command that succeeds says on standard error."""
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    return errors


def rows(folder):
    """All bytes of the run's tables."""
    return [path.read_bytes() for path in sorted(folder.rglob("*.parquet"))]


@pytest.mark.one_in(4)
def test_one_of_two_cold_starts_compiles_and_damage_costs_only_time(tmp_path):
    cache = tmp_path / "cache"
    cold = [start(cache, tmp_path / name) for name in ("one", "two")]
    said = [end(process) for process in cold]
    assert [sum(words in each for each in said) for words in (COMPILING, WAITING)] == [1, 1]
    right = rows(tmp_path / "one")
    assert rows(tmp_path / "two") == right

    files = sorted(path for path in cache.rglob("*") if path.is_file())
    assert {path.suffix for path in files} == {".nbi", ".nbc", ".json", ".lock"}
    first = (share_of_this_run() or 0) % len(DAMAGES)  # there are fewer files than kinds: other ones in each share
    kinds = itertools.islice(itertools.cycle(DAMAGES.values()), first, None)
    for path in files:
        next(kinds)(path)
    end(start(cache, tmp_path / "three"))
    assert rows(tmp_path / "three") == right

    repaired = {path: path.lstat().st_mtime_ns for path in cache.rglob("*.nb*")}
    end(start(cache, tmp_path / "four"))
    assert rows(tmp_path / "four") == right
    assert {path: path.lstat().st_mtime_ns for path in cache.rglob("*.nb*")} == repaired, "all were loaded"
