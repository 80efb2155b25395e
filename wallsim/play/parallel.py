"""The one function for parallel work: tasks go to threads of this process, or to the cluster that is in use.

Compiled games release the interpreter lock, so on one machine threads are enough; here is also how many there are. A
cluster is in use inside `dask_cluster` (`wallsim ... --dask ADDRESS`), or where a caller has chosen a backend of joblib
for other processes:

    with joblib.parallel_config(backend="dask"):
        wallsim.play(experiment, "results/here")

There functions and arguments are sent to worker processes and results come back; nothing is written by the workers.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from math import ceil, inf
from operator import index
from pathlib import Path
from typing import Any, Protocol, SupportsIndex, TypeVar

from wallsim.errors import InputError, WallsimError
from wallsim.experiment.keys import shown
from wallsim.experiment.versions import versions
from wallsim.play.dask_cluster import DaskCluster, dask_client
from wallsim.play.sent_tasks import Failed, Named, SentFunction, do_task, named

MAX_WORKERS = 1024
CPUS_OF_TASK = "SLURM_CPUS_PER_TASK"  # the variable in which a batch system says how many cores a task has
_SYSTEM = Path("/")  # of the files about cgroups
cluster_sizes: list[int] = []  # of the clusters in use, the last one counts


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


Result = TypeVar("Result")
_AHEAD = 2  # tasks for each process that go out at once where results come back in lists


class Cluster(Protocol):
    """Other processes that play."""

    @property
    def size(self) -> int:
        """The number of tasks that are played at the same time."""
        ...

    def results(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool) -> Iterator[Any]:
        """What `function` returns for each task, in their order or as they finish."""
        ...

    can_leave_out: bool  # whether `leave_out` works

    def named_results(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Named]:
        """The same as they finish, each with the name of the worker."""
        ...

    def leave_out(self, worker: str) -> None:
        """Send no more tasks to a worker."""
        ...


_in_use: list[Cluster] = []  # the last one counts; threads share it, unlike joblib's own setting


def cluster() -> Cluster | None:
    """The cluster that is in use; None for threads."""
    if _in_use:
        return _in_use[-1]
    if "joblib" not in sys.modules:  # nobody has chosen a backend of it, and its import takes longer than a game
        return None
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend(prefer="threads")
    if getattr(backend, "supports_sharedmem", False) or getattr(backend, "uses_threads", False):
        return None
    client = getattr(backend, "client", None)
    return _JoblibProcesses() if client is None else DaskCluster(client)


def on_cluster() -> bool:
    """Whether tasks are sent to other processes."""
    return cluster() is not None


def cluster_size() -> int:
    """The number of tasks that the cluster in use plays at the same time; 0 without one."""
    active = cluster()
    return 0 if active is None else active.size


def in_parallel(
    function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], workers: int, *, ordered: bool = True
) -> Iterator[Result]:
    """What `function` returns for the arguments of each task: in their order, or as they finish.

    `workers` is the number of threads; a cluster uses all of its own. For a cluster `function` may be large, since it
    is sent to each process once, while arguments should be small. Exceptions of tasks are passed on; ClusterError if
    the cluster is lost.
    """
    active = cluster()
    if active is not None:
        yield from active.results(function, tasks, ordered)
        return
    if workers == 1:
        yield from _one_by_one(function, tasks)
        return
    from joblib import Parallel, delayed

    how = "generator" if ordered else "generator_unordered"
    # A new task starts when another ends, even if the result has not been fetched yet.
    pool: Any = Parallel(n_jobs=workers, backend="threading", batch_size=1, pre_dispatch="n_jobs", return_as=how)
    yield from pool(delayed(function)(*task) for task in tasks)


def _one_by_one(function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Result]:
    # In a thread as well, unlike joblib: where a signal interrupts the code of another library, in polars say, that one
    # goes on without a word or fails with an error of its own. Waiting is interrupted cleanly.
    thread = ThreadPoolExecutor(1)
    try:
        for task in tasks:
            yield thread.submit(function, *task).result()
    finally:
        thread.shutdown(wait=False)


class _JoblibProcesses:
    """The processes of the backend of joblib that is active, such as Ray's: results come back in lists."""

    can_leave_out = False  # joblib chooses who does a task

    @property
    def size(self) -> int:
        return int(self._pool()._effective_n_jobs())

    @staticmethod
    def _pool() -> Any:
        from joblib import Parallel
        from joblib.parallel import get_active_backend

        _, count = get_active_backend(prefer="threads")
        return Parallel(n_jobs=-1 if count in (None, 1) else count, prefer="threads", batch_size=1)

    def results(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool) -> Iterator[Any]:
        from joblib import delayed

        digest, data = SentFunction.of(function)
        rest, at_once = iter(tasks), _AHEAD * self.size
        while batch := list(islice(rest, at_once)):
            sent = (delayed(do_task)(versions(), digest, data, pickle.dumps(task)) for task in batch)
            for result in self._pool()(sent):
                if isinstance(result, Failed):
                    raise result.error
                yield result

    def named_results(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Named]:
        return self.results(partial(named, function), tasks, ordered=False)

    def leave_out(self, worker: str) -> None:
        raise NotImplementedError


@contextmanager
def dask_cluster(address: str | None) -> Iterator[None]:
    """Send tasks to the workers of the Dask scheduler at `address`, such as tcp://10.0.0.1:8786; None for threads.

    InputError without the package `distributed`, and if no scheduler with workers answers.
    """
    if address is None:
        yield
        return
    with dask_client(address) as client:
        active = DaskCluster(client)
        _in_use.append(active)
        cluster_sizes.append(active.size)
        try:
            yield
        finally:
            cluster_sizes.pop()
            _in_use.remove(active)
