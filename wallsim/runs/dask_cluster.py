"""A Dask cluster: tasks go to its scheduler, a few for each of its threads, and results come back one by one.

The scheduler gives the tasks of a worker that was lost to others. joblib's own bridge to Dask is not used: it would
fetch results faster than they are written, play here where the cluster has one thread, and wait for ever for a
scheduler that was lost.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from wallsim.errors import InputError
from wallsim.runs.sent_tasks import ClusterError, Failed, Lacking, SentFunction, do_task, versions

_AHEAD = 2  # tasks that are sent for each thread of the cluster, so that none waits for the next
_KEPT = 4  # results for each thread that may wait for an earlier one
_SECONDS_TO_CONNECT = 10
_SECONDS_OF_SIZE = 5.0  # how long the number of threads is taken to be the same
_SECONDS_WITHOUT_WORKERS = 300.0  # before the cluster is given up: a queue may start new ones
_RESUME = "what was finished is kept, and the same command resumes"


class DaskCluster:
    """The workers behind a client of Dask. Threads may share it."""

    def __init__(self, client: Any) -> None:
        """`client` is a `distributed.Client`."""
        self._client = client
        self._threads, self._asked = 0, -_SECONDS_OF_SIZE
        self._sent: set[str] = set()  # functions that went to some worker

    @property
    def size(self) -> int:
        """The number of tasks that are played at the same time; at least 1, since workers may come later."""
        return max(1, self._size())

    def _size(self) -> int:
        now = time.monotonic()
        if now - self._asked >= _SECONDS_OF_SIZE:
            self._threads, self._asked = sum(self._client.ncores().values()), now
        return self._threads

    def results(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], ordered: bool) -> Iterator[Any]:
        """What `function` returns for each task; ClusterError if the cluster is lost. Errors of tasks are passed on."""
        call = _Call(self._client, SentFunction.of(function))
        numbered, following = enumerate(tasks), 0
        done: dict[int, Any] = {}
        try:
            while True:
                room = _AHEAD * self.size - len(call.waiting) if len(done) < _KEPT * self.size else 0
                for number, task in islice(numbered, max(0, room)):
                    call.send(number, pickle.dumps(task), with_function=call.function.digest not in self._sent)
                if not call.waiting:
                    return
                number, result = call.next(self._wait_for_workers)
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

    def _wait_for_workers(self, since: float) -> None:
        # Called while nothing comes back, with the time since when.
        if self._client.status != "running":
            raise ClusterError(f"the Dask scheduler was lost; {_RESUME}")
        if time.monotonic() - since >= _SECONDS_WITHOUT_WORKERS and not self._size():
            raise ClusterError(f"the Dask cluster has had no workers for some minutes; {_RESUME}")


class _Call:
    """The tasks of one function that are with the scheduler."""

    def __init__(self, client: Any, function: SentFunction) -> None:
        self._client, self.function = client, function
        self.waiting: dict[str, tuple[Any, int, bytes]] = {}  # futures, numbers and arguments by key
        self._finished: SimpleQueue[Any] = SimpleQueue()

    def send(self, number: int, arguments: bytes, *, with_function: bool) -> None:
        data = self.function.data if with_function else None
        future = self._submit(versions(), self.function.digest, data, arguments)
        self.waiting[future.key] = future, number, arguments
        future.add_done_callback(self._finished.put)

    def _submit(self, *task: Any) -> Any:
        with _errors_of_cluster():
            return self._client.submit(do_task, *task, pure=False)

    def next(self, idle: Callable[[float], None]) -> tuple[int, Any]:
        """The number of a task that has finished, and its result."""
        since = time.monotonic()
        while True:
            try:
                future = self._finished.get(timeout=1.0)
            except Empty:
                idle(since)
                continue
            _, number, arguments = self.waiting.pop(future.key)
            with _errors_of_cluster():
                result = future.result()
            if result is Lacking.FUNCTION:
                self.send(number, arguments, with_function=True)
            elif isinstance(result, Failed):
                raise result.error
            else:
                return number, result

    def cancel(self) -> None:
        # Workers end the tasks that they play; nobody waits for them.
        if self.waiting and self._client.status == "running":
            with suppress(Exception):
                self._client.cancel([future for future, _, _ in self.waiting.values()])


@contextmanager
def _errors_of_cluster() -> Iterator[None]:
    # `do_task` returns the errors of tasks, so whatever is raised is of the cluster.
    try:
        yield
    except Exception as error:
        words = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        raise ClusterError(f"the Dask cluster cannot play: {words}; {_RESUME}") from error


@contextmanager
def dask_client(address: str) -> Iterator[Any]:
    """A client of the Dask scheduler at `address`; InputError without the package, an answer, or any worker."""
    try:
        import distributed
    except ImportError:
        raise InputError("--dask: needs the package distributed; install wallsim[dask]") from None
    # These loggers print tracebacks when the scheduler is lost, and at Ctrl-C; the command's own error says enough.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        # A client that was begun for what is no address waits for itself when it is deleted.
        distributed.comm.addressing.get_address_host_port(address)
        client = distributed.Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"--dask: {address}: no Dask scheduler answers there: {reason}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=_SECONDS_TO_CONNECT)
        except TimeoutError:
            raise InputError(
                f"--dask: {address}: the scheduler has no workers; start some: dask worker {address}"
            ) from None
        yield client
    finally:
        client.close()
