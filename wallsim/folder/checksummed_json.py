"""JSON with a digest of its own bytes, so that any flipped bit is detected: a line of a journal, or a whole document.

The last entry is `seal`, the sha256 of all bytes before the comma that precedes it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from wallsim.errors import RunError
from wallsim.rules.files import read_json

if TYPE_CHECKING:
    from wallsim.folder.local_files import FileStore

Said = TypeVar("Said")


class SealError(RunError):
    """Bytes that are not the ones that were sealed."""


def sealed_line(fields: dict[str, Any]) -> bytes:
    """A JSON object on one line, without the line's end."""
    body = json.dumps(fields).encode()[:-1]
    return body + _end_of_line(body)


def sealed_document(fields: dict[str, Any]) -> bytes:
    """A JSON object on many lines."""
    body = json.dumps(fields, indent=2, ensure_ascii=False).encode()[:-2]
    return body + _end_of_document(body)


def read_sealed_line(line: bytes) -> dict[str, Any]:
    """The fields of a sealed line; SealError if any bit of it has changed."""
    return _read(line, _end_of_line)


def read_sealed_document(data: bytes) -> dict[str, Any]:
    """The fields of a sealed document; SealError if any bit of it has changed."""
    return _read(data, _end_of_document)


def document_in(place: FileStore, name: str, said: Callable[[dict[str, Any]], Said], remedy: str = "") -> Said | None:
    """What a sealed document of a folder says; None without it. OSError is passed on.

    RunError, with the remedy, if it is damaged, or if `said` raises an error for fields that cannot be.
    """
    try:
        return said(read_sealed_document(place.read(name)))
    except FileNotFoundError:
        return None
    except (SealError, KeyError, TypeError, ValueError, AttributeError):
        raise RunError(f"{place}/{name}: is damaged{remedy}") from None


def is_whole(line: bytes) -> bool:
    """Whether a line is sealed and none of its bits has changed."""
    try:
        read_sealed_line(line)
    except SealError:
        return False
    return True


class Lines(NamedTuple):
    """The sealed lines of a file, numbered from 1: bytes and fields of the whole ones, and which are damaged.

    `unended` is the number of a last line without an end, None without one.
    """

    whole: dict[int, tuple[bytes, dict[str, Any]]]
    damaged: list[int]
    unended: int | None

    @property
    def fields(self) -> list[dict[str, Any]]:
        """The fields of the whole lines."""
        return [fields for _, fields in self.whole.values()]


def read_lines(data: bytes, begin: bytes, *, ended: bool = False) -> Lines:
    """Read a file of sealed lines that begin so.

    What follows the last line's end was being written when a process was killed. It is damage if nobody may be writing
    (`ended`), if it cannot be the beginning of a line, and if it is a line whose end was changed.
    """
    *lines, rest = data.split(b"\n")
    whole, damaged = {}, []
    for number, line in enumerate(lines, start=1):
        try:
            whole[number] = line, read_sealed_line(line)
        except SealError:
            damaged.append(number)
    unended = len(lines) + 1 if rest else None
    if unended and (ended or is_whole(rest[:-1]) or not _may_begin(rest, begin)):
        damaged.append(unended)
    return Lines(whole, damaged, unended)


def _may_begin(rest: bytes, begin: bytes) -> bool:
    return rest[: len(begin)] == begin[: len(rest)] and all(0x20 <= byte < 0x7F for byte in rest)


def is_sealed_document(data: bytes) -> bool:
    """Whether bytes end like a sealed document, whole or not."""
    return b'"seal": "' in data[-_LENGTH_OF_DOCUMENT_END:]


def _read(data: bytes, end_of: Any) -> dict[str, Any]:
    length = len(end_of(b""))
    body, end = data[:-length], data[-length:]
    if end != end_of(body):
        raise SealError("the bytes differ from their digest")
    try:
        fields = read_json(data)
    except ValueError:
        raise SealError("is not JSON") from None
    if not isinstance(fields, dict):  # sealed by someone, but not by this package
        raise SealError("is not a JSON object")
    del fields["seal"]
    return fields


def _end_of_line(body: bytes) -> bytes:
    return b', "seal": "' + hashlib.sha256(body).hexdigest().encode() + b'"}'


def _end_of_document(body: bytes) -> bytes:
    return b',\n  "seal": "' + hashlib.sha256(body).hexdigest().encode() + b'"\n}\n'


_LENGTH_OF_DOCUMENT_END = len(_end_of_document(b""))
