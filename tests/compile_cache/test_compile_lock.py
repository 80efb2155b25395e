"""Of processes that start together on an empty cache one has the turn to compile, and the others wait for it."""

import errno
import fcntl
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from wallsim.compile_cache import folder as module
from wallsim.compile_cache.folder import LOCK, Turn

ROOT = Path(__file__).resolve().parents[2]
HOLDER = """
import sys, time
from pathlib import Path
from wallsim.compile_cache.folder import Turn
with Turn(Path(sys.argv[1])).wanted() as turn:
    turn.take()
    print("taken", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def held(tmp_path):
    """A folder of compiled kernels, and another process that compiles them."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "taken\n"
    yield tmp_path, holder
    holder.kill()
    holder.wait()
    holder.stdout.close()


def test_only_who_wants_it_takes_the_turn(tmp_path):
    turn = Turn(tmp_path)
    assert not turn.take()
    assert not (tmp_path / LOCK).exists()
    with turn.wanted():
        assert turn.take()
        assert not turn.take(), "the cache has nothing new"
        assert not turn.waited
    other = Turn(tmp_path)
    with other.wanted():
        assert other.take()


def test_the_turn_of_a_process_that_is_killed_goes_to_one_that_waits(held, monkeypatch):
    monkeypatch.setattr(module, "_PAUSE", 0.01)
    folder, holder = held
    turn = Turn(folder)
    with turn.wanted():
        waiter = threading.Thread(target=turn.take)
        waiter.start()
        deadline = time.monotonic() + 30
        while not turn.waiting and time.monotonic() < deadline:
            time.sleep(0.01)
        assert turn.waiting
        holder.kill()
        waiter.join(30)
        assert not turn.waiting
        assert turn.waited
        assert not Turn(folder).take()


def test_a_process_that_compiles_nothing_more_is_waited_for_no_longer(held, monkeypatch):
    """It compiles a kernel every twenty seconds for some minutes, and then nothing; the clock is the test's."""
    monkeypatch.setattr(module, "_PAUSE", 2.0)
    folder, _ = held
    seconds = 0.0

    def sleep(pause):
        nonlocal seconds
        seconds += pause
        if seconds < 300:
            (folder / LOCK).write_text(f"{seconds // 20:09.0f}")

    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: seconds, sleep=sleep))
    turn = Turn(folder)
    with turn.wanted():
        assert turn.take(), "there may be something new"
        assert (folder / LOCK).read_text() == "000000014", "the count is the other process's"
        assert 280 + 300 <= seconds <= 300 + 300
        assert not turn.take(), "it is asked once"


@pytest.mark.parametrize("number", [errno.ENOLCK, None])
def test_where_there_are_no_locks_or_a_folder_in_their_place_nobody_waits(tmp_path, monkeypatch, number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    if number is None:
        (tmp_path / LOCK).mkdir()
    else:
        monkeypatch.setattr(fcntl, "flock", refuse)
    turn = Turn(tmp_path)
    with turn.wanted():
        assert turn.take()
        assert not turn.take()
        assert not turn.waited
