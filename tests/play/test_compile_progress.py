"""What is said while a run's kernels are compiled: truthful counts and times, and nothing in a quick start."""

import fcntl
import importlib
import io
import json
import os
import threading
import time

import numba
import pytest
from rich.console import Console
from typer.testing import CliRunner

from tests.compile_cache.test_files import DAMAGES
from tests.refusals import assert_names
from wallsim import jit
from wallsim.cli import app
from wallsim.compile_cache.folder import LOCK, Turn
from wallsim.play import compile_progress
from wallsim.play.compile_progress import compiling_reported, warm_up
from wallsim.play.observer import CompileProgress, RunObserver
from wallsim.report.progress import BarObserver, LineObserver


class Listener(RunObserver):
    """Records the calls that it receives."""

    def __init__(self):
        self.progress, self.took, self.ended = [], None, False

    def compiling(self, progress):
        self.progress.append(progress)

    def compiled(self, seconds):
        self.took = seconds

    def end(self):
        self.ended = True


def listened(play):
    """What is said while something is warmed up."""
    listener = Listener()
    warm_up(play, listener)
    return listener


def write_note(cache, seconds="41.5"):
    """Write what is remembered of the last compilation."""
    path = cache.parent / "last-compilation.json"
    path.write_text(f'{{"kernels": 7, "seconds": {seconds}}}', "utf-8")
    return path


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "parent" / "digest"
    folder.mkdir(parents=True)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(compile_progress, "_REPORT_SECONDS", 0.02)
    monkeypatch.setattr("wallsim.jit._TURN", Turn(folder))
    monkeypatch.setattr("wallsim.jit._FOLDER", folder)
    monkeypatch.setattr(compile_progress, "_QUIET_SECONDS", 0.05)
    return folder


def test_a_first_run_counts_kernels_and_is_remembered(cache):
    def compile_some():
        for _ in range(3):
            jit._TURN.count()
            time.sleep(0.05)

    listener = Listener()
    took = warm_up(compile_some, listener)
    assert took == listener.took > 0.1
    assert [each.kernels for each in listener.progress] == sorted(each.kernels for each in listener.progress)
    assert listener.progress[-1].kernels == 3
    assert all(each.new >= 1 and each.seconds_last_time is None for each in listener.progress)
    said = json.loads((cache.parent / "last-compilation.json").read_text("utf-8"))
    assert said["kernels"] == 3


@pytest.mark.parametrize(
    ("seconds", "known"),
    [("41.5", 41.5), *((text, None) for text in ("NaN", "-1", "1e999", str(10**400), '"soon"', "[" * 10**5))],
)
def test_the_last_time_is_known_the_next_time_if_it_is_a_duration(cache, seconds, known):
    write_note(cache, seconds)
    assert listened(lambda: time.sleep(0.05)).progress[0].seconds_last_time == known


@pytest.mark.parametrize("damage", ["empty", "half", "garbage", "folder", "pipe", "endless", "dead link"])
def test_a_damaged_note_of_the_last_time_is_replaced(cache, damage):
    note = write_note(cache)
    DAMAGES[damage](note)
    listener = listened(lambda: (jit._TURN.count(), time.sleep(0.05)))
    assert {each.seconds_last_time for each in listener.progress} <= {None, 41.5}
    assert damage == "folder" or json.loads(note.read_text("utf-8"))["kernels"] == 1


def test_a_quick_start_says_nothing_and_a_slow_one_that_it_loads(cache):
    (cache / "kernel.nbc").touch()
    listener = Listener()
    assert warm_up(lambda: None, listener) == 0.0
    assert listener.progress == []
    warm_up(lambda: time.sleep(0.2), listener)
    assert {each.new for each in listener.progress} == {0}
    assert not (cache.parent / "last-compilation.json").exists()


@pytest.fixture
def kernels(cache, monkeypatch):
    """Two kernels that nobody compiled yet."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(cache))

    @jit.kernel
    def three():
        return 3

    @jit.kernel
    def four():
        return 4

    return three, four


def test_what_is_compiled_anywhere_is_reported_before_it_is(kernels):
    three, four = kernels
    listener = Listener()
    with compiling_reported(lambda: listener):
        assert listener.progress == []
        assert three() == 3
        first = listener.progress[0]
        assert (first.kernels, first.new, first.elsewhere) == (0, 1, False)
        assert not jit._TURN.busy
    said = len(listener.progress)
    assert four() == 4
    assert len(listener.progress) == said


@pytest.mark.parametrize("silent", [True, False])
def test_a_start_that_reports_itself_is_not_reported_twice(kernels, silent):
    listener = Listener()
    with compiling_reported(lambda: listener):
        warm_up(kernels[0], RunObserver() if silent else Listener())
    assert bool(listener.progress) == silent


def test_a_stop_takes_the_line_away(cache):
    def stopped():
        raise KeyboardInterrupt

    listener = Listener()
    with pytest.raises(KeyboardInterrupt):
        warm_up(stopped, listener)
    assert listener.ended


def test_who_waits_for_another_process_says_so_and_compiles_nothing_new(cache, monkeypatch):
    other = os.open(cache / LOCK, os.O_RDWR | os.O_CREAT)
    fcntl.flock(other, fcntl.LOCK_EX)

    def compile_elsewhere():
        for number in range(3):
            time.sleep(0.2)
            os.pwrite(other, f"{number + 1:09}".encode(), 0)
        os.close(other)

    compiler = threading.Thread(target=compile_elsewhere)
    compiler.start()
    listener = Listener()
    took = warm_up(lambda: time.sleep(0.3), listener)
    compiler.join()
    assert took == listener.took > 0.8
    elsewhere = [each.elsewhere for each in listener.progress]
    assert elsewhere == sorted(elsewhere, reverse=True)
    assert (elsewhere[0], elsewhere[-1]) == (True, False)
    assert {each.new for each in listener.progress} == {0}
    assert max(each.kernels for each in listener.progress) >= 2
    assert not (cache.parent / "last-compilation.json").exists()


def test_a_trace_announces_compiling_as_a_run_does(tmp_path, monkeypatch):
    observers = []

    def warm_up(play, observer):
        observers.append(type(observer))
        play()

    monkeypatch.setattr(importlib.import_module("wallsim.api.trace"), "warm_up", warm_up)
    result = CliRunner().invoke(app, ["trace", "--policies", "random", "--out", str(tmp_path / "game.jsonl")])
    assert result.exit_code == 0, result.output
    assert observers == [LineObserver]


@pytest.mark.parametrize("elsewhere", [True, False])
@pytest.mark.parametrize("kind", [BarObserver, LineObserver])
def test_terminals_and_files_are_told_who_compiles_and_how_long_it_takes(kind, elsewhere):
    text = io.StringIO()
    watch = kind(Console(file=text, force_terminal=kind is BarObserver, width=200, highlight=False))
    here = not elsewhere
    watch.compiling(CompileProgress(10, 10 * here, 1.0, None, elsewhere))
    watch.compiling(CompileProgress(90, 90 * here, 30.0, 61.0, elsewhere))
    watch.compiling(CompileProgress(290, 0, 62.0, 61.0))
    watch.compiled(64.0)
    watch.end()
    said = text.getvalue()
    assert (said.count("Another process"), said.count("Compiling the rules")) == (int(elsewhere), int(here))
    assert f"{'Loaded' if elsewhere else 'Compiled'} in 64 s." in said
    if kind is LineObserver:
        assert_names(said, "90 kernels compiled", "after 30 s", "took 61 s")
        assert "290" not in said  # a total that would differ by kind of game
