"""What every command says on standard error while it compiles, and when it has said nothing for a while."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from wallsim.cli.output import screen
from wallsim.cli.terminal_output import echo
from wallsim.play.compile_progress import compiling_reported
from wallsim.play.observer import RunObserver

_FIRST_SECONDS, _NEXT_SECONDS = 2.0, 12.0  # of silence, from the start and later; progress has a line every ten
_LOOK_SECONDS = 0.25
_last_output = 0.0  # when something was written to standard output or standard error
_never_silent = False  # in a process of its own
_quiet = False


@contextmanager
def announced() -> Iterator[None]:
    """Say in this block what is compiled, wherever that begins, and from time to time that the command is at work."""
    global _quiet
    _quiet = False
    finished = threading.Event()
    watch = threading.Thread(target=_break_silence, args=(finished,), daemon=True)
    if _never_silent:
        watch.start()
    try:
        with compiling_reported(_line_observer):
            yield
    finally:
        finished.set()


def break_silence() -> None:
    """From now on a command that works for two seconds of CPU time in silence says so, and again every twelve."""
    global _never_silent
    for stream in (sys.stdout, sys.stderr):
        _note_output(stream)
    _never_silent = True


def stay_silent() -> None:
    """Let the command that is running say nothing of the kind, as with --quiet."""
    global _quiet
    _quiet = True


def _line_observer() -> RunObserver:
    # Lines on a terminal, too: a bar may be drawn there, and lines stand above it.
    if _quiet:
        return RunObserver()
    from wallsim.report.progress import LineObserver

    return LineObserver(screen(to_stderr=True))


def _note_output(stream: TextIO) -> None:
    write = stream.write

    def noted(text: str) -> int:
        global _last_output
        _last_output = time.monotonic()
        return write(text)

    stream.write = noted  # type: ignore[method-assign]


def _break_silence(finished: threading.Event) -> None:
    began = time.monotonic()
    while not finished.wait(_LOOK_SECONDS):
        wait = _FIRST_SECONDS if _last_output < began else _NEXT_SECONDS
        # By CPU time as well, since a command that waits for others is not at work.
        silent = time.monotonic() - max(began, _last_output) >= wait and time.process_time() >= wait
        if silent and not _quiet:
            echo(f"At work for {time.monotonic() - began:.0f} s.", err=True)
