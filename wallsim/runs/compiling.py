"""The first moments of a run, when kernels are compiled or fetched from the cache: how far that is, and how long."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wallsim.runs.play import Watch

_QUIET = 2.0  # seconds of a start that need no explanation
_TICK = 1.0  # seconds between two reports
_TYPICAL = 290  # kernels of a usual run, where this machine has never compiled one
_LAST_TIME = "last-compilation.json"  # beside the folders of compiled kernels


class CompileProgress(NamedTuple):
    """How far compiling is: kernels compiled so far, seconds so far, and what it took here the last time, if known.

    `kernels_expected` is the number of the last time, or a typical one. `new` is 0 while kernels are only loaded.
    """

    kernels: int
    new: int
    kernels_expected: int
    seconds: float
    seconds_last_time: float | None


class _Cache:
    """The folder of compiled kernels as it was when a run began, and what compiling took the last time."""

    def __init__(self) -> None:
        self._folder = Path(os.environ.get("NUMBA_CACHE_DIR", "."))  # set by `wallsim.jit`
        self.before = self.count()
        self.expected, self.seconds = _TYPICAL, None
        with suppress(OSError, ValueError, KeyError, TypeError):
            said = json.loads(self._note.read_text("utf-8"))
            self.expected, self.seconds = int(said["kernels"]), float(said["seconds"])

    @property
    def _note(self) -> Path:
        return self._folder.parent / _LAST_TIME

    def count(self) -> int:
        """Kernels whose machine code lies in the folder."""
        return sum(1 for _ in self._folder.rglob("*.nbc"))

    def remember(self, seconds: float) -> None:
        """Note how long a whole compilation took; it does not matter if that cannot be written."""
        if self.before == 0 and (kernels := self.count()):
            with suppress(OSError):
                text = json.dumps({"kernels": kernels, "seconds": round(seconds, 1)})
                self._note.write_text(text + "\n", "utf-8")


def warm_up(first_games: Callable[[], object], watch: Watch) -> float:
    """Play first games, which compiles what the workers need or fetches it from the cache.

    Only slow starts are announced; returns their seconds of wall time, 0 for a quick one.
    """
    began = time.perf_counter()
    cache = _Cache()
    announced, finished = threading.Event(), threading.Event()

    def report() -> None:
        wait = _QUIET if cache.before else 0.0
        while not finished.wait(wait):
            announced.set()
            count, seconds = cache.count(), time.perf_counter() - began
            new = max(1, count) if not cache.before else count - cache.before
            watch.compiling(CompileProgress(count, new, cache.expected, seconds, cache.seconds))
            wait = _TICK

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        first_games()
    except BaseException:
        watch.end()
        raise
    finally:
        finished.set()
        reporter.join()
    took = time.perf_counter() - began
    if not announced.is_set():
        return 0.0
    cache.remember(took)
    watch.compiled(took)
    return took
