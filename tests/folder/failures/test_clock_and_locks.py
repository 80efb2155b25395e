"""Clocks that jump change nothing; locks that fail, or that somebody else holds, are reported plainly."""

import errno
import os
import random
import re
import shutil
import time

import pytest

from tests.folder.failures.conftest import EXPERIMENT, assert_undisturbed
from tests.folder.mishaps import flip_a_bit
from wallsim.errors import InputError
from wallsim.folder import local_files as places
from wallsim.folder.listing import list_results
from wallsim.folder.results import Run
from wallsim.play.observer import RunObserver
from wallsim.play.play import play_run, play_slice
from wallsim.play.repair import repair

YEAR = 365 * 86_400
CLOCKS = {
    "the beginning of time": lambda chance: 0,
    "before it": lambda chance: -YEAR,
    "the far future": lambda chance: int(time.time()) + 100 * YEAR,
    "now here, now there": lambda chance: chance.randrange(-YEAR, 200 * YEAR),
}


@pytest.mark.parametrize("clock", CLOCKS)
def test_files_of_any_age_are_verified_resumed_and_repaired(quick, whole, clock):
    folder, chance = quick / "run", random.Random(3)
    shutil.copytree(whole, folder)
    (folder / "manifest.json").unlink()
    flip_a_bit(folder / "seats" / "part-000011.parquet")
    (folder / "games" / "part-000002.parquet").unlink()
    for path in folder.rglob("*"):
        moment = CLOCKS[clock](chance)
        os.utime(path, (moment, moment))
    assert Run.verify(folder) == [
        "games/part-000002.parquet: is missing",
        "seats/part-000011.parquet: its bytes have changed",
    ]
    repair(folder, workers=1)
    assert_undisturbed(folder, whole)


class JumpingClock(RunObserver):
    """Sets the clock of this process forward and back while a run is played."""

    def __init__(self, monkeypatch):
        chance, real = random.Random(7), time.time
        self.calls = 0

        def now():
            self.calls += 1
            return real() + chance.randrange(-50 * YEAR, 50 * YEAR)

        for name in ("time", "perf_counter", "process_time", "thread_time"):
            monkeypatch.setattr(time, name, now)


def test_a_clock_that_jumps_while_games_are_played_changes_no_byte(quick, whole, monkeypatch):
    clock = JumpingClock(monkeypatch)
    run = play_run(EXPERIMENT, quick / "run", workers=2, observer=clock)
    assert clock.calls > 20
    monkeypatch.undo()
    assert_undisturbed(run.folder, whole)
    assert Run.open(run.folder).scan("seats").collect().height == 4 * EXPERIMENT.games


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
    "run": lambda folder, whole: play_run(EXPERIMENT, folder),
    "slice": lambda folder, whole: play_slice(EXPERIMENT, folder, (0, 2)),
}


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOLCK, "cannot be locked .* has no locks.*choose a folder on another one"),
        (errno.EOPNOTSUPP, "cannot be locked .* has no locks.*choose a folder on another one"),
        (errno.EWOULDBLOCK, "another wallsim process is writing there; wait for it"),
        (errno.EIO, "cannot be written: Input/output error"),
        (errno.EACCES, "cannot be written: Permission denied"),
    ],
)
def test_a_lock_that_fails_is_reported_before_anything_is_written(quick, whole, no_locks, write, number, words):
    no_locks(number)
    before = handles()
    with pytest.raises(InputError, match=words) as caught:
        WRITERS[write](quick / "run", whole)
    assert str(caught.value).startswith(str(quick / "run"))
    assert handles() == before
    assert [path.name for path in (quick / "run").iterdir()] == [".lock"]


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_folders_without_locks_are_read_and_listed(quick, whole, no_locks, number):
    shutil.copytree(whole, quick / "run")
    no_locks(number)
    assert Run.verify(quick / "run") == []
    assert Run.open(quick / "run").scan("games").collect().height == EXPERIMENT.games
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
    words = "run/.lock: is a folder, and in the way; remove it" if kind == "folder" else "run: cannot be written: "
    with pytest.raises(InputError, match=re.escape(words)):
        play_run(EXPERIMENT, folder)
    assert not outside.exists()
