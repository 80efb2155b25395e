"""The manifest of a finished run: what was played, the software, the files, and the times."""

from __future__ import annotations

import os
import platform
from dataclasses import replace
from typing import Any

from wallsim.engine.version import ENGINE_VERSION
from wallsim.runs.components import Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.chunk_versions import played_by
from wallsim.runs.folder.journal import ChunkRecord
from wallsim.runs.folder.layout import AS_SHIPPED, BOARD, EXPERIMENT
from wallsim.runs.folder.store import ChunkStore
from wallsim.runs.versions import package_version as package_version

PACKAGES = ("wallsim", "numpy", "numba", "llvmlite", "polars", "joblib", "pydantic")


def make_manifest(store: ChunkStore, experiment: Experiment, parts: Components, games: int) -> dict[str, Any]:
    """The manifest of the first `games` games of a run, whose chunks are all finished."""
    # What was written, not what lies there by now.
    text = store.header.papers.get(EXPERIMENT) or store.place.read(EXPERIMENT).decode("utf-8", "replace")
    return {
        "format": store.header.format,
        "experiment": {
            "name": experiment.name,
            "hash": store.header.hash,
            "identity": store.header.identity,
            "text": text,
        },
        "engine_version": ENGINE_VERSION,
        "seed": experiment.seed,
        "games": games,
        "looks": [*store.header.looks, games],
        "grows": store.header.grows,
        "policies": store.identity["policies"],
        **common_facts(store, parts, BOARD if experiment.board is not None else AS_SHIPPED, games),
        "papers": store.document_digests(),
    }


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
        "tower": {
            "name": parts.tower.name,
            **parts.tower.numbers(),
            "source": parts.tower.source,
        },
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
