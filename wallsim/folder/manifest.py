"""The manifest of a folder of results, its last file: reading it, and comparing it with the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from wallsim.errors import InputError, RunError
from wallsim.experiment.chunks import MAX_CHUNK, MAX_CHUNKS
from wallsim.folder.checksummed_json import SealError, is_sealed_document, read_sealed_document
from wallsim.folder.journal import ChunkRecord, Journal
from wallsim.folder.layout import MANIFEST, PartFile, files_of, is_digests, part_name, refuse_other_format
from wallsim.folder.local_files import FileStore, NoAnswerError
from wallsim.rules.files import read_json

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


def read_manifest(place: FileStore, data: bytes, shape: dict[str, Any]) -> tuple[Any, tuple[PartFile, ...], list[str]]:
    """A manifest by its bytes, its files, and its errors; InputError for another format."""
    errors: list[str] = []
    sealed = is_sealed_document(data)
    try:
        manifest = read_sealed_document(data)
    except SealError as error:
        try:
            manifest = read_json(data)
        except ValueError:
            return {}, (), ["its JSON"]
        errors.append(str(error))
    # A flipped bit in the number leaves the seal, which is then wrong; earlier formats had none.
    if isinstance(manifest, dict) and type(manifest.get("format")) is int and not (sealed and errors):
        refuse_other_format(place, manifest["format"])
    try:
        errors = errors or manifest_errors(manifest, shape)
        files = files_of(manifest) if not errors else ()
        errors = errors or [*gaps(manifest, files)]
    except (ValueError, KeyError, TypeError):
        return manifest, (), ["files"]
    return manifest, files, errors


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


def sealed_manifest(place: FileStore) -> dict[str, Any]:
    """The manifest of a folder if it is whole, otherwise nothing; NoAnswerError if that is unknown."""
    try:
        return read_sealed_document(place.read(MANIFEST))
    except NoAnswerError:
        raise
    except (OSError, RunError):
        return {}


def receipts_of_manifest(place: FileStore, hash_: str) -> list[ChunkRecord]:
    """Receipts for the chunks of a manifest, if it is whole and of the run with this hash; they have no times.

    From them a lost journal is begun again.
    """
    try:
        manifest, parts, errors = read_manifest(place, place.read(MANIFEST), COMMON_SHAPE)
        if errors or manifest["experiment"]["hash"] != hash_:
            return []
        files = {part.file: part for part in parts}
        tables, played_by = [*manifest["rows"]], _played_by(manifest.get("versions", ()))
        return [
            ChunkRecord(
                chunk["chunk"], chunk["first"], chunk["games"],
                tuple(files[part_name(table, chunk["chunk"])] for table in tables), 0.0,
                versions=played_by.get(chunk["chunk"], ""),
            )
            for chunk in manifest["chunks"]
        ]  # fmt: skip
    except NoAnswerError:
        raise
    except (OSError, InputError, RunError, ValueError, KeyError, TypeError):
        return []


def _played_by(versions: Any) -> dict[int, str]:
    # The digest of the versions that played each chunk; ValueError for more chunks than a folder can have.
    result: dict[int, str] = {}
    left = MAX_CHUNKS
    for entry in versions:
        for first, last in entry["chunks"]:
            left -= last - first + 1
            if not 0 <= first <= last or left < 0:
                raise ValueError(f"chunks {first} to {last}")
            if entry["digest"]:
                result |= dict.fromkeys(range(first, last + 1), str(entry["digest"]))
    return result
