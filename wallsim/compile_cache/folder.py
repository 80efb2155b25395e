"""Where compiled kernels are cached: machine code is run as it lies there, so nobody else may write to the folder.

One process compiles at a time: those that start together on an empty cache would all compile the same kernels.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar, NamedTuple

from wallsim.errors import InputError
from wallsim.escaping import in_shell

VARIABLE = "WALLSIM_CACHE_DIR"
_PRIVATE = 0o700
_OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_ROOT = 0
_NOBODY = 65534  # whom the system's folders seem to belong to in a container that knows no root


class _Trouble(NamedTuple):
    """Why a folder cannot hold machine code, and what repairs it; `unsafe` if another user could write there."""

    place: Path
    why: str
    remedy: str = ""
    unsafe: bool = True

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


def cache_folder(digest: str) -> Path:
    """The folder of this name in the first parent folder where nobody else can write; it and its parents are created.

    The parents are `WALLSIM_CACHE_DIR`, else `wallsim` in the user's folder for caches, and then one in the system's
    folder for temporary files. Raises InputError if none of them will do, and if `WALLSIM_CACHE_DIR` names one where
    others can write.
    """
    named = os.environ.get(VARIABLE)
    troubles = []
    for parent in filter(None, (named or _default_parent(), _temporary_parent())):
        result = _prepare(Path(os.path.realpath(parent)), digest, own=parent != named)
        if isinstance(result, Path):
            return result
        if result.unsafe and parent == named:
            raise InputError(
                f"{VARIABLE}: {named}: {result}; allowed is a folder that only you can write to, because compiled "
                f"cached kernels are executed: {result.remedy or 'name another folder'}"
            )
        troubles.append(str(result))
    raise InputError([
        "compiled kernels need a folder that only you can write to, and none was found:", *troubles,
        f"name another folder in {VARIABLE}",
    ])  # fmt: skip


def _default_parent() -> str | None:
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "wallsim") if os.path.isabs(caches) else None  # a user may have no home


def _temporary_parent() -> str:
    return os.path.join(_temporary(), f"wallsim-{os.geteuid()}")


def _temporary() -> str:
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:  # it has tried to write to each that it knows
        return "/tmp"


def _prepare(parent: Path, digest: str, *, own: bool) -> Path | _Trouble:
    """The folder for a digest in a parent folder, or why there is none; `own`: the user has not named the parent."""
    folder = parent / digest
    try:
        _make(parent)
        if not parent.is_dir():
            return _Trouble(parent, "is not a folder", unsafe=False)
        if own:
            _tighten(parent)
        trouble = next(filter(None, map(_exposure, _exposed(parent))), None) or _make_private(folder)
        if trouble is None:
            tempfile.TemporaryFile(dir=folder).close()
        return trouble or folder
    except OSError as error:
        return _Trouble(parent, f"cannot be written to: {error.strerror}", unsafe=False)


def _make(folder: Path) -> None:
    """Make a folder and those around it that are missing, all of them private."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        with suppress(FileExistsError):  # another process was faster
            place.mkdir(_PRIVATE)


def _tighten(folder: Path) -> None:
    """Let nobody else write to a folder of this user, as earlier versions made it where users share a group."""
    status = folder.stat()
    if status.st_uid == os.geteuid() and status.st_mode & _WRITTEN_BY_OTHERS and not status.st_mode & stat.S_ISVTX:
        folder.chmod(stat.S_IMODE(status.st_mode) & ~_WRITTEN_BY_OTHERS)


def _exposed(folder: Path) -> list[Path]:
    """The folder, and those around it up to the outermost to which everybody may write: there others can change names.

    What lies further out is taken as it is.
    """
    around = [folder, *folder.parents]
    public = [number for number, place in enumerate(around) if place.stat().st_mode & stat.S_IWOTH]
    return around[: max(public, default=0) + 1]


def _exposure(folder: Path) -> _Trouble | None:
    """Other users who could change a folder's files: its owner, and users who may write to it without a sticky bit."""
    status = folder.stat()
    sticky = bool(status.st_mode & stat.S_ISVTX)
    if status.st_uid not in (os.geteuid(), _ROOT) and not (sticky and status.st_uid == _NOBODY):
        return _Trouble(folder, f"belongs to another user, number {status.st_uid}")
    if status.st_mode & _WRITTEN_BY_OTHERS and not sticky:
        mode = stat.S_IMODE(status.st_mode)
        return _Trouble(folder, f"others can write to it (mode {mode:o})", f"`chmod go-w {in_shell(folder)}`")
    return None


def _make_private(folder: Path) -> _Trouble | None:
    """Make the innermost folder, of mode 0700, or find out why it must not be trusted as it is."""
    with suppress(FileExistsError):
        folder.mkdir(_PRIVATE)
    status = folder.lstat()
    delete = f"delete it, `rm -r {in_shell(folder)}`"
    if not stat.S_ISDIR(status.st_mode):
        return _Trouble(folder, "is a link or a file, not a folder", delete)
    if status.st_uid != os.geteuid():
        return _Trouble(folder, f"belongs to another user, number {status.st_uid}")
    if status.st_mode & _WRITTEN_BY_OTHERS:
        return _Trouble(folder, f"others could write to it (mode {stat.S_IMODE(status.st_mode):o})", delete)
    if status.st_mode & _OF_OTHERS:
        folder.chmod(_PRIVATE)
    return None


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
