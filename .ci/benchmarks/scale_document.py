"""The JSON document of `.ci/bench scale`."""

from __future__ import annotations

from typing import Any

from benchmarks.cluster import Cluster, on_cluster
from benchmarks.records import Crash, Played, Samples, Scale
from benchmarks.scale_tables import steps_of


def scale_document(scale: Scale, cores: int) -> dict[str, Any]:
    """The same measurements as the document of `--json`: bytes, seconds, and None for what was too short to tell."""
    clusters = [on_cluster(scale, policy, cores) for policy in scale.plan.policies]
    return {
        "machine": scale.machine,
        "samples": scale.plan.samples,
        "games": [_played(row) for row in scale.games],
        "chunks": [_played(row) for row in scale.chunks],
        "workers": [_played(row) for row in scale.workers],
        "slices": [
            {
                "policy": row.policy, "games": row.games, "slices": row.slices, **_taken(row.taken, row.games),
                "gather_seconds": row.gathered.used.wall, "gather_cpu_seconds": row.gathered.used.cpu,
                "gathered_per_cpu_second": row.gathering, "same_bytes": row.same,
            }
            for row in scale.slices
        ],
        "crashes": [_crash(row) for row in scale.crashes],
        "bytes_a_game": [{"policy": row.policy, "games": row.games, "tables": row.tables} for row in scale.tables],
        "verify": [
            {
                "policy": row.policy, "games": row.games, "bytes": row.contents.bytes,
                "seconds": row.taken.used.wall, "cpu_seconds": row.taken.used.cpu, "bytes_per_cpu_second": row.speed,
                "digested_per_cpu_second": row.digests,
            }
            for row in scale.checks
        ],
        "cluster": [_cluster(cluster) for cluster in clusters if cluster is not None],
    }  # fmt: skip


def _taken(taken: Samples, games: int) -> dict[str, Any]:
    return {
        "seconds": taken.used.wall,
        "cpu_seconds": taken.used.cpu,
        "start_seconds": taken.start.wall,
        "start_cpu_seconds": taken.start.cpu,
        "games_per_second": taken.a_second(games),
        "games_per_cpu_second": taken.a_cpu_second(games),
        "peak_bytes": taken.used.memory,
        "samples": taken.samples,
    }


def _played(row: Played) -> dict[str, Any]:
    return {
        "policy": row.policy,
        "games": row.games,
        "chunk": row.chunk,
        "workers": row.workers,
        **_taken(row.taken, row.games),
        "bytes": row.contents.bytes,
        "chunks": row.contents.chunks,
        "files": row.contents.files,
        "journal_bytes": row.contents.journal,
        "manifest_bytes": row.contents.manifest,
    }


def _crash(row: Crash) -> dict[str, Any]:
    return {
        "policy": row.policy,
        "games": row.games,
        "workers": row.workers,
        "games_kept": row.interruption.stored,
        "games_under_way": row.interruption.under_way,
        "lost_seconds": row.lost_wall,
        "lost_cpu_seconds": row.lost_cpu,
        "start_cpu_seconds": row.start.cpu,
        "undisturbed": row.undisturbed,
        "killed": row.killed,
        "resumed": row.resumed,
        "same_bytes": row.same,
    }


def _cluster(cluster: Cluster) -> dict[str, Any]:
    return {
        "policy": cluster.policy,
        "games": cluster.games,
        "cores": cluster.cores,
        "games_per_cpu_second": cluster.speed,
        "cpu_hours": cluster.cpu_hours,
        "hours": cluster.hours,
        "bytes": cluster.bytes,
        "chunks": cluster.chunks,
        "files": cluster.files,
        "receipt_bytes": cluster.receipts,
        "gather_cpu_hours": cluster.gathering_hours,
        "verify_cpu_hours": cluster.checking_hours,
        "steps": [dict(zip(("step", "from", "result"), step, strict=True)) for step in steps_of(cluster)],
    }
