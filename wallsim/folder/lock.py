"""The lock of a folder: only one process at a time may write into it."""

from __future__ import annotations

import errno
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

from wallsim.errors import InputError, RunError, WallsimError
from wallsim.folder.address import Folder
from wallsim.folder.commit import TEMPORARY
from wallsim.folder.layout import RECORD
from wallsim.folder.local_files import LOCK, FileStore, Lock

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_ATTEMPTS, _PAUSE = 150, 0.2  # to lock a folder, and seconds between them: half a minute, for slow disks
_ATTEMPTS_OF_SLICE = 25

Result = TypeVar("Result")


class LockedError(InputError):
    """Another process is writing into a folder."""


class ReadOnlyError(InputError):
    """A folder may be read, but not written."""


class FolderLock(ABC):
    """A folder locked for writing, as a context manager; the lock ends with it or with the process."""

    place: FileStore
    folder: Folder

    def acquire(self, place: FileStore) -> None:
        """Create the folder and lock it, or lock an existing one and load its contents.

        InputError if it cannot be written, is in use, or contains unsuitable files; RunError for a full disk.
        """
        self.place, self.folder = place, place.folder
        self._locks: list[Lock] = []
        with unlocked_on_error(place, self.close):
            place.make()
            self.refuse_foreign_files()
            self.take_locks()
            self.load_or_begin()

    def take_locks(self) -> None:
        """Lock the folder; LockedError if another process has it locked."""
        self.hold(self.place.lock())

    def hold(self, lock: Lock | None, whose: str = "another wallsim process") -> None:
        """Keep a lock until the folder is closed; LockedError for None, which says that `whose` process has it."""
        if lock is None:
            raise LockedError(f"{self.place}: {whose} is writing there; wait for it or choose another folder")
        self._locks.append(lock)

    @abstractmethod
    def refuse_foreign_files(self) -> None:
        """InputError if the folder contains files that were not written for this purpose."""

    @abstractmethod
    def load_or_begin(self) -> None:
        """Load the contents of the folder, or write its first files; called while the folder is locked."""

    def __enter__(self) -> Self:
        """This object, with the folder locked."""
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock the folder."""
        self.close()

    def close(self) -> None:
        """Unlock the folder; calling it twice is safe."""
        while self._locks:
            self._locks.pop().close()


@contextmanager
def unlocked_on_error(place: FileStore, unlock: Callable[[], None]) -> Iterator[None]:
    """Unlock a folder that could not be opened for writing; an OSError becomes the error of `unwritable`."""
    try:
        yield
    except OSError as error:
        unlock()
        raise unwritable(place, error) from None
    except BaseException:
        unlock()
        raise


def once_unlocked(action: Callable[[], Result]) -> Result:
    """What an action returns, which is repeated for half a minute while other processes have the folder locked.

    LockedError if they go on.
    """
    for _ in range(_ATTEMPTS - 1):
        try:
            return action()
        except LockedError:
            time.sleep(_PAUSE)
    return action()


def lock_of_slice(place: FileStore) -> Lock | None:
    """A folder's lock, shared with other slices; None while another process has it alone, but for one that adds games.

    Such a slice is done within seconds, for which this waits.
    """
    for _ in range(_ATTEMPTS_OF_SLICE):
        lock = place.lock(shared=True)
        if lock is not None:
            return lock
        time.sleep(_PAUSE)
    return None


def nothing_added(place: FileStore, games: int) -> LockedError:
    """The error for games that cannot be added, since another process plays the `games` of the folder."""
    return LockedError(
        f"{place}: another process is writing this run ({games:,} games); wait for it before you add games"
    )


def failed(folder: Folder | FileStore, error: OSError) -> RunError:
    """The error for work on a folder that could not go on writing."""
    if _is_in_the_way(folder, error):
        return RunError(_in_the_way(error))
    return RunError(
        f"{folder}: writing failed: {error.strerror or error}; finished chunks are stored, and the same command resumes"
    )


@contextmanager
def locked(place: FileStore) -> Iterator[None]:
    """Lock a folder while some of its files are written again.

    InputError if the folder cannot be written, LockedError while another process writes there.
    """
    try:
        lock = place.lock()
        if lock is None:
            raise LockedError(f"{place}: another wallsim process is writing there; wait for it")
        try:
            yield
        finally:
            lock.close()
    except OSError as error:
        raise unwritable(place, error) from None


def unwritable(place: FileStore, error: OSError) -> WallsimError:
    """The error for a folder that could not be opened for writing: another one is needed, unless the disk is full."""
    if error.errno in _FULL:
        return failed(place, error)
    if _is_in_the_way(place, error):
        return InputError(_in_the_way(error))
    kind = ReadOnlyError if is_read_only(error) else InputError
    return kind(f"{place}: cannot be written: {error.strerror or error}; choose another folder")


def is_read_only(error: OSError) -> bool:
    """Whether an error says that nothing may be written: a disk mounted read-only, or missing rights."""
    return error.errno in _READ_ONLY


def _is_in_the_way(folder: Folder | FileStore, error: OSError) -> bool:
    # A folder where a file belongs, or the other way round, inside the folder.
    result = str(error.filename2 or error.filename or "")
    return isinstance(error, IsADirectoryError | FileExistsError) and result.startswith(f"{folder}/")


def _in_the_way(error: OSError) -> str:
    kind = "a folder" if isinstance(error, IsADirectoryError) else "no folder"
    return f"{error.filename2 or error.filename}: is {kind}, and in the way; remove it, and repeat the command"


def refuse_files(place: FileStore, unless: str = "") -> None:
    """InputError if a folder contains files other than locks and leftovers of an interrupted write.

    `unless` is the name of a file that another process may just have written, by which they belong here.
    """
    ours = (LOCK, RECORD)
    others = [name for name in place.entries() if not name.startswith(ours) and not name.endswith(TEMPORARY)]
    if others and not (unless and place.exists(unless)):
        shown = ", ".join(others[:3]) + (" ..." if len(others) > 3 else "")
        raise InputError(f"{place}: contains other files ({shown}); choose an empty or a new folder")
