"""Processes that want the same folder at the same time: one works, the others are refused plainly, no byte differs."""

import shutil
import signal
import time
from contextlib import contextmanager
from threading import Timer

import pytest

from tests.folder.failures.conftest import assert_undisturbed
from tests.refusals import assert_names
from wallsim.folder.journal import Journal
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import lock_of_slice
from wallsim.folder.results import Run

BUSY = "is writing there; wait for it"


def ended(children):
    """Exit status and output of each process; a refusal is one plain line."""
    result = [(child.wait(), child.said()) for child in children]
    for status, said in result:
        assert status in (0, 2, 3), said
        assert "Traceback" not in said
        assert status in (0, 3) or (BUSY in said and said.count("\n") == 1), said
    return [status for status, _ in result]


def race(forks, *commands):
    """Start commands at the same time, and wait for all of them."""
    return ended([forks.start(*command) for command in commands])


@contextmanager
def halted(forks, folder, *command):
    """A command that is stopped in the midst of its play, and goes on at the end of the block."""
    child = forks.start(*command)
    wait_for(folder, 1)
    child.kill(signal.SIGSTOP)
    assert not (folder / "manifest.json").exists()
    try:
        yield
    finally:
        child.kill(signal.SIGCONT)
    assert ended([child]) == [0]


def wait_for(folder, receipts):
    """Wait until a folder has so many finished chunks."""
    until = time.monotonic() + 60
    while not (folder / "journal.jsonl").exists() or len(Journal(FileStore(folder)).records) < receipts:
        assert time.monotonic() < until, "nothing is played"
        time.sleep(0.002)


@pytest.fixture
def folder(quick):
    """Where processes meet."""
    return quick / "run"


@pytest.fixture
def play(file, folder):
    """The command that plays there."""
    return "run", file, "--out", folder, "--workers", 1, "--quiet"


def assert_gathered(forks, folder, whole):
    """What several processes have left there needs but a repair."""
    assert Run.verify(folder) == []
    assert forks.run("repair", folder, "--quiet")[0] == 0
    assert_undisturbed(folder, whole)


def test_of_several_runs_that_start_together_one_plays(forks, play, folder, whole):
    assert 0 in race(forks, play, play, play)
    assert_undisturbed(folder, whole)


@pytest.mark.parametrize("slice_", [(), ("--slice", "0/2")])
def test_a_folder_in_which_a_command_plays_is_read_but_not_written(forks, play, folder, quick, whole, slice_):
    with halted(forks, folder, *play, *slice_):
        others = (play, (*play, "--slice", "0/2"), ("repair", folder), ("merge", folder, whole))
        assert race(forks, *others) == [2] * 4
        assert race(forks, ("verify", folder), ("runs", quick), ("merge", quick / "merged", folder)) == [3, 0, 0]
        if slice_:  # beside a slice other slices play
            assert race(forks, (*play, "--slice", "1/2")) == [0]
    for each in ("merged", "run"):
        assert_gathered(forks, quick / each, whole)


FEWER = ("--games", 1000)


def test_slices_of_different_counts_that_start_together_add_games_and_play_the_same_bytes(forks, play, folder, whole):
    assert forks.run(*play, *FEWER)[0] == 0
    assert race(forks, *((*play, "--slice", part) for part in ("0/2", "0/3", "1/3"))) == [0, 0, 0]
    assert_gathered(forks, folder, whole)


def test_a_slice_waits_for_another_one_that_adds_games_alone(quick):
    place = FileStore(quick / "run")
    place.make()
    alone = place.lock()
    Timer(0.3, alone.close).start()
    lock = lock_of_slice(place)
    assert lock is not None
    lock.close()


@pytest.mark.slow  # it waits for half a minute
def test_beside_slices_of_fewer_games_nothing_is_added(forks, play, folder, whole):
    with halted(forks, folder, *play, *FEWER, "--slice", "0/2"):
        status, said = forks.run(*play, "--slice", "0/3")
        assert status == 2
        assert_names(said, folder, "another process", "1,000 games")
        assert Run.verify(folder) == []
    assert forks.run(*play)[0] == 0
    assert_undisturbed(folder, whole)


def test_slices_that_start_at_the_same_moment_create_one_header(forks, play, folder, whole):
    for _ in range(2):
        assert race(forks, *((*play, "--slice", f"{number}/4") for number in range(4))) == [0] * 4
        assert (folder / "journal.jsonl").read_bytes().count(b"\n") == 1  # the header, once
        assert_gathered(forks, folder, whole)
        shutil.rmtree(folder)
