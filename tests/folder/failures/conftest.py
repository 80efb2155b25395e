"""An undisturbed run of many chunks, and a process whose forks play it again, with mishaps."""

import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from tests.folder.failures.deaths import leftovers
from tests.folder.failures.forks import Forks
from tests.folder.failures.making import KINDS, lasting, small_and_plain, verified
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import experiment_text
from wallsim.folder.results import Run
from wallsim.play.play import play_run

EXPERIMENT = Experiment(policies="random", games=4000, seed=23, chunk=200)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    small_and_plain(monkeypatch)


@pytest.fixture(scope="session")
def forks(tmp_path_factory):
    """Starts commands in processes of their own."""
    with Forks(tmp_path_factory.mktemp("forks")) as started:
        yield started


@pytest.fixture(scope="session")
def file(tmp_path_factory):
    """The file of EXPERIMENT."""
    path = tmp_path_factory.mktemp("experiment") / "x.toml"
    path.write_text(experiment_text(EXPERIMENT), "utf-8")
    return path


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """The folder of EXPERIMENT, played without mishaps; do not change it."""
    return play_run(EXPERIMENT, tmp_path_factory.mktemp("whole") / "run", workers=1).folder


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Gives the folder of a kind of `making.KINDS`, which is made when it is first asked for; do not change it."""

    @cache
    def folder_of(kind):
        folder = tmp_path_factory.mktemp("made") / "x"
        with pytest.MonkeyPatch.context() as patched:
            small_and_plain(patched)
            KINDS[kind].finish(folder)
        assert verified(folder) == 0
        return folder

    return folder_of


@pytest.fixture
def quick(tmp_path):
    """A folder in memory, where nobody waits for a disk, if there is one."""
    if not Path("/dev/shm").is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="wallsim-", dir="/dev/shm"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def copied(quick, whole):
    """A copy of the folder of EXPERIMENT that a test may change."""
    return shutil.copytree(whole, quick / "run")


def assert_undisturbed(folder, whole):
    """Every table and document is that of the undisturbed run, nothing else lies there, and verify agrees."""
    assert lasting(folder) == lasting(whole)
    assert (Run.verify(folder), leftovers(folder)) == ([], [])
