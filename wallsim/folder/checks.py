"""Checks that manifest, journal and files of a folder of results are consistent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any

from wallsim.errors import MOST_LISTED, InputError
from wallsim.experiment.chunks import MAX_CHUNK, ChunkLayout
from wallsim.folder.address import Folder
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.layout import JOURNAL, PartFile, is_digests, is_part, part_name
from wallsim.folder.local_files import FileStore

# Of a file that has the digest of its receipt, but not the contents: to every command that plays it seems whole.
PLAY_AGAIN = "no command mends that; delete the folder, and play it again with the command that started it"
_NUMBER = (int, float)
_TOWER_TEXTS = ("name", "source")  # descriptive entries of a tower in the manifest, which are not in the journal
# The required shape of every manifest: a type, several types, or an object with such entries.
COMMON_SHAPE: dict[str, Any] = {
    "format": int,
    "games": int,
    "seed": int,
    "rows": dict,
    "bytes": int,
    "board": {"folder": str, "digest": str, "assumed": list, "sources": list},
    "tower": {"name": str, "model": str, "source": str},
    "policies": list,
    "time": {
        "wall": _NUMBER,
        "cpu": _NUMBER,
        "engine_cpu": _NUMBER,
        "sessions": int,
        "compiling": _NUMBER,
        "workers": list,
    },
    "chunks": list,
    "files": list,
    "papers": dict,
}


def shape_errors(value: Any, shape: Any, place: str = "") -> Iterator[str]:
    """The paths of entries in a manifest that are missing or have the wrong type."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            yield place
            return
        for key, inner in shape.items():
            yield from shape_errors(value.get(key, ...), inner, f"{place}.{key}".lstrip("."))
    elif not isinstance(value, shape) or (isinstance(value, bool) and shape is not bool):
        yield place


def manifest_errors(manifest: Any, shape: dict[str, Any]) -> list[str]:
    """The paths of invalid entries in a manifest, such as `time.wall`; an empty list if it is valid."""
    if not isinstance(manifest, dict):
        return ["its outermost object"]
    errors = list(shape_errors(manifest, shape))
    if errors:
        return errors
    board = manifest["board"]
    texts = (*board["assumed"], *board["sources"])
    if not is_digests(manifest["papers"]) or not all(isinstance(text, str) for text in texts):
        errors.append("papers, board.assumed or board.sources")
    if not isinstance(board.get("name", ""), str):
        errors.append("board.name")
    if not all(type(workers) is int for workers in manifest["time"]["workers"]):
        errors.append("time.workers")
    return errors + [f"rows.{table}" for table, rows in manifest["rows"].items() if type(rows) is not int]


def differences(manifest: dict[str, Any], files: tuple[PartFile, ...], journal: Journal) -> Iterator[str]:
    """The differences between a valid manifest and the journal of the same folder, one line each."""
    facts = journal.identity
    records = [journal.records[number] for number in sorted(journal.records)]
    written = journal.parts()
    listed = {part.file: part for part in files}
    rows: Counter[str] = Counter()
    for part in written.values():
        rows[part.table] += part.rows
    tower = {key: value for key, value in manifest["tower"].items() if key not in _TOWER_TEXTS}
    pairs = (
        ("format", manifest["format"], journal.header.format if journal.header else None),
        ("experiment.hash", manifest["experiment"]["hash"], journal.header.hash if journal.header else None),
        ("experiment.identity", manifest["experiment"]["identity"], facts),
        ("engine_version", manifest.get("engine_version"), facts.get("engine_version")),
        ("games", manifest["games"], journal.header.games or manifest["games"] if journal.header else None),
        ("seed", manifest["seed"], facts.get("seed")),
        ("tower", tower, facts.get("tower")),
        ("board.digest", manifest["board"]["digest"], facts.get("board")),
        ("policies", manifest["policies"], facts.get("policies")),
        ("rows", manifest["rows"], dict(rows)),
        ("bytes", manifest["bytes"], sum(part.bytes for part in written.values())),
        ("chunks", manifest["chunks"], [{"chunk": r.chunk, "first": r.first, "games": r.games} for r in records]),
    )
    yield from (
        f"{key}: differs from the journal" for key, in_manifest, in_journal in pairs if in_manifest != in_journal
    )
    if len(listed) != len(files):
        yield "files: lists a file twice"
    for name in sorted({*written, *listed}):
        if name not in written:
            yield f"{name}: is not in the journal"
        elif name not in listed:
            yield f"{name}: is missing there, but is in the journal"
        elif written[name] != listed[name]:
            yield f"{name}: differs from the journal"


