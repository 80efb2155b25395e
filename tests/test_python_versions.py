"""The lowest versions of all that wallsim needs, and the newest Python, play the same games and check them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_architecture import ROOT
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.play.play import play_run

GAMES = 40
TABLES = ("games", "seats", "seasons")
SCRIPT = "from wallsim.cli import main; main()"
LOWEST = ("--resolution", "lowest-direct")
NEWEST = ("--only-binary", ":all:")


def lowest_python():
    """The lowest Python that pyproject.toml allows."""
    return sys.executable if sys.version_info[:2] == (3, 11) else shutil.which("python3.11")


def newest_python():
    """The one that `.ci/run` found, or one in PATH that is newer than this."""
    known = [f"python3.{minor}" for minor in range(30, sys.version_info.minor, -1)]
    return os.environ.get("WALLSIM_NEWEST_PYTHON") or next(filter(None, map(shutil.which, known)), None)


@pytest.mark.one_in(1)
@pytest.mark.slow
@pytest.mark.parametrize(("find", "versions"), [(lowest_python, LOWEST), (newest_python, NEWEST)])
def test_the_lowest_and_the_newest_python_play_the_same_games(tmp_path, find, versions):
    interpreter = find()
    if interpreter is None:
        pytest.skip(f"{find.__name__}: there is none on this machine")
    uv, python = Path(sys.executable).with_name("uv"), tmp_path / "env" / "bin" / "python"
    for command in (
        [uv, "venv", "--quiet", "--python", interpreter, tmp_path / "env"],
        [uv, "pip", "install", "--quiet", "--python", python, *versions, "--requirements", ROOT / "pyproject.toml"],
    ):
        subprocess.run(command, check=True, timeout=300)
    # From the source tree: a wheel holds the same modules, which tests/test_wheel.py looks at.
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "WALLSIM_CACHE_DIR": str(tmp_path / "jit")}
    variables.pop("NUMBA_CACHE_DIR", None)  # set by this process for its own kernels

    def wallsim(*words):
        done = subprocess.run(
            [python, "-c", SCRIPT, *words], env=variables, cwd=tmp_path, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    wallsim("run", "--games", str(GAMES), "--seasons", "--workers", "2", "--out", "there", "--plot", "there.png")
    wallsim("verify", "there")
    assert "balanced" in wallsim("summary", "there")
    assert (tmp_path / "there.png").stat().st_size > 1000
    there = Run.open(tmp_path / "there")
    here = play_run(Experiment(games=GAMES, seasons=True), tmp_path / "here", workers=2)
    software = ("platform", "packages")
    assert [there.manifest[key] for key in software] != [here.manifest[key] for key in software]
    for table in TABLES:
        assert there.scan(table).collect().equals(here.scan(table).collect())
