"""Ends a command after Ctrl-C or SIGTERM: in order where Python can, and in any case within a few seconds.

A signal to stop becomes an exception in the main thread, once, and only where it is not lost: an import that it leaves
half done cannot be repeated, and libraries in Rust that call Python, such as polars and pydantic, panic or go on.
There it waits until they have returned. Whatever a library makes of the exception, the command was stopped.

Python answers a signal in the main thread, between two of its own instructions. That never comes if this thread is in
machine code of a policy that never returns, and too late if it waits for a worker that is. The system itself writes the
number of the signal to a pipe at once; a thread reads it there, and ends the process if nothing else has done so within
a few seconds. The compiler, too, cannot be interrupted: it loses exceptions, or goes on with half of what it needs. So
a command that compiles ends at once, as does one that has not begun. Whatever was finished is on the disk by then.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from wallsim.cli.terminal_output import echo

GRACE_SECONDS = 4.0  # for an orderly end
_AGAIN_SECONDS = 0.002  # until a stop that could not be raised is tried again
_STOPS = (signal.SIGINT, signal.SIGTERM)
_LOSE_EXCEPTIONS = ("importlib", "_frozen_importlib", "_frozen_importlib_external", "polars", "pydantic")
_SHOW_CURSOR = "\r\x1b[2K\x1b[?25h"  # a terminal whose progress bar nobody takes away
_said: list[Callable[[], str]] = [lambda: "Stopped."]  # the last one speaks for the work in hand
_watched = False
_orderly = False  # whether a command is at work that tidies up when an exception ends it
_asked = 0  # the signal that asks the command to end, or 0
_raised = False  # whether the main thread has got it as an exception


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
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as by `nohup`
        signal.signal(signal.SIGINT, stop_for)
    sys.unraisablehook = _raise_again
    _watched = True


@contextmanager
def saying(words: Callable[[], str]) -> Iterator[None]:
    """In this block, what is said if the process is ended."""
    _said.append(words)
    try:
        yield
    finally:
        _said.remove(words)


@contextmanager
def orderly_end() -> Iterator[None]:
    """In this block a signal to stop is raised as KeyboardInterrupt; around it, it ends the process at once."""
    global _orderly, _asked, _raised
    _orderly, _asked, _raised = True, 0, False
    try:
        yield
    finally:
        _orderly = False
        if _asked and not _raised:  # it had to wait until the work was done
            _raised = True
            raise KeyboardInterrupt


def stop_for(number: int, frame: FrameType | None) -> None:
    """Handle a signal to stop: raise KeyboardInterrupt in the main thread, once, as soon as nothing there loses it."""
    global _asked, _raised
    if _watched and _raised:  # the thread that watches ends what takes too long
        return
    if _watched and (not _orderly or _is_compiling()):
        _end(number)
    _asked = number
    if _is_lost_in(frame):
        _thread.start_new_thread(_repeat, (number,))
        return
    _raised = True
    raise KeyboardInterrupt


def stop_status(error: BaseException) -> int | None:
    """The exit status of a command that a signal has stopped, whatever a library made of it; None for other errors."""
    if _asked or isinstance(error, KeyboardInterrupt):
        return 128 + (_asked or signal.SIGINT)
    return None


def leave_if_stopped() -> None:
    """End the process now if a signal has stopped the command: Python would wait for threads, and call libraries."""
    if _asked:
        try:
            sys.stdout.flush()
        finally:
            os._exit(128 + _asked)


def _is_lost_in(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        if str(frame.f_globals.get("__name__")).partition(".")[0] in _LOSE_EXCEPTIONS:
            return True
        frame = frame.f_back
    return False


def _repeat(number: int) -> None:
    time.sleep(_AGAIN_SECONDS)
    _thread.interrupt_main(signal.Signals(number))


def _raise_again(lost: sys.UnraisableHookArgs) -> None:
    """An exception that Python cannot raise, in a callback of its own say: a stop is tried again, others are shown."""
    global _raised
    if _asked and isinstance(lost.exc_value, KeyboardInterrupt):
        _raised = False
        _thread.start_new_thread(_repeat, (_asked,))
    else:
        sys.__unraisablehook__(lost)


def _is_compiling() -> bool:
    compiler = sys.modules.get("wallsim.jit")
    return bool(compiler is not None and getattr(compiler, "is_compiling", bool)())


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
    finally:
        os._exit(128 + number)
