"""What is said while a run's kernels are compiled: truthful counts and times, and nothing in a quick start."""

import io
import json
import time

import pytest
from rich.console import Console

from wallsim.report.progress import BarObserver, LineObserver
from wallsim.runs import compiling
from wallsim.runs.compiling import CompileProgress, warm_up
from wallsim.runs.play import RunObserver


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


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "parent" / "digest"
    folder.mkdir(parents=True)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(compiling, "_REPORT_SECONDS", 0.02)
    monkeypatch.setattr(compiling, "_QUIET_SECONDS", 0.05)
    return folder


def test_a_first_run_counts_kernels_and_is_remembered(cache):
    def compile_some():
        for number in range(3):
            (cache / f"kernel-{number}.nbc").touch()
            time.sleep(0.05)

    listener = Listener()
    took = warm_up(compile_some, listener)
    assert took == listener.took > 0.1
    assert [each.kernels for each in listener.progress] == sorted(each.kernels for each in listener.progress)
    assert listener.progress[-1].kernels == 3
    assert all(each.new >= 1 and each.seconds_last_time is None for each in listener.progress)
    said = json.loads((cache.parent / "last-compilation.json").read_text("utf-8"))
    assert said["kernels"] == 3


def test_the_last_time_is_known_the_next_time(cache):
    (cache.parent / "last-compilation.json").write_text('{"kernels": 7, "seconds": 41.5}', "utf-8")
    listener = Listener()
    warm_up(lambda: time.sleep(0.05), listener)
    assert (listener.progress[0].kernels_expected, listener.progress[0].seconds_last_time) == (7, 41.5)


def test_a_quick_start_says_nothing_and_a_slow_one_that_it_loads(cache):
    (cache / "kernel.nbc").touch()
    listener = Listener()
    assert warm_up(lambda: None, listener) == 0.0
    assert listener.progress == []
    warm_up(lambda: time.sleep(0.2), listener)
    assert {each.new for each in listener.progress} == {0}
    assert not (cache.parent / "last-compilation.json").exists()


def test_a_stop_takes_the_line_away(cache):
    def stopped():
        raise KeyboardInterrupt

    listener = Listener()
    with pytest.raises(KeyboardInterrupt):
        warm_up(stopped, listener)
    assert listener.ended


@pytest.mark.parametrize("kind", [BarObserver, LineObserver])
def test_terminals_and_files_are_told_what_is_compiled(kind):
    text = io.StringIO()
    watch = kind(Console(file=text, force_terminal=kind is BarObserver, width=200, highlight=False))
    watch.compiling(CompileProgress(1, 1, 290, 0.0, None))
    watch.compiling(CompileProgress(90, 90, 290, 30.0, 61.0))
    watch.compiled(62.0)
    watch.end()
    said = text.getvalue()
    assert "Compiling the rules, the tower and the policies to machine code" in said
    assert "Compiled in 62 s." in said
    if kind is LineObserver:
        assert "90 kernels compiled after 30 s; the last time on this machine 290 took 61 s" in said
