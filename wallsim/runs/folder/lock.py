"""The lock of a folder: only one process at a time may write into it."""

from __future__ import annotations

import fcntl
import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from wallsim.errors import InputError
from wallsim.runs.folder.commit import TEMPORARY

LOCK = ".lock"


class FolderLock(ABC):
    """A folder locked for writing, as a context manager."""

    folder: Path
    _handle = -1

    def acquire(self, folder: Path) -> None:
        """Create the folder and lock it, or lock an existing one and load its contents.

        InputError if it cannot be written, is in use, or contains unsuitable files.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.refuse_foreign_files()
            self._handle = _locked(folder)
            self.load_or_begin()
        except OSError as error:
            self.close()
            raise InputError(f"{folder}: cannot be written: {error.strerror}; choose another folder (--out)") from None
        except BaseException:
            self.close()
            raise

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
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _locked(folder: Path) -> int:
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise InputError(
            f"{folder}: another wallsim process is writing there; wait for it or choose another folder"
        ) from None
    return handle


def refuse_files(folder: Path) -> None:
    """InputError if a folder contains files other than a lock and leftovers of an interrupted write."""
    others = sorted(path.name for path in folder.iterdir() if path.name != LOCK and path.suffix != TEMPORARY)
    if others:
        shown = ", ".join(others[:3]) + (" ..." if len(others) > 3 else "")
        raise InputError(f"{folder}: contains other files ({shown}); choose an empty or a new folder (--out)")
