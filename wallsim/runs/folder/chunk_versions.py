"""Which versions played the chunks of a folder.

Each receipt has a digest of them; the log and the manifest have the versions themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from wallsim.errors import RunError
from wallsim.runs.folder.checksummed_json import SealError, read_sealed_line
from wallsim.runs.folder.journal import ChunkRecord
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.log import LOG, Log
from wallsim.runs.folder.lost_journal import sealed_manifest
from wallsim.runs.versions import Versions, versions, versions_digest

_OURS = ("digest", "chunks")  # keys of an entry of the manifest that are no versions


def played_by(place: FileStore, records: Iterable[ChunkRecord]) -> list[dict[str, Any]]:
    """The entry `versions` of a manifest: a digest of each, its chunks as ranges, and the versions by name.

    The digest is None for receipts of earlier versions of wallsim, which did not name any. The versions are left out
    if neither the log nor an earlier manifest has them.
    """
    ranges: dict[str, list[list[int]]] = {}
    for record in sorted(records, key=lambda record: record.chunk):
        spans = ranges.setdefault(record.versions, [])
        if spans and spans[-1][1] == record.chunk - 1:
            spans[-1][1] = record.chunk
        else:
            spans.append([record.chunk, record.chunk])
    own = versions()
    known = {**recorded_versions(place), versions_digest(own): own}
    return [{"digest": digest or None, "chunks": spans, **known.get(digest, {})} for digest, spans in ranges.items()]


def recorded_versions(place: FileStore) -> dict[str, Versions]:
    """The versions that the log and the manifest of a folder name, by digest."""
    return {versions_digest(each): each for each in (*_of_manifest(place), *_of_log(place))}


def log_merged_versions(log: Log, sources: Iterable[FileStore]) -> None:
    """Record in the log of a folder which versions played in the folders that were merged into it."""
    result: dict[str, Versions] = {}
    for source in sources:
        result |= recorded_versions(source)
    log.write("merged", versions=list(result.values()))


def _of_manifest(place: FileStore) -> Iterator[Versions]:
    with suppress(OSError):
        entries = sealed_manifest(place).get("versions")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                yield from _texts({key: value for key, value in entry.items() if key not in _OURS})


def _of_log(place: FileStore) -> Iterator[Versions]:
    try:
        lines = place.read(LOG).split(b"\n")
    except (OSError, RunError):
        return
    for line in lines:
        try:
            result = read_sealed_line(line).get("versions")
        except SealError:
            continue
        for each in result if isinstance(result, list) else [result]:
            yield from _texts(each)


def _texts(entry: Any) -> Iterator[Versions]:
    if isinstance(entry, dict) and entry and all(isinstance(value, str) for value in entry.values()):
        yield entry
