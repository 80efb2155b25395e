"""Tasks for other processes: what travels to them, and what they do with it.

A function, with all that its tasks share, is large: rules and minds take a megabyte. So a process keeps it, and a task
names it by its digest. A process that lacks it says so, and gets the task again with the function.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

import cloudpickle

from wallsim.errors import RunError, WallsimError
from wallsim.experiment.versions import Versions, differing, versions
from wallsim.play.compile_progress import warm_up
from wallsim.play.observer import RunObserver

_CACHED = 64  # functions that a process keeps
_ADVICE = "install the same on all machines"


class ClusterError(RunError):
    """A cluster that lost its workers or its scheduler, or whose workers cannot play."""


class SentFunction(NamedTuple):
    """A function for other processes: its name there, and it itself, pickled."""

    digest: str
    data: bytes

    @staticmethod
    def of(function: Callable[..., Any]) -> SentFunction:
        """Pickle a function; functions inside others too, which travel with what they use."""
        data = cloudpickle.dumps(function)
        return SentFunction(hashlib.sha256(data).hexdigest(), data)


class Failed(NamedTuple):
    """The answer of a process in which a task raised an error."""

    error: Exception


class Named(NamedTuple):
    """The answer of a process that also says where it is."""

    worker: str
    value: Any


class Lacking(Enum):
    """The answer of a process that needs the function."""

    FUNCTION = "function"


def do_task(sender: Versions, digest: str, data: bytes | None, arguments: bytes) -> Any:
    """Do a task in this process, which was sent here: returns its result, Failed, or Lacking.FUNCTION.

    `data` is the pickled function with this digest, or None if it was sent here before; `arguments` are pickled too, so
    that nothing is unpickled before the versions are compared.
    """
    try:
        if sender != versions():
            raise ClusterError(
                f"the worker on {platform.node()} has other versions: {differing(versions(), sender)}; {_ADVICE}"
            )
        function = _FUNCTIONS.get(digest, data)
        if function is None:
            return Lacking.FUNCTION
        return _after_first_of_its_kind(function, pickle.loads(arguments))
    except Exception as error:
        return Failed(_portable(error))


def named(function: Callable[..., Any], *arguments: Any) -> Named:
    """Call a function, and name the process that does it."""
    return Named(f"{platform.node()}, process {os.getpid()}", function(*arguments))


class _Functions:
    """The functions that were sent to this process; those used last are cached. Threads share it."""

    def __init__(self) -> None:
        self._cached: OrderedDict[str, Callable[..., Any]] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, digest: str, data: bytes | None) -> Callable[..., Any] | None:
        with self._guard:
            if digest not in self._cached:
                if data is None:
                    return None
                self._cached[digest] = cloudpickle.loads(data)
                if len(self._cached) > _CACHED:
                    self._cached.popitem(last=False)
            self._cached.move_to_end(digest)
            return self._cached[digest]


_FUNCTIONS = _Functions()
_kinds_done: set[str] = set()  # of functions that have played in this process
_first = threading.Lock()


def _after_first_of_its_kind(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    # The first task may compile. Processes of one machine do that one after the other, threads too.
    kind = _kind(function)
    if kind not in _kinds_done:
        with _first:
            if kind not in _kinds_done:
                result: list[Any] = []
                warm_up(lambda: result.append(function(*arguments)), RunObserver())
                _kinds_done.add(kind)
                return result[0]
    return function(*arguments)


def _kind(function: Any) -> str:
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__qualname__", type(function).__qualname__))


def _portable(error: Exception) -> Exception:
    """The error in a form that can be sent: errors of wallsim as they are, others with the place where they arose."""
    if not isinstance(error, WallsimError):
        if isinstance(error, OSError | MemoryError | ImportError):  # of that machine
            return ClusterError(f"the worker on {platform.node()}: {type(error).__name__}: {error}")
        error.add_note(f"on the worker {platform.node()}:\n{traceback.format_exc()}")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RunError(f"the worker on {platform.node()}: {type(error).__name__}: {error}")
    return error
