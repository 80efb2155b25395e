"""Whether the papers of a folder of results agree: manifest, journal, and the files that lie there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wallsim.runs.chunks import ChunkLayout
from wallsim.runs.folder.commit import file_digest
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.layout import PartFile

_NUMBER = (int, float)
_TOWER_TEXTS = ("name", "source")  # what a manifest tells of a tower beside its numbers
# What every manifest must have for the package to read it: a type, several, or an object with such entries.
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


def misfits(value: Any, shape: Any, place: str = "") -> Iterator[str]:
    """The places in a manifest that are missing or of another type than they must be."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            yield place
            return
        for key, inner in shape.items():
            yield from misfits(value.get(key, ...), inner, f"{place}.{key}".lstrip("."))
    elif not isinstance(value, shape) or (isinstance(value, bool) and shape is not bool):
        yield place


def manifest_misfits(manifest: Any, shape: dict[str, Any]) -> list[str]:
    """The places in which a manifest cannot be read, as `time.wall`; an empty list if it can."""
    if not isinstance(manifest, dict):
        return ["its outermost object"]
    found = list(misfits(manifest, shape))
    if found:
        return found
    board = manifest["board"]
    if not all(isinstance(text, str) for text in (*manifest["papers"].values(), *board["assumed"], *board["sources"])):
        found.append("papers, board.assumed or board.sources")
    if not all(type(workers) is int for workers in manifest["time"]["workers"]):
        found.append("time.workers")
    return found + [f"rows.{table}" for table, rows in manifest["rows"].items() if type(rows) is not int]


def differences(manifest: dict[str, Any], files: tuple[PartFile, ...], journal: Journal) -> Iterator[str]:
    """Where a manifest that can be read says other than the journal of the same folder, one line each."""
    facts = journal.identity
    receipts = [journal.receipts[number] for number in sorted(journal.receipts)]
    written = journal.parts()
    listed = {part.file: part for part in files}
    rows: Counter[str] = Counter()
    for part in written.values():
        rows[part.table] += part.rows
    tower = {key: value for key, value in manifest["tower"].items() if key not in _TOWER_TEXTS}
    pairs = (
        ("experiment.hash", manifest["experiment"]["hash"], journal.head["hash"] if journal.head else None),
        ("experiment.identity", manifest["experiment"]["identity"], facts),
        ("engine_version", manifest.get("engine_version"), facts.get("engine_version")),
        ("games", manifest["games"], manifest["games"] if is_open(facts) else facts.get("games")),
        ("seed", manifest["seed"], facts.get("seed")),
        ("tower", tower, facts.get("tower")),
        ("board.digest", manifest["board"]["digest"], facts.get("board")),
        ("policies", manifest["policies"], facts.get("policies")),
        ("rows", manifest["rows"], dict(rows)),
        ("bytes", manifest["bytes"], sum(part.bytes for part in written.values())),
        ("chunks", manifest["chunks"], [{"chunk": r.chunk, "first": r.first, "games": r.games} for r in receipts]),
    )
    yield from (f"{key}: differs from the journal" for key, ours, theirs in pairs if ours != theirs)
    if len(listed) != len(files):
        yield "files: names a file twice"
    for name in sorted({*written, *listed}):
        if name not in written:
            yield f"{name}: is not in the journal"
        elif name not in listed:
            yield f"{name}: is missing there, but is in the journal"
        elif written[name] != listed[name]:
            yield f"{name}: differs from the journal"


def is_open(facts: dict[str, Any]) -> bool:
    """Whether an identity leaves the number of games open, as that of a tournament, to which blocks may be added."""
    return bool(facts) and "games" not in facts


def chunk_faults(journal: Journal, games: int, *, finished: bool) -> Iterator[str]:
    """Receipts that are not of the chunks of a run with so many games, and chunks that a finished run lacks."""
    if journal.head is None:
        return
    layout = ChunkLayout.of_head(journal.head, games)
    for number, receipt in journal.receipts.items():
        if not 0 <= number < layout.count or (receipt.first, receipt.games) != layout.span(number):
            yield f"chunk {number}: is none of this run"
    if finished:
        for number in range(layout.count):
            if number not in journal.receipts:
                yield f"chunk {number}: is missing"


def paper_faults(folder: Path, papers: dict[str, str]) -> Iterator[str]:
    """Which of the files beside the tables are missing or changed, by the digests in a manifest; OSError passes."""
    for name, digest in papers.items():
        if not (folder / name).is_file():
            yield f"{name}: is missing"
        elif file_digest(folder / name) != digest:
            yield f"{name}: its bytes have changed"


def strays(folder: Path, tables: list[str], files: tuple[PartFile, ...]) -> list[str]:
    """Parquet files in the tables' folders that the run did not write; OSError passes."""
    known = {part.file for part in files}
    lying = (f"{table}/{path.name}" for table in tables for path in (folder / table).glob("*.parquet"))
    return sorted(name for name in lying if name not in known)