def journal_errors(journal: Journal, finished: Any) -> Iterator[str]:
    """Receipts that match no chunk, and chunks that a finished run lacks; `finished` is that run, or None."""
    if journal.header is None:
        return
    games = journal.header.games or (finished.manifest["games"] if finished else None)
    if games is None:
        return
    layout = ChunkLayout(games, journal.header.chunk, journal.header.first_chunk)
    fitting = {record.chunk for record in journal.fitting(layout)}
    for number in sorted(journal.records.keys() - fitting):
        yield f"{JOURNAL}: chunk {number}: does not belong to this run"
    if finished:
        missing = (number for number in range(layout.count) if number not in journal.records)
        yield from (f"{JOURNAL}: chunk {number}: is missing" for number in islice(missing, MOST_LISTED))


def gaps(manifest: dict[str, Any], files: Sequence[PartFile]) -> Iterator[str]:
    """What keeps the files of a manifest of the required shape from being all games, each once."""
    end, chunks = 0, manifest["chunks"]
    for chunk in chunks:
        whole = (chunk["chunk"], chunk["first"], chunk["games"])
        if (
            not all(type(number) is int for number in whole)
            or chunk["first"] != end
            or not 1 <= chunk["games"] <= MAX_CHUNK
        ):
            yield "chunks"
            return
        end += chunk["games"]
    if end != manifest["games"]:
        yield "chunks"
    parts: dict[str, list[PartFile]] = {}
    for part in files:
        parts.setdefault(part.table, []).append(part)
    for table, rows in manifest["rows"].items():
        own = parts.get(table, ())
        # As many files as chunks, before names are made of the chunks of every table that is stated.
        if len(own) != len(chunks) or sum(part.rows for part in own) != rows:
            yield f"files of {table}"
        elif {part.file for part in own} != {part_name(table, chunk["chunk"]) for chunk in chunks}:
            yield f"files of {table}"


def digests_of(papers: Mapping[str, str]) -> dict[str, str]:
    """The sha256 of documents by name, from their texts."""
    return {name: sha256(text.encode("utf-8", "surrogateescape")).hexdigest() for name, text in papers.items()}


def link_errors(place: FileStore, tables: Sequence[str]) -> Iterator[str]:
    """The folders of tables that are symbolic links, into which nothing is written."""
    yield from (f"{table}: is a symbolic link; remove it" for table in tables if place.is_link(table))


def obstacles(place: FileStore, tables: Sequence[str], names: Iterable[str]) -> Iterator[str]:
    """Folders of the names of files, and files of the names of tables' folders; nothing here removes them."""
    folders = set(place.folders())
    yield from (f"{name}: is a folder; remove it" for name in names if name in folders)
    for table in tables:
        if place.size(table) is not None:
            yield f"{table}: is not a folder; remove it"
        elif table in folders:
            inside = (f"{table}/{name}" for name in file_store(place.folder / table).folders())
            yield from (f"{name}: is a folder; remove it" for name in inside if is_part(name))


def document_errors(place: FileStore, digests: dict[str, str]) -> Iterator[str]:
    """The documents beside the tables that are missing or changed by their digests; OSError is passed on."""
    for name, digest in digests.items():
        if place.size(name) is None:
            yield f"{name}: is missing"
        elif place.digest(name) != digest:
            yield f"{name}: its bytes have changed"


def unknown_files(place: FileStore, tables: Sequence[str], files: tuple[PartFile, ...]) -> list[str]:
    """Parquet files in the tables' folders that the run did not write; OSError is passed on."""
    known = {part.file for part in files}
    there = [table for table in tables if not place.is_link(table)]
    return sorted(name for table in there for name in place.names(table, ".parquet") if name not in known)


def refuse_other_identity(place: FileStore | Folder, theirs: dict[str, Any], ours: dict[str, Any], what: str) -> None:
    """InputError with the differences between two identities, if any; `what` is the name of the contents."""
    if shown := differences_of(theirs, ours):
        raise InputError(f"{place}: contains another {what}: {shown}; choose another folder")


def differences_of(theirs: dict[str, Any], ours: dict[str, Any], here: str = "here") -> str:
    """The differences between two identities in words, empty if there are none; `here` is where the second one is."""
    different = [key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key)]
    return "; ".join(
        f"{key} is {_shortened(theirs.get(key))} there, {_shortened(ours.get(key))} {here}" for key in different
    )


def _shortened(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
