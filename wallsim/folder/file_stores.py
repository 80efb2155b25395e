"""Which files the path or the address of a folder names: those on a disk or those in an object store."""

from __future__ import annotations

from pathlib import Path

from wallsim.folder.address import Url, checked_folder
from wallsim.folder.local_files import FileStore


def file_store(folder: str | Path) -> FileStore:
    """Where the files of a folder are: on a disk or, for an address such as s3://BUCKET/FOLDER, in an object store.

    InputError for an address that cannot be used.
    """
    result = checked_folder(folder)
    if isinstance(result, Url):
        from wallsim.folder.object_store import ObjectFileStore  # most folders are on a disk

        return ObjectFileStore(result)
    return FileStore(result)
