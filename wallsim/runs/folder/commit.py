"""Atomic writing of files, and the digests that detect damage."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_BLOCK = 1 << 20
TEMPORARY = ".writing"  # the suffix of a file that is still being written


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Write `data` to `path` atomically and durably; after an OSError the old file, if any, is unchanged."""
    temporary = path.with_name(f".{path.name}{TEMPORARY}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def append_line(path: Path, line: str) -> None:
    """Append a line to a file and wait until it is on the disk; after an OSError the file has its old length."""
    with path.open("ab") as file:
        before = file.tell()
        try:
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            os.ftruncate(file.fileno(), before)
            raise


def sync_folder(folder: Path) -> None:
    """Wait until the entries of a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_digest(path: Path) -> str:
    """The sha256 of a file's bytes in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
