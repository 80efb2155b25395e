"""Checking the workers of a cluster: some of their chunks are played again here, and the bytes compared.

The first chunk of every worker is checked, and then one chunk in N, drawn by a seed that no worker knows. A worker
whose bytes differ is left out, and its chunks that were not compared are played again.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from wallsim.errors import InputError, RunError
from wallsim.experiment.chunks import MAX_CHUNKS
from wallsim.play.parallel import StoppedError, own_cores
from wallsim.play.sent_tasks import ClusterError

if TYPE_CHECKING:
    from wallsim.folder.chunk_tables import PlayedChunk
    from wallsim.folder.store import ChunkStore
    from wallsim.play.chunk_play import PlayChunk
    from wallsim.play.observer import RunObserver
    from wallsim.play.parallel import Cluster

ONE_IN = 50  # chunks by default
_MOST_HELD = 256 << 20  # bytes of chunks that wait for a check; what comes beyond them is written at once
_WAIT_SECONDS = 0.2  # in steps, so that Ctrl-C is noticed

_in_use: list[int] = [ONE_IN]  # the last one counts; threads share it


@contextmanager
def checking_workers(one_in: int | None) -> Iterator[None]:
    """Check one chunk in so many meanwhile; 0 for none, None for what is in use. InputError for other numbers."""
    if one_in is not None and not (type(one_in) is int and 0 <= one_in <= MAX_CHUNKS):
        raise InputError(f"check_workers: {one_in} is not a whole number from 0 to {MAX_CHUNKS}")
    _in_use.append(_in_use[-1] if one_in is None else one_in)
    try:
        yield
    finally:
        _in_use.pop()


def checks_one_in() -> int:
    """One chunk in how many is checked; 0 for none."""
    return _in_use[-1]


class _Delivered(NamedTuple):
    """A chunk that a worker has played."""

    worker: str
    chunk: int
    played: PlayedChunk

    @property
    def size(self) -> int:
        return sum(len(part.data) for part in self.played.parts)


def chunks_of_cluster(
    cluster: Cluster, play: PlayChunk, store: ChunkStore, observer: RunObserver
) -> Iterator[tuple[int, PlayedChunk]]:
    """The missing chunks of a folder as the workers of a cluster play them, checked; each is recorded before the next.

    The arguments are those of `play_missing`. Chunks of workers that are left out are missing from them. ClusterError
    if a worker cannot be left out, and RunError if this machine plays a chunk in two ways.
    """
    spans, function = ((chunk, *store.span(chunk)) for chunk in store.missing()), partial(_play_there, play)
    if not checks_one_in():
        yield from cluster.results(function, spans, ordered=False)
        return
    with WorkerChecks(cluster, play, store, observer) as checks:
        yield from checks.passed(cluster.named_results(function, spans))


def _play_there(play: PlayChunk, chunk: int, first: int, games: int) -> tuple[int, PlayedChunk]:
    # In a process of a cluster.
    return chunk, play(first, games, _ignore)


def _ignore(games: int) -> None:
    """Nobody watches the batches of a chunk that is played elsewhere."""


class WorkerChecks:
    """The checks of one session, as a context manager; the threads that play chunks again end with it."""

    def __init__(self, cluster: Cluster, play: PlayChunk, store: ChunkStore, observer: RunObserver) -> None:
        """`play` plays one chunk here, as in `play_missing`."""
        self._cluster, self._play, self._store, self._observer = cluster, play, store, observer
        self._one_in, self._seed = checks_one_in(), secrets.token_hex(8)
        self._pool, self._stop = ThreadPoolExecutor(own_cores()), threading.Event()
        self._running: dict[Future[str], tuple[str, int, str]] = {}  # worker, chunk and digest of what it played
        self._seen: set[str] = set()  # workers
        self._trusted: set[str] = set()  # workers that have passed a check
        self._left_out: set[str] = set()
        self._held: dict[str, list[_Delivered]] = defaultdict(list)
        self._held_bytes = self._compared = 0
        self._written: dict[str, set[int]] = defaultdict(set)  # chunks of a worker that were not compared

    def __enter__(self) -> WorkerChecks:
        """This object."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the checks, and record how many there were."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)
        if self._compared:
            self._store.log.write(
                "compared", chunks=self._compared, one_in=self._one_in, seed=self._seed, workers=len(self._seen)
            )

    def passed(self, delivered: Iterable[tuple[str, tuple[int, PlayedChunk]]]) -> Iterator[tuple[int, PlayedChunk]]:
        """The chunks that may be written, of those that workers deliver; errors are those of `chunks_of_cluster`."""
        for worker, (chunk, played) in delivered:
            yield from self._take(_Delivered(worker, chunk, played))
            yield from self._finished(wait_for_all=False)
        yield from self._finished(wait_for_all=True)
        if self._compared:
            self._observer.compared(self._compared, len(self._seen))

    def _take(self, delivery: _Delivered) -> Iterator[tuple[int, PlayedChunk]]:
        worker = delivery.worker
        if worker in self._left_out:
            return
        drawn = worker not in self._seen or self._is_drawn(delivery.chunk)
        self._seen.add(worker)
        if drawn:
            future = self._pool.submit(self._play_again, delivery.chunk)
            self._running[future] = worker, delivery.chunk, _digest(delivery.played)
        if (drawn or worker not in self._trusted) and self._held_bytes + delivery.size <= _MOST_HELD:
            self._held[worker].append(delivery)
            self._held_bytes += delivery.size
        else:
            self._written[worker].add(delivery.chunk)
            yield delivery.chunk, delivery.played

    def _is_drawn(self, chunk: int) -> bool:
        drawn = hashlib.sha256(f"{self._seed} {chunk}".encode()).digest()[:8]
        return int.from_bytes(drawn) % self._one_in == 0

    def _play_again(self, chunk: int) -> str:
        return _digest(self._play(*self._store.span(chunk), self._going_on))

    def _going_on(self, games: int) -> None:
        if self._stop.is_set():
            raise StoppedError

    def _finished(self, *, wait_for_all: bool) -> Iterator[tuple[int, PlayedChunk]]:
        while self._running:
            done, _ = wait(self._running, _WAIT_SECONDS if wait_for_all else 0, FIRST_COMPLETED)
            for future in done:
                worker, chunk, theirs = self._running.pop(future)
                if worker in self._left_out:
                    continue
                self._compared += 1
                ours = future.result()
                if ours != theirs:
                    self._leave_out(worker, chunk, ours)
                    continue
                self._trusted.add(worker)
                self._written[worker].discard(chunk)
                yield from self._released(worker, chunk)
            if not done and not wait_for_all:
                return

    def _released(self, worker: str, compared: int) -> Iterator[tuple[int, PlayedChunk]]:
        # What waited for this check; chunks with a check of their own go on waiting.
        waiting = {chunk for _, chunk, _ in self._running.values()}
        held = self._held.pop(worker, [])
        self._held[worker] = [delivery for delivery in held if delivery.chunk in waiting]
        for delivery in held:
            if delivery.chunk not in waiting:
                self._held_bytes -= delivery.size
                if delivery.chunk != compared:
                    self._written[worker].add(delivery.chunk)
                yield delivery.chunk, delivery.played

    def _leave_out(self, worker: str, chunk: int, ours: str) -> None:
        if self._play_again(chunk) != ours:
            raise RunError(
                f"{self._store.folder}: this machine plays chunk {chunk} in two ways, so nothing can be compared; its "
                "memory or its processor may be defective"
            )
        alone = self._cluster.can_leave_out
        wrong = self._written.pop(worker, set()) if alone else set().union(*self._written.values())
        if wrong:
            self._store.withdraw(wrong)
        self._store.log.write("left out", worker=worker, chunk=chunk, withdrawn=len(wrong))
        if not alone:
            raise ClusterError(
                f"the worker {worker} returned other bytes for chunk {chunk} than this machine plays; this backend of "
                f"joblib cannot leave it out; {len(wrong)} chunks that were not compared are discarded"
            )
        self._left_out.add(worker)
        self._held_bytes -= sum(delivery.size for delivery in self._held.pop(worker, ()))
        self._cluster.leave_out(worker)
        self._observer.left_out(worker, chunk, len(wrong))


def _digest(played: PlayedChunk) -> str:
    # Of everything but the times.
    digest = hashlib.sha256()
    for part in played.parts:
        digest.update(f"{part.table}\0{part.rows}\0{len(part.data)}\0".encode() + part.data)
    return digest.hexdigest()
