"""Writing so that a file is there whole or not at all, and the digests by which damage is seen."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_BLOCK = 1 << 20
TEMPORARY = ".writing"  # the ending of a file that is not whole yet


def write_whole(path: Path, data: bytes | memoryview) -> None:
    """Put `data` under `path` in one step that outlives a power cut; OSError leaves the old file, if any."""
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
    """Append a line to a file and wait until it is on the disk; OSError leaves the file as long as it was."""
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
    """Wait until the names in a folder are on the disk."""
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
