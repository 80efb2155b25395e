"""A Dask cluster: tasks go to its scheduler, a few for each of its threads, and results come back one by one.

The scheduler gives the tasks of a worker that was lost to others. joblib's own bridge to Dask is not used: it would
fetch results faster than they are written, play here where the cluster has one thread, and wait indefinitely for a
scheduler that was lost.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from wallsim.errors import InputError, how_to_install
from wallsim.experiment.versions import versions
from wallsim.play.sent_tasks import ClusterError, Failed, Lacking, Named, SentFunction, do_task

_AHEAD = 2  # tasks that are sent for each thread of the cluster, so that none waits for the next
_BUFFERED = 4  # results for each thread that may wait for an earlier one
_SECONDS_TO_CONNECT = 10
_SECONDS_TO_WAIT = 1.0  # for a result, before the cluster is looked at
_SECONDS_OF_SIZE = 5.0  # how long the number of threads is taken to be the same
_SECONDS_WITHOUT_WORKERS = 300.0  # before the cluster is given up: a queue may start new ones
_RESUME = "finished work is stored, and the same command resumes"
_LEFT_OUT: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()  # the workers that get no tasks, by client


class DaskCluster:
    """The workers behind a client of Dask. Threads may share it."""

    can_leave_out = True

    def __init__(self, client: Any) -> None:
        """`client` is a `distributed.Client`."""
        self._client = client
        self._left_out = _LEFT_OUT.setdefault(client, set())
        self._threads, self._asked = 0, -_SECONDS_OF_SIZE
        self._sent: set[str] = set()  # functions that went to some worker

    @property
    def size(self) -> int:
        """The number of tasks that are played at the same time; at least 1, since workers may come later."""
        return max(1, self._size())

    def _size(self) -> int:
        now = time.monotonic()
        if now - self._asked >= _SECONDS_OF_SIZE:
            threads = self._client.ncores().items()
            self._threads = sum(count for worker, count in threads if worker not in self._left_out)
            self._asked = now
        return self._threads

    def leave_out(self, worker: str) -> None:
        """Send no more tasks to a worker, by its address; what it has played for `named_results` is sent to others."""
        self._left_out.add(worker)
        self._asked = -_SECONDS_OF_SIZE

    def results(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool) -> Iterator[Any]:
        """What `function` returns for each task; ClusterError if the cluster is lost. Errors of tasks are passed on."""
        return self._results(function, tasks, ordered=ordered, named=False)

    def named_results(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Named]:
        """The same as they finish, each with the address of its worker, as the scheduler knows it."""
        return self._results(function, tasks, ordered=False, named=True)

    def _results(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], *, ordered: bool, named: bool
    ) -> Iterator[Any]:
        call = _Call(self._client, SentFunction.of(function), self._left_out, named)
        numbered, following = enumerate(tasks), 0
        done: dict[int, Any] = {}
        try:
            while True:
                room = _AHEAD * self.size - len(call.waiting) if len(done) < _BUFFERED * self.size else 0
                for number, task in islice(numbered, max(0, room)):
                    call.send(number, pickle.dumps(task), with_function=call.function.digest not in self._sent)
                if not call.waiting:
                    return
                number, result = call.next(partial(self._wait_for_workers, call))
                self._sent.add(call.function.digest)
                if not ordered:
                    yield result
                    continue
                done[number] = result
                while following in done:
                    yield done.pop(following)
                    following += 1
        finally:
            call.cancel()

    def _wait_for_workers(self, call: _Call, since: float) -> None:
        # Called while nothing comes back, with the time since when.
        if self._client.status != "running":
            raise ClusterError(f"the Dask scheduler was lost; {_RESUME}")
        call.send_stranded_again()
        if time.monotonic() - since >= _SECONDS_WITHOUT_WORKERS and not self._size():
            raise ClusterError(f"the Dask cluster has had no workers for some minutes; {_RESUME}")


class _Task(NamedTuple):
    """A task that is with the scheduler: its future, number and arguments, and the workers that may do it, or any."""

    future: Any
    number: int
    arguments: bytes
    workers: frozenset[str] | None


class _Call:
    """The tasks of one function that are with the scheduler."""

    def __init__(self, client: Any, function: SentFunction, left_out: set[str], named: bool) -> None:
        self._client, self.function, self._left_out, self._named = client, function, left_out, named
        self.waiting: dict[str, _Task] = {}  # by key
        self._finished: SimpleQueue[Any] = SimpleQueue()

    def send(self, number: int, arguments: bytes, *, with_function: bool) -> None:
        data = self.function.data if with_function else None
        with _errors_of_cluster():
            workers = self._others() if self._left_out else None
            task = (versions(), self.function.digest, data, arguments)
            future = self._client.submit(do_task, *task, pure=False, workers=workers and sorted(workers))
        self.waiting[future.key] = _Task(future, number, arguments, workers)
        future.add_done_callback(self._finished.put)

    def _others(self) -> frozenset[str]:
        # Where some workers are left out, tasks must name those that may do them.
        alive = frozenset(self._client.ncores()) - self._left_out
        if not alive:
            raise ClusterError(
                f"no worker of the Dask cluster is left: {', '.join(sorted(self._left_out))} returned other bytes than "
                "this machine plays; compare the installations, or play without the cluster"
            )
        return alive

    def send_stranded_again(self) -> None:
        """Send tasks again whose named workers have all gone; the scheduler would wait for them."""
        if not any(task.workers for task in self.waiting.values()):
            return
        with _errors_of_cluster():
            there = frozenset(self._client.ncores())
        for key, task in [*self.waiting.items()]:
            if task.workers is not None and not task.workers & there:
                del self.waiting[key]
                task.future.cancel()
                self.send(task.number, task.arguments, with_function=True)

    def next(self, idle: Callable[[float], None]) -> tuple[int, Any]:
        """The number of a task that has finished, and its result."""
        since = time.monotonic()
        while True:
            try:
                future = self._finished.get(timeout=_SECONDS_TO_WAIT)
            except Empty:
                idle(since)
                continue
            if future.key not in self.waiting:  # it was sent again
                continue
            with _errors_of_cluster():
                result = _result_of(future)
            if result is _LOST:  # the scheduler has the task done again, once there are workers
                future.add_done_callback(self._finished.put)
                idle(since)
                continue
            _, number, arguments, _ = self.waiting.pop(future.key)
            with _errors_of_cluster():
                worker = self._worker_of(future) if self._named else ""
            if result is Lacking.FUNCTION or worker in self._left_out or (self._named and not worker):
                self.send(number, arguments, with_function=True)
            elif isinstance(result, Failed):
                raise result.error
            else:
                return number, Named(worker, result) if self._named else result

    def _worker_of(self, future: Any) -> str:
        # Empty if it was lost meanwhile. The scheduler says it; the worker might say anything.
        return str(next(iter(self._client.who_has([future]).get(future.key, ())), ""))

    def cancel(self) -> None:
        # Workers end the tasks that they play; nobody waits for them.
        if self.waiting and self._client.status == "running":
            with suppress(Exception):
                self._client.cancel([task.future for task in self.waiting.values()])


_LOST = object()


def _result_of(future: Any) -> Any:
    """The result of a finished future, or _LOST if it was lost together with its worker."""
    while True:
        try:
            return future.result(timeout=_SECONDS_TO_WAIT)
        except TimeoutError:
            if future.status != "finished":
                return _LOST


@contextmanager
def _errors_of_cluster() -> Iterator[None]:
    # `do_task` returns the errors of tasks, so whatever is raised is of the cluster.
    try:
        yield
    except ClusterError:
        raise
    except Exception as error:
        words = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        raise ClusterError(f"the Dask cluster cannot play: {words}; {_RESUME}") from error


@contextmanager
def dask_client(address: str) -> Iterator[Any]:
    """A client of the Dask scheduler at `address`; InputError without the package, an answer, or any worker."""
    try:
        import distributed
    except ImportError:
        raise InputError(f"dask: needs the package distributed; {how_to_install('dask')}") from None
    # These loggers print tracebacks when the scheduler is lost, and at Ctrl-C; the command's own error says enough.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        # A client that was begun for what is no address waits for itself when it is deleted.
        distributed.comm.addressing.get_address_host_port(address)
        client = distributed.Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"dask: {address}: no Dask scheduler answers there: {reason}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_TO_CONNECT)
        except TimeoutError:
            raise InputError(
                f"dask: {address}: the scheduler has no workers; start some: dask worker {address}"
            ) from None
        yield client
    finally:
        client.close()
