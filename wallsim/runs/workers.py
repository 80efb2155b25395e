"""The number of threads of a run, and the error that ends one of them."""

from __future__ import annotations

import os
from operator import index
from typing import SupportsIndex

from wallsim.errors import InputError, WallsimError
from wallsim.runs.quotation import shown

MAX_WORKERS = 1024
cluster_sizes: list[int] = []  # of the clusters in use, the last one first; `parallel` keeps it


class StoppedError(WallsimError):
    """Raised in a worker that must stop before its chunk is finished."""


def default_workers() -> int:
    """The number of cores that this process may use, or of those of the cluster in use."""
    if cluster_sizes:
        return min(MAX_WORKERS, max(1, cluster_sizes[-1]))
    return own_cores()


def own_cores() -> int:
    """The number of cores of this machine that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_workers(workers: int | None) -> int:
    """The requested number of workers, by default one per core; InputError outside 1 to MAX_WORKERS."""
    asked: object = default_workers() if workers is None else workers
    if not isinstance(asked, SupportsIndex) or not 1 <= index(asked) <= MAX_WORKERS:
        raise InputError(f"workers: {shown(asked)} is not a whole number from 1 to {MAX_WORKERS}")
    return index(asked)
