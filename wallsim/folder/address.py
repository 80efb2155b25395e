"""Where a folder of results is: a path on a disk, or the address of a folder in an object store."""

from __future__ import annotations

import re
from pathlib import Path

from wallsim.errors import InputError
from wallsim.escaping import escaped_line

SCHEMES = ("s3", "gs", "az")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_LOST_SLASH = re.compile(rf"({'|'.join(SCHEMES)}):/(?!/)")
# Readers of addresses differ in what they do with other characters, and none of them takes an empty name or "..".
_WHOLE = re.compile(rf"({'|'.join(SCHEMES)})://[A-Za-z0-9][A-Za-z0-9._-]*(/(?!\.\.?(/|$))[A-Za-z0-9._=~+-]+)*/?")


class Url(str):
    """The address of a folder in an object store, stored as written; names are joined to it as to a Path."""

    __slots__ = ()

    def __truediv__(self, name: str) -> Url:
        """The address of a file or folder in it."""
        return Url(f"{self.rstrip('/')}/{name}")

    @property
    def name(self) -> str:
        """Its last name."""
        return self.rstrip("/").rpartition("/")[2]

    @property
    def parent(self) -> Url:
        """The folder that it is in; a bucket is in itself."""
        above = self.rstrip("/").rpartition("/")[0]
        return self if above.endswith("/") else Url(above)


Folder = Path | Url


def folder_of(folder: str | Path) -> Folder:
    """The path or the address that a text means; nothing is checked."""
    if isinstance(folder, Url | Path):
        return folder
    return Url(folder) if _ADDRESS.match(folder) else Path(folder)


def checked_folder(folder: str | Path) -> Folder:
    """The path or the address that a text means; InputError for an address that no store has.

    InputError also for a path that is not UTF-8, which polars cannot read, and for one with a NUL character.
    """
    result = folder_of(folder)
    if any("\ud800" <= letter <= "\udfff" for letter in str(result)):
        raise InputError(f"{result}: is not encoded in UTF-8; choose another folder")
    if "\0" in str(result):
        raise InputError(f"{escaped_line(str(result))}: contains a NUL character; choose another folder")
    if isinstance(result, Url) and not _WHOLE.fullmatch(result):
        allowed = ", ".join(f"{scheme}://BUCKET/FOLDER" for scheme in SCHEMES)
        raise InputError(
            f"{result}: is not the address of a folder; allowed are {allowed} with letters, digits and . _ = ~ + - in "
            "the names"
        )
    if isinstance(result, Path) and _LOST_SLASH.match(str(result)):
        raise InputError(f"{result}: a Path loses a slash of an address; give it as a text, such as s3://BUCKET/FOLDER")
    return result


def disk_folder(folder: str | Path) -> Path:
    """The path that a text means; InputError for an address."""
    result = folder_of(folder)
    if isinstance(result, Url):
        raise InputError(f"{result}: is the address of an object store; choose a folder on a disk")
    return result
