"""What is compiled, or loaded from the cache, at the start of a run or beforehand: progress and duration."""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wallsim.compile_cache.folder import Turn
from wallsim.folder.commit import write_whole
from wallsim.folder.local_files import read_bounded
from wallsim.play.observer import CompileProgress, RunObserver
from wallsim.rules.files import read_json

COMPILE_TIME = "30 to 60 s"  # of CPU time from an empty cache, measured for a run and for advice
_QUIET_SECONDS = 2.0  # a start this short is not announced
_LOOK_SECONDS = 0.01  # between two looks, on an empty cache, whether it is known who compiles
_REPORT_SECONDS = 1.0  # between two reports
_LAST_TIME = "last-compilation.json"  # in the folder that contains the folders of compiled kernels


class _Cache:
    """The folder of compiled kernels at the start of a run, and the duration of the last compilation."""

    def __init__(self) -> None:
        from wallsim.jit import is_compiled  # a process that plays has imported it

        self._folder = Path(os.environ.get("NUMBA_CACHE_DIR", "."))  # set by `wallsim.jit`
        self.before = is_compiled()
        self.seconds = None
        with suppress(Exception):  # whatever a damaged note can lead to: the duration is not known then
            seconds = float(read_json(read_bounded(self._note))["seconds"])
            self.seconds = seconds if 0.0 <= seconds < math.inf else None

    @property
    def _note(self) -> Path:
        return self._folder.parent / _LAST_TIME

    def remember(self, seconds: float, kernels: int) -> None:
        """Save the duration of a complete compilation; failing to write it is ignored."""
        if not self.before and kernels:
            with suppress(OSError):
                text = json.dumps({"kernels": kernels, "seconds": round(seconds, 1)})
                write_whole(self._note, f"{text}\n".encode())


def warm_up(first_games: Callable[[], object], observer: RunObserver) -> float:
    """Call `first_games`, which plays and so compiles the kernels that the workers need, or loads them from the cache.

    While another process compiles it waits, and then loads what that one compiled. Only slow starts are reported to the
    observer. Returns the wall seconds of a slow start, 0 for a quick one.
    """
    from wallsim.jit import compiling_in_turn

    began = time.perf_counter()
    cache = _Cache()
    announced, finished, ours = threading.Event(), threading.Event(), threading.Event()

    def report() -> None:
        wait = _QUIET_SECONDS if cache.before else 0.0
        while not (cache.before or ours.is_set() or turn.waiting or finished.wait(_LOOK_SECONDS)):
            pass  # who compiles is not known yet
        while not finished.wait(wait):
            announced.set()
            elsewhere, count, seconds = turn.waiting, turn.compiled(), time.perf_counter() - began
            # A kernel is counted once it is compiled, and on an empty cache all have to be.
            least = 1 if turn.compiling or not (cache.before or turn.waited) else 0
            new = 0 if elsewhere else max(least, count)
            observer.compiling(CompileProgress(count, new, seconds, cache.seconds, elsewhere))
            wait = _REPORT_SECONDS

    with compiling_in_turn() as turn:
        turn.attended = type(observer) is not RunObserver  # which says nothing
        reporter = threading.Thread(target=report, daemon=True)
        reporter.start()
        try:
            if not cache.before:  # something will have to be compiled
                turn.take()
                if turn.waited:
                    turn.give_back()  # the others that wait need not wait for what is only loaded here
            ours.set()
            first_games()
        except BaseException:
            observer.end()
            raise
        finally:
            finished.set()
            reporter.join()
    took = time.perf_counter() - began
    if not announced.is_set():
        return 0.0
    if not turn.waited:
        cache.remember(took, turn.compiled())
    observer.compiled(took)
    return took


@contextmanager
def compiling_reported(make_observer: Callable[[], RunObserver]) -> Iterator[None]:
    """Report what is compiled in this block outside of `warm_up`: before the first kernel, then every second.

    `make_observer` is called before the first kernel that the cache lacks. Nothing is reported between two kernels.
    """
    finished = threading.Event()
    reporters: list[threading.Thread] = []

    def begin(turn: Turn) -> None:
        if reporters:
            return
        observer, began = make_observer(), time.perf_counter()

        def report() -> None:
            if turn.busy and not turn.attended:
                seconds = time.perf_counter() - began
                observer.compiling(CompileProgress(turn.compiled(), max(1, turn.compiled()), seconds, None))

        def go_on() -> None:
            while not finished.wait(_REPORT_SECONDS):
                report()

        reporters.append(threading.Thread(target=go_on, daemon=True))
        report()
        reporters[0].start()

    Turn.listeners.append(begin)
    try:
        yield
    finally:
        Turn.listeners.remove(begin)
        finished.set()
        for reporter in reporters:
            reporter.join()


def compile_engine(observer: RunObserver | None = None) -> float:
    """Compile for this machine, into its cache, what runs, traces, learning, searching policies and casts call.

    What is in the cache is only loaded; code that ships with the installation is not used. Policies that are Python
    files are compiled when they play. Returns the wall seconds of compiling, 0 if it took less than two. Raises
    CacheError if the disk is full.
    """
    from wallsim.jit import compiling_for_this_machine

    with compiling_for_this_machine():
        return warm_up(_call_everything, observer or RunObserver())


def _call_everything() -> None:
    import numpy as np

    from wallsim.engine.casting import CastingBench  # imports the compiler
    from wallsim.experiment.experiment import Experiment
    from wallsim.rules.terms import COLOURS
    from wallsim.rules.tower import load_tower

    arena = Experiment(games=1, policies="random").arena()
    arena.play(0, 1)
    arena.play(0, 1, battles=True)  # with the log, as traces
    arena.positions(0, 1)
    Experiment(games=1, policies="rollout").arena().prepare()
    bench, nothing = CastingBench(load_tower("spielbyweb")), np.zeros((1, COLOURS), np.int64)
    bench.throw(nothing, seed=1)
    bench.repeat(nothing[0], nothing[0], 1, seed=1)
