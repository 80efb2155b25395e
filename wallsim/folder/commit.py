"""Atomic writing of files, and the digests that detect damage."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TEMPORARY = ".writing"  # the suffix of a file that is still being written


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Write `data` to `path` atomically and durably; after an OSError the old file, if any, is unchanged."""
    with _written(path, data) as temporary:
        os.replace(temporary, path)
    sync_folder(path.parent)


def create_whole(path: Path, data: bytes | memoryview) -> bool:
    """Write `data` to `path` atomically and durably unless it exists; whether it was written.

    Of several processes that create the same file at once, one succeeds.
    """
    try:
        with _written(path, data) as temporary:
            _link(temporary, path)
    except FileExistsError:
        return False
    sync_folder(path.parent)
    return True


def _link(temporary: Path, path: Path) -> None:
    # Unlike a replacement, a link fails if the file exists. Where there are no links, a moment is left unguarded.
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        if path.exists():
            raise FileExistsError(path) from None
        os.replace(temporary, path)


@contextmanager
def _written(path: Path, data: bytes | memoryview) -> Iterator[Path]:
    # Another process may write the same file at the same time, so the temporary file has a name of its own.
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}{TEMPORARY}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def append_line(path: Path, line: bytes) -> None:
    """Append a line to a file and wait until it is on the disk; after an OSError the file has its old length."""
    # Without a buffer, which would write its rest after all when it is closed, and without waiting at a pipe.
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        before = os.lseek(handle, 0, os.SEEK_END)
        try:
            rest = memoryview(line + b"\n")
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        except OSError:
            os.ftruncate(handle, before)
            raise
    finally:
        os.close(handle)


def make_folders(folder: Path) -> None:
    """Create a folder and those above it that are missing, and wait until their names are on the disk."""
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in missing:
        with suppress(PermissionError):  # of a folder in which others may create, and not look
            sync_folder(each.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the entries of a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
