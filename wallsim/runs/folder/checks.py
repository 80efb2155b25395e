"""Whether the papers of a run folder agree: manifest, journal, `experiment.toml` and the files that lie there."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wallsim.policies.catalogue import is_policy_file
from wallsim.rules.board_check import SCHEMAS
from wallsim.rules.tower import is_tower_file
from wallsim.runs.chunks import Layout
from wallsim.runs.folder.commit import file_digest
from wallsim.runs.folder.store import BOARD, CODEBOOK, EXPERIMENT, HEADLINE, MANIFEST, Journal, PartFile

_NUMBER = (int, float)
_TOWER_TEXTS = ("name", "source")  # what a manifest tells of a tower beside its numbers
_TIME = {"wall": _NUMBER, "cpu": _NUMBER, "engine_cpu": _NUMBER, "sessions": int, "compiling": _NUMBER, "workers": list}
_FACTS = {
    "players": int,
    "setup": str,
    "lineups": list,
    "edition": str,
    "expansions": list,
    "policies": list,
    "games": int,
    "seed": int,
}
# What a manifest must have for the package to read it: a type, several, or an object with such entries.
_SHAPE: dict[str, Any] = {
    "experiment": {"name": (str, type(None)), "hash": str, "identity": _FACTS, "text": str},
    "games": int,
    "seed": int,
    "rows": dict,
    "bytes": int,
    "board": {"folder": str, "digest": str, "assumed": list, "sources": list},
    "tower": {"name": str, "model": str, "source": str},
    "policies": list,
    "time": _TIME,
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


def manifest_misfits(manifest: Any) -> list[str]:
    """The places in which a manifest cannot be read, as `time.wall`; an empty list if it can."""
    if not isinstance(manifest, dict):
        return ["its outermost object"]
    found = list(misfits(manifest, _SHAPE))
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
    head = journal.head or {"hash": None, "identity": {}, "chunk": 1}
    facts = head["identity"]
    receipts = [journal.receipts[number] for number in sorted(journal.receipts)]
    written = {part.file: part for receipt in receipts for part in receipt.files}
    listed = {part.file: part for part in files}
    rows: Counter[str] = Counter()
    for part in written.values():
        rows[part.table] += part.rows
    tower = {key: value for key, value in manifest["tower"].items() if key not in _TOWER_TEXTS}
    pairs = (
        ("experiment.hash", manifest["experiment"]["hash"], head["hash"]),
        ("experiment.identity", manifest["experiment"]["identity"], facts),
        ("engine_version", manifest.get("engine_version"), facts.get("engine_version")),
        ("games", manifest["games"], facts.get("games")),
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


def chunk_faults(journal: Journal, *, finished: bool) -> Iterator[str]:
    """Receipts that are not of this run's chunks, and chunks that a finished run lacks."""
    if journal.head is None:
        return
    layout = Layout.of_head(journal.head)
    for number, receipt in journal.receipts.items():
        if not 0 <= number < layout.count or (receipt.first, receipt.games) != layout.span(number):
            yield f"chunk {number}: is none of this run"
    if finished:
        for number in range(layout.count):
            if number not in journal.receipts:
                yield f"chunk {number}: is missing"


def paper_faults(folder: Path, manifest: dict[str, Any], claimed: str) -> Iterator[str]:
    """What is wrong with `experiment.toml`, the codebook and the copies of a board or tower; OSError passes."""
    papers: dict[str, str] = manifest["papers"]
    for name, digest in papers.items():
        if not (folder / name).is_file():
            yield f"{name}: is missing"
        elif file_digest(folder / name) != digest:
            yield f"{name}: its bytes have changed"
    text = manifest["experiment"]["text"]
    yield from (f"{MANIFEST}: papers: lacks {name}" for name in expected_papers(text) if name not in papers)
    if not text.startswith(f"{HEADLINE}{claimed}\n"):
        yield f"{MANIFEST}: experiment.text: is not that of this run"
    path = folder / EXPERIMENT
    if path.is_file() and path.read_bytes() != text.encode():
        yield f"{MANIFEST}: experiment.text: differs from {EXPERIMENT}"


def expected_papers(text: str) -> list[str]:
    """The files beside the tables that a run with this `experiment.toml` has."""
    try:
        values = tomllib.loads(text)
    except ValueError:
        values = {}
    names = [EXPERIMENT, CODEBOOK]
    if isinstance(tower := values.get("tower"), str) and is_tower_file(tower):
        names.append(tower)
    policies = values.get("policies")
    if isinstance(policies, list):
        names += [name for name in dict.fromkeys(policies) if isinstance(name, str) and is_policy_file(name)]
    return names + [f"{BOARD}/{file}" for file in SCHEMAS if "board" in values]


def strays(folder: Path, tables: list[str], files: tuple[PartFile, ...]) -> list[str]:
    """Parquet files in the tables' folders that the run did not write; OSError passes."""
    known = {part.file for part in files}
    lying = (f"{table}/{path.name}" for table in tables for path in (folder / table).glob("*.parquet"))
    return sorted(name for name in lying if name not in known)
