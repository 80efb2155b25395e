"""Who may write into a folder: one process at a time, from the moment it is locked to its end."""

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
        """Make the folder, or take up what lies there.

        InputError if it cannot be written, is in use, or holds what it should not.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.refuse_strangers()
            self._handle = _locked(folder)
            self.take_up()
        except OSError as error:
            self.close()
            raise InputError(f"{folder}: cannot be written: {error.strerror}; name another folder (--out)") from None
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def refuse_strangers(self) -> None:
        """InputError if files lie in the folder that are not ours."""

    @abstractmethod
    def take_up(self) -> None:
        """Read what lies in the folder, or begin it; only its holder does."""

    def __enter__(self) -> Self:
        """What holds the folder."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give the folder free."""
        self.close()

    def close(self) -> None:
        """Give the folder free; safe to call twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _locked(folder: Path) -> int:
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise InputError(f"{folder}: another wallsim is writing there; wait for it or name another folder") from None
    return handle


def refuse_files(folder: Path) -> None:
    """InputError if a folder holds anything but a lock and what an unfinished write left."""
    strange = sorted(path.name for path in folder.iterdir() if path.name != LOCK and path.suffix != TEMPORARY)
    if strange:
        shown = ", ".join(strange[:3]) + (" ..." if len(strange) > 3 else "")
        raise InputError(f"{folder}: holds other files ({shown}); name an empty or a new folder (--out)")
