"""How many threads a run may use."""

from __future__ import annotations

import os

from wallsim.errors import InputError

MAX_WORKERS = 1024


def default_workers() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def known_workers(workers: int | None) -> int:
    """The number of workers asked for, by default one per core; InputError for an absurd one."""
    workers = default_workers() if workers is None else workers
    if not 1 <= workers <= MAX_WORKERS:
        raise InputError(f"workers: {workers} is not a whole number from 1 to {MAX_WORKERS}")
    return workers
