"""Small finished runs with every table, played once and copied for tests that damage them."""

import shutil

import pytest

from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run

SMALL = Experiment(policies="random", games=2300, seed=11, seasons=True, battles=True, counties=True, chunk=500)
# The first edition with every expansion, so that every column exists.
EVERYTHING = Experiment(
    policies="random", players=3, games=330, seed=6, edition="1e", expansions="all", seasons=True, battles=True,
    counties=True, chunk=100,
)  # fmt: skip


@pytest.fixture(scope="session")
def small_run(tmp_path_factory):
    """The finished run; do not change it."""
    return play_run(SMALL, tmp_path_factory.mktemp("runs") / "small", workers=2)


@pytest.fixture(scope="session")
def full_run(tmp_path_factory):
    """The finished run of EVERYTHING; do not change it."""
    return play_run(EVERYTHING, tmp_path_factory.mktemp("runs") / "full", workers=2)


@pytest.fixture
def spoilt(small_run, tmp_path):
    """A copy of the run's folder that a test may damage."""
    shutil.copytree(small_run.folder, tmp_path / "spoilt")
    return tmp_path / "spoilt"


@pytest.fixture
def write(tmp_path):
    """The function that writes a text into an experiment file, and returns its path."""

    def write(text):
        path = tmp_path / "x.toml"
        path.write_text(text, "utf-8")
        return path

    return write
