"""Clocks that jump change nothing; locks that fail, or that somebody else holds, are reported plainly."""

import errno
import os
import random
import time

import pytest

from tests.folder.failures.conftest import EXPERIMENT, assert_undisturbed
from tests.folder.mishaps import flip_a_bit, named
from tests.refusals import refused
from wallsim.folder import local_files as places
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair

YEAR = 365 * 86_400


def test_files_of_any_age_are_verified_resumed_and_repaired(copied, whole):
    chance = random.Random(3)
    (copied / "manifest.json").unlink()
    flip_a_bit(copied / "seats" / "part-000011.parquet")
    (copied / "games" / "part-000002.parquet").unlink()
    for path in copied.rglob("*"):
        moment = chance.randrange(-YEAR, 200 * YEAR)
        os.utime(path, (moment, moment))
    assert named(Run.verify(copied)) == ["games/part-000002.parquet", "seats/part-000011.parquet"]
    repair(copied, workers=1)
    assert_undisturbed(copied, whole)


def test_a_clock_that_jumps_while_games_are_played_changes_no_byte(quick, whole, monkeypatch):
    chance, real, calls = random.Random(7), time.time, []

    def now():
        calls.append(real() + chance.randrange(-50 * YEAR, 50 * YEAR))
        return calls[-1]

    for name in ("time", "perf_counter", "process_time", "thread_time"):
        monkeypatch.setattr(time, name, now)
    run = play_run(EXPERIMENT, quick / "run", workers=2, observer=RunObserver())
    assert len(calls) > 20
    monkeypatch.undo()
    assert_undisturbed(run.folder, whole)


# ------------------------------------------------------------------------------------------------------ locks


@pytest.fixture
def no_locks(monkeypatch):
    """Lets every lock fail with an error, by its number."""

    def fail(number):
        def flock(handle, how):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(places.fcntl, "flock", flock)

    return fail


def handles():
    """The number of files that this process has open."""
    return len(os.listdir("/proc/self/fd"))


WRITERS = {
    "run": lambda folder: play_run(EXPERIMENT, folder),
    "slice": lambda folder: play_slice(EXPERIMENT, folder, (0, 2)),
}


@pytest.mark.parametrize(
    ("write", "number", "named"),
    [
        ("run", errno.ENOLCK, "has no locks"),
        ("slice", errno.EOPNOTSUPP, "has no locks"),
        ("run", errno.EWOULDBLOCK, "another wallsim process"),
        pytest.param("slice", errno.EWOULDBLOCK, "another wallsim process", marks=pytest.mark.slow),
        ("run", errno.EIO, "Input/output error"),
        ("slice", errno.EACCES, "Permission denied"),
    ],
)
def test_a_lock_that_fails_is_reported_before_anything_is_written(quick, no_locks, write, number, named):
    no_locks(number)
    before = handles()
    with refused(quick / "run", named):
        WRITERS[write](quick / "run")
    assert handles() == before
    assert [path.name for path in (quick / "run").iterdir()] == [".lock"]


def test_folders_without_locks_are_read_and_listed(copied, quick, no_locks):
    no_locks(errno.ENOLCK)
    assert Run.verify(copied) == []
    assert Run.open(copied).scan("games").collect().height == EXPERIMENT.games
    assert [listed.state for listed in list_results([quick])] == ["finished"]


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_a_lock_that_is_no_plain_file_lets_nothing_hang(quick, kind):
    folder = quick / "run"
    folder.mkdir()
    lock, outside = folder / ".lock", quick / "outside"
    {"folder": lock.mkdir, "link": lambda: lock.symlink_to(outside), "pipe": lambda: os.mkfifo(lock)}[kind]()
    if kind == "pipe":
        play_run(EXPERIMENT.model_copy(update={"games": 20}), folder, workers=1)
        assert Run.verify(folder) == []
        return
    with refused(lock if kind == "folder" else folder):
        play_run(EXPERIMENT, folder)
    assert not outside.exists()
