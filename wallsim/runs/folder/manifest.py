"""The manifest of a finished run: what was played, the software, the files, and the times.

Each receipt of a chunk has a digest of the versions that played it; log and manifest have the versions themselves.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from wallsim.errors import RunError
from wallsim.runs.components import Components
from wallsim.runs.folder.checksummed_json import SealError, read_sealed_line
from wallsim.runs.folder.journal import ChunkRecord
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.log import LOG, Log
from wallsim.runs.folder.lost_journal import sealed_manifest
from wallsim.runs.folder.store import ChunkStore
from wallsim.runs.versions import Versions, package_version, versions, versions_digest

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


PACKAGES = ("wallsim", "numpy", "numba", "llvmlite", "polars", "joblib", "pydantic")


def common_facts(store: ChunkStore, parts: Components, board: str, games: int) -> dict[str, Any]:
    """The entries of every manifest about table, software, time and files; `board` names the board's folder.

    They are about the chunks with the first `games` games.
    """
    records = [store.records[chunk] for chunk in range(replace(store.layout, games=games).count)]
    files = [part for record in records for part in record.files]
    return {
        "rows": {table: sum(part.rows for part in files if part.table == table) for table in store.tables},
        "bytes": sum(part.bytes for part in files),
        **facts_of(parts, board),
        "versions": played_by(store.place, records),
        "packages": {name: package_version(name) for name in PACKAGES},
        "platform": {
            "python": platform.python_version(),
            "system": platform.platform(),
            "machine": platform.machine(),
            "cpus": os.cpu_count(),
        },
        "time": run_time(store.history),
        "chunks": [{"chunk": r.chunk, "first": r.first, "games": r.games} for r in records],
        "files": [
            {"file": p.file, "table": p.table, "rows": p.rows, "bytes": p.bytes, "sha256": p.sha256} for p in files
        ],
    }


def facts_of(parts: Components, board: str) -> dict[str, Any]:
    """The entries of a manifest about board and tower; `board` names the board's folder."""
    return {
        "board": {
            "folder": board,
            "name": parts.board.name,
            "digest": parts.board.digest,
            "assumed": parts.assumed(),
            "sources": parts.sources(),
        },
        "tower": {"name": parts.tower.name, **parts.tower.numbers(), "source": parts.tower.source},
    }


def run_time(history: list[ChunkRecord]) -> dict[str, Any]:
    """Wall and CPU seconds of a run over all its sessions, and the CPU seconds inside the engine.

    A session is counted up to its last finished chunk; the wall seconds of `compiling` come in addition. `workers` has
    each number of workers once, in the order of `by_session`.
    """
    last = {record.session: record for record in history}
    return {
        "wall": round(sum(record.wall for record in last.values()), 3),
        "cpu": round(sum(record.cpu for record in last.values()), 3),
        "engine_cpu": round(sum(record.engine_cpu for record in history), 3),
        "compiling": round(sum(record.compiling for record in last.values()), 3),
        "workers": list(dict.fromkeys(record.workers for record in last.values())),
        "sessions": len(last),
        "by_session": [
            {"wall": r.wall, "cpu": r.cpu, "workers": r.workers, "compiling": r.compiling} for r in last.values()
        ],
    }
