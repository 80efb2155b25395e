"""Derived files: what is computed from the rows or the journal of a folder, such as ratings, pictures and policies.

`checksums.json` has the sha256 of each of them. It is sealed, deleted before they are written, and written after them,
so that a folder without it is not finished, and one with it is complete.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from wallsim.errors import RunError
from wallsim.folder.checks import document_errors
from wallsim.folder.checksummed_json import document_in, sealed_document
from wallsim.folder.layout import is_digests
from wallsim.folder.local_files import FileStore

CHECKSUMS = "checksums.json"
Derived = bytes | Callable[[], bytes]  # a file, or what makes it when its turn has come


def write_derived(
    place: FileStore,
    files: Mapping[str, Derived],
    others: Mapping[str, str] | None = None,
    *,
    facts: Mapping[str, Any] | None = None,
    withdraw: Callable[[FileStore], None] = lambda place: place.delete(CHECKSUMS),
) -> bool:
    """Write the derived files of a folder that it does not have, each atomically, and then the checksums of all.

    Before the first of them `withdraw` deletes the checksums. What may fail to be made, such as a picture, comes last.
    `others` are digests of further files by name, which stay as they are; those that do not exist are dropped. `facts`
    stand before the digests. Returns whether anything was written. Errors are passed on.
    """
    listed: Mapping[str, str] = {}
    with suppress(RunError):
        listed = read_checksums(place) or {}
    made, changed = {}, False
    for name, data in files.items():
        made[name] = data if isinstance(data, bytes) else data()
        if listed.get(name) == hashlib.sha256(made[name]).hexdigest() == place.digest(name):
            continue
        if not changed:
            withdraw(place)
        changed = True
        place.write(name, made[name])
    if changed or facts:
        there = {name: digest for name, digest in (others or {}).items() if place.size(name) is not None}
        text = checksums_of(made, there, facts)
        if changed or place.size(CHECKSUMS) is None or place.read(CHECKSUMS) != text:
            place.write(CHECKSUMS, text)
    return changed


def checksums_of(
    files: Mapping[str, bytes], others: Mapping[str, str] | None = None, facts: Mapping[str, Any] | None = None
) -> bytes:
    """The text of `checksums.json` for these files, and for others by their digests; `facts` come first."""
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    whole = {**digests, **{k: v for k, v in (others or {}).items() if k not in digests}}
    return sealed_document({**(facts or {}), "files": whole})


def read_checksums(place: FileStore) -> dict[str, str] | None:
    """The sha256 of each derived file by name; None without `checksums.json`, RunError if it is damaged.

    OSError is passed on.
    """
    return document_in(place, CHECKSUMS, _digests)


def _digests(fields: dict[str, Any]) -> dict[str, str]:
    files: dict[str, str] = fields["files"]
    if not is_digests(files):
        raise ValueError(CHECKSUMS)
    return files


def derived_errors(place: FileStore, names: Iterable[str]) -> Iterator[str]:
    """The errors of the derived files, one line each; `names` are those that a finished folder has.

    Nothing without `checksums.json`: the folder is then not finished. OSError is passed on.
    """
    try:
        digests = read_checksums(place)
    except RunError as error:
        yield str(error).removeprefix(f"{place}/")
        return
    if digests is None:
        return
    for name in names:
        if name not in digests:
            yield f"{CHECKSUMS}: has no entry for {name}"
    yield from document_errors(place, digests)
