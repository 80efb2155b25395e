"""The folder of a run while it is played: the documents beside its tables, and its manifest.

A manifest says what was played, with which software, the files, and the times. Each receipt of a chunk has a digest of
the versions that played it; log and manifest have the versions themselves.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from wallsim.engine.version import ENGINE_VERSION
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment, identity
from wallsim.experiment.file import experiment_text
from wallsim.experiment.versions import Versions, package_version, versions, versions_digest
from wallsim.folder.journal import ChunkRecord
from wallsim.folder.layout import AS_SHIPPED, BOARD, CODEBOOK, EXPERIMENT, HEADLINE, POLICIES
from wallsim.folder.local_files import FileStore
from wallsim.folder.log import Log, entries
from wallsim.folder.manifest import sealed_manifest
from wallsim.folder.schema import TABLES, codebook_text, tables_of, vocabulary
from wallsim.folder.store import ChunkStore, Slice
from wallsim.policies.policy import Policy, is_policy_file
from wallsim.rules.board_check import board_copy
from wallsim.rules.files import read_input
from wallsim.rules.tower import is_tower_file

_OURS = ("digest", "chunks")  # keys of an entry of the manifest that are no versions
PACKAGES = ("wallsim", "numpy", "numba", "llvmlite", "polars", "joblib", "pydantic")


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
    with suppress(OSError):
        for line in entries(place):
            result = line.get("versions")
            for each in result if isinstance(result, list) else [result]:
                yield from _texts(each)


def _texts(entry: Any) -> Iterator[Versions]:
    if isinstance(entry, dict) and entry and all(isinstance(value, str) for value in entry.values()):
        yield entry


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


def tower_copy(parts: Components) -> str:
    """The name of the copy of a custom tower."""
    return f"tower-{parts.tower.name.removeprefix('tower-')}.toml"


def copied_files(table: Experiment, parts: Components, policies: Mapping[str, Policy]) -> dict[str, bytes]:
    """Copies of a custom tower, of custom policies by the names of their copies, and of a custom board, by name."""
    files = {tower_copy(parts): read_input(Path(table.tower))} if is_tower_file(table.tower) else {}
    # The bytes of policies that are played, even if the file has changed since.
    files |= {name: policy.source for name, policy in policies.items()}
    if table.board is not None:
        files |= {f"{BOARD}/{file}": data for file, data in board_copy(table.board).items()}
    return files


class Store(ChunkStore):
    """The folder of a run, locked for writing."""

    what, all_tables = "experiment", TABLES

    def __init__(
        self,
        place: FileStore,
        experiment: Experiment,
        parts: Components,
        *,
        slice_: Slice | None = None,
        grows: bool = False,
    ) -> None:
        """Lock a folder for an experiment; the arguments and errors are those of ChunkStore."""
        self._experiment, self._parts = experiment, parts
        facts, layout = identity(experiment, parts), experiment.layout()
        super().__init__(place, facts, tables_of(experiment), layout, experiment.name, slice_=slice_, grows=grows)

    def documents(self) -> dict[str, bytes]:
        """Experiment and codebook, and copies of a custom tower, of custom policies and of a custom board."""
        experiment, parts = self._experiment, self._parts
        tower = tower_copy(parts) if is_tower_file(experiment.tower) else None
        board = BOARD if experiment.board is not None else None
        copies = {name: f"{POLICIES}/{Path(name).name}" for name in experiment.policies if is_policy_file(name)}
        text = experiment_text(experiment, tower=tower, board=board, policies=copies)
        seats = zip(experiment.policies, parts.policies, strict=True)
        return {
            EXPERIMENT: f"{HEADLINE}{self.hash}\n{text}".encode(),
            CODEBOOK: codebook_text(vocabulary(parts, experiment.columns, self.form), self.tables).encode(),
            **copied_files(experiment, parts, {copies[name]: policy for name, policy in seats if name in copies}),
        }

    def manifest(self, games: int) -> dict[str, Any]:
        """The manifest of the folder's first `games` games, whose chunks are all finished."""
        # What was written, not what lies there by now.
        text = self.header.papers.get(EXPERIMENT) or self.place.read(EXPERIMENT).decode("utf-8", "replace")
        return {
            "format": self.header.format,
            "experiment": {
                "name": self._experiment.name,
                "hash": self.header.hash,
                "identity": self.header.identity,
                "text": text,
            },
            "engine_version": ENGINE_VERSION,
            "seed": self._experiment.seed,
            "games": games,
            "looks": [*self.header.looks, games],
            "grows": self.header.grows,
            "policies": self.identity["policies"],
            **common_facts(self, self._parts, BOARD if self._experiment.board is not None else AS_SHIPPED, games),
            "papers": self.document_digests(),
        }
