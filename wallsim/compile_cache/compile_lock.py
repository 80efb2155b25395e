"""One process compiles at a time: those that start together on an empty cache would all compile the same kernels."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

LOCK = "compiling.lock"  # in the folder of the compiled kernels
_PAUSE = 0.2  # seconds between two looks at the lock
_PATIENCE = 300.0  # seconds without a new kernel after which the other process is waited for no more
_DIGITS = 9  # of a number of kernels


class Turn:
    """The right to compile. It is taken at the first kernel that the cache does not have, and given back at the end.

    A process that had to wait finds in the cache what the other one compiled. Where a file system knows no locks, or
    the process that holds the lock has compiled nothing for five minutes, it is ignored. The system takes it from a
    process that ends. The lock's file holds the number of kernels that its owner has compiled.

    `listeners` are called with the turn before a kernel is compiled that the cache lacks, unless somebody wants the
    turn, who reports that himself.
    """

    listeners: ClassVar[list[Callable[[Turn], None]]] = []

    def __init__(self, folder: Path) -> None:
        """`folder` holds the compiled kernels."""
        self._folder = folder
        self._handle = -1
        self._wanted = False
        self.waiting = False  # for another process that compiles
        self.waited = False
        self.compiling = False  # whether the cache lacked a kernel since the turn was wanted
        self.attended = False  # whether somebody wants the turn, and reports what is compiled meanwhile
        self.busy = False  # with a kernel that the cache lacked
        self._compiled = 0

    @contextmanager
    def wanted(self) -> Iterator[Turn]:
        """While this holds, the turn is taken before anything is compiled."""
        self._wanted, self.waited, self.compiling, self._compiled = True, False, False, 0
        self.attended = True
        try:
            yield self
        finally:
            self._wanted = self.attended = False
            self.give_back()

    def take(self) -> bool:
        """Wait for the turn; False if it was taken before or is not wanted, so that the cache has nothing new."""
        if not self._wanted or self._handle >= 0:
            return False
        try:
            self._handle = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            if self._locked():
                self._write()
            else:
                self._wanted = False
        except OSError:
            self._wanted = False  # no locks here
        if not self._wanted:
            self.give_back()
        return True

    def give_back(self) -> None:
        """Let another process compile; calling it twice is safe."""
        if self._handle >= 0:
            with suppress(OSError):
                fcntl.flock(self._handle, fcntl.LOCK_UN)  # also for processes that have inherited the handle
            os.close(self._handle)
            self._handle = -1

    def lacks(self) -> None:
        """Note that the cache lacks a kernel, which is compiled next."""
        self.compiling = self.busy = True
        if not self.attended:
            for listener in self.listeners:
                listener(self)

    def stored(self) -> None:
        """Note that the kernel is compiled and in the cache."""
        self.busy = False

    def count(self) -> None:
        """Note another compiled kernel, for the processes that wait."""
        self._compiled += 1
        self._write()

    def compiled(self) -> int:
        """The number of kernels that this process, or the one that it waits for, has compiled."""
        if not self.waiting:
            return self._compiled
        with suppress(OSError, ValueError):
            return int(os.pread(self._handle, _DIGITS, 0))
        return 0

    def _write(self) -> None:
        if self._handle >= 0 and not self.waiting:
            with suppress(OSError):  # such as a full disk, which is reported where machine code is stored
                os.pwrite(self._handle, f"{self._compiled:0{_DIGITS}}".encode(), 0)

    def _locked(self) -> bool:
        """Lock, waiting as long as the process that holds the lock compiles; False if it does not."""
        count, last = -1, time.monotonic()
        try:
            while True:
                try:
                    fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return True
                except BlockingIOError:
                    self.waiting = self.waited = True
                now = time.monotonic()
                before, count = count, self.compiled()
                last = now if count != before else last
                if now - last >= _PATIENCE:
                    return False
                time.sleep(_PAUSE)
        finally:
            self.waiting = False
