"""The lowest versions of the dependencies that pyproject.toml allows play the same games and check them."""

import os
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


@pytest.mark.one_in(4)
@pytest.mark.slow
def test_the_lowest_versions_play_the_same_games(tmp_path):
    uv, python = Path(sys.executable).with_name("uv"), tmp_path / "env" / "bin" / "python"
    installing = [uv, "pip", "install", "--quiet", "--python", python, "--resolution", "lowest-direct"]
    for command in (
        [uv, "venv", "--quiet", "--python", sys.executable, tmp_path / "env"],
        [*installing, "--requirements", ROOT / "pyproject.toml"],
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

    wallsim("run", "--games", str(GAMES), "--seasons", "--workers", "2", "--out", "low", "--plot", "low.png")
    assert "missing or changed" in wallsim("verify", "low")
    assert "balanced" in wallsim("summary", "low")
    assert (tmp_path / "low.png").stat().st_size > 1000
    low = Run.open(tmp_path / "low")
    here = play_run(Experiment(games=GAMES, seasons=True), tmp_path / "here", workers=2)
    assert low.manifest["packages"]["numba"] != here.manifest["packages"]["numba"]
    for table in TABLES:
        assert low.scan(table).collect().equals(here.scan(table).collect())
