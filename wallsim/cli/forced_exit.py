"""Ends a command after Ctrl-C or SIGTERM where Python alone would not, or too late.

Python answers a signal in the main thread, between two of its own instructions. That never comes if this thread is in
machine code of a policy that never returns, and too late if it waits for a worker that is. The system itself writes the
number of the signal to a pipe at once; a thread reads it there, and ends the process if nothing else has done so within
a few seconds. The compiler, too, cannot be interrupted: it loses exceptions, or goes on with half of what it needs. So
a command that compiles ends at once. Whatever was finished is on the disk by then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from wallsim.cli.error_exit import ends_well
from wallsim.cli.terminal_output import echo

GRACE_SECONDS = 4.0  # for an orderly end
_STOPS = (signal.SIGINT, signal.SIGTERM)
_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"  # a terminal whose progress bar nobody takes away
_said: list[Callable[[], str]] = [lambda: "Stopped."]  # the last one speaks for the work in hand
_watched = False


def force_exit_after_signals() -> None:
    """From now on end the process a few seconds after Ctrl-C, or a SIGTERM that is caught, if it has not ended by then.

    The status is 130 or 143. Only the main thread may call it.
    """
    global _watched
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    os.register_at_fork(after_in_child=_leave)  # a child must not speak for this process
    threading.Thread(target=_watch, args=(reader,), daemon=True).start()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it may be ignored, as by `nohup`
        signal.signal(signal.SIGINT, _interrupt)
    _watched = True


@contextmanager
def saying(words: Callable[[], str]) -> Iterator[None]:
    """In this block, what is said if the process is ended."""
    _said.append(words)
    try:
        yield
    finally:
        _said.remove(words)


def end_at_once_if_compiling(number: int) -> None:
    """End the process for the signal `number` if the main thread, which must call this, is compiling."""
    compiler = sys.modules.get("wallsim.jit")
    if _watched and compiler is not None and getattr(compiler, "is_compiling", bool)():
        _end(number)


def _interrupt(number: int, *_: object) -> NoReturn:
    end_at_once_if_compiling(number)
    raise KeyboardInterrupt


def _leave() -> None:
    with suppress(ValueError):  # it was made by another than the main thread
        signal.set_wakeup_fd(-1)


def _watch(reader: int) -> None:
    while (number := os.read(reader, 1)[0]) not in _STOPS:
        pass
    time.sleep(GRACE_SECONDS)
    _end(number)


def _end(number: int) -> NoReturn:
    try:
        if sys.stderr.isatty():
            sys.stderr.write(_SHOW_CURSOR)
        echo(_said[-1](), err=True)
        sys.stdout.flush()
        ends_well()
    finally:
        os._exit(128 + number)
