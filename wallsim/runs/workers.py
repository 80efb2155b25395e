"""The number of threads of a run, and the error that ends one of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from math import ceil, inf
from operator import index
from pathlib import Path
from typing import SupportsIndex

from wallsim.errors import InputError, WallsimError
from wallsim.runs.keys import shown

MAX_WORKERS = 1024
CPUS_OF_TASK = "SLURM_CPUS_PER_TASK"  # the variable in which a batch system says how many cores a task has
_SYSTEM = Path("/")  # of the files about cgroups
cluster_sizes: list[int] = []  # of the clusters in use, the last one first; `parallel` keeps it


class StoppedError(WallsimError):
    """Raised in a worker that must stop before its chunk is finished."""


def default_workers() -> int:
    """The number of cores that this process may use, or of those of the cluster in use."""
    if cluster_sizes:
        return min(MAX_WORKERS, max(1, cluster_sizes[-1]))
    return own_cores()


def own_cores() -> int:
    """The number of cores of this machine that this process may use.

    The least of its affinity, the quotas of its cgroups, rounded up, and what a batch system gives its task.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    task = os.environ.get(CPUS_OF_TASK, "")
    given = int(task) if task.isascii() and task.isdigit() and len(task) < 10 else 0
    return ceil(min(cores, given or cores, *_quotas()))


def _quotas() -> Iterator[float]:
    # joblib.cpu_count reads the outermost cgroup alone, as a container sees it, and not those of services and users.
    with suppress(OSError):
        for line in (_SYSTEM / "proc/self/cgroup").read_text("utf-8", "replace").splitlines():
            _, controllers, path = line.split(":", 2)
            if "cpu" in controllers.split(","):
                mounted = _SYSTEM / "sys/fs/cgroup/cpu"
            elif not controllers:  # the second version
                mounted = _SYSTEM / "sys/fs/cgroup"
            else:
                continue
            inner = mounted / path.strip("/")
            yield from (_quota(each) for each in (inner, *inner.parents) if each.is_relative_to(mounted))


def _quota(group: Path) -> float:
    # Microseconds of CPU time in a period, in one file or in two; infinite for "max", -1, and without a limit.
    for names in (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
        with suppress(OSError, ValueError, ZeroDivisionError):
            quota, period = " ".join((group / name).read_text("utf-8") for name in names).split()
            if int(quota) > 0:
                return int(quota) / int(period)
    return inf


def checked_workers(workers: int | None) -> int:
    """The requested number of workers, by default one per core; InputError outside 1 to MAX_WORKERS."""
    asked: object = default_workers() if workers is None else workers
    if not isinstance(asked, SupportsIndex) or not 1 <= index(asked) <= MAX_WORKERS:
        raise InputError(f"workers: {shown(asked)} is not a whole number from 1 to {MAX_WORKERS}")
    return index(asked)
