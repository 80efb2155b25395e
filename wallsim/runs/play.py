"""Playing a run: chunks on all cores, each committed when finished, in any order, always with the same bytes.

A worker is a thread: the engine frees the interpreter lock. It is told a chunk, plays it in small batches,
writes its files and hands back a receipt; so memory is bounded by one chunk a worker.
"""

from __future__ import annotations

import io
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from joblib import Parallel, delayed

from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import RunError, WallsimError
from wallsim.runs.compiling import CompileProgress, warm_up
from wallsim.runs.components import TRIED, Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.collector import Collector
from wallsim.runs.folder.file_metadata import metadata_of, part_metadata
from wallsim.runs.folder.journal import Receipt
from wallsim.runs.folder.layout import write_part
from wallsim.runs.folder.manifest import make_manifest
from wallsim.runs.folder.results import Run, open_run
from wallsim.runs.folder.schema import ON_REQUEST, Vocabulary, vocabulary
from wallsim.runs.folder.store import ChunkStore, Store
from wallsim.runs.workers import known_workers

_BATCH = 2000  # games at most between two looks at the request to stop; their matrices fit the cache
_FIRST_BATCH = 50  # games before anything is known of their speed
_ATTENTIVE = 0.25  # seconds that a batch should take


class Watch:
    """What a run tells while it is played; this one ignores it all. Worker threads call `played`."""

    def finished_before(self, folder: Path) -> None:
        """There is nothing to play: the folder holds the finished run."""

    def grows(self, before: int, blocks: int) -> None:
        """A tournament of `before` blocks, finished or looked at, gets more, up to `blocks`."""

    def compiling(self, progress: CompileProgress) -> None:
        """The engine is being compiled or loaded, which takes a while; said again as it goes on."""

    def compiled(self, seconds: float) -> None:
        """The engine was compiled in so many seconds of wall time."""

    def begin(self, done: int, games: int, workers: int, note: str) -> None:
        """Playing begins: `done` of `games` are there already; `note` says why, or is empty."""

    def played(self, games: int) -> None:
        """So many more games were played."""

    def end(self) -> None:
        """Playing has ended, in whatever way."""


class StoppedError(WallsimError):
    """Raised in a worker when the run is to stop before its chunk is finished."""


class Crew:
    """The workers of a run, as far as they must be told to stop and waited for."""

    def __init__(self, watch: Watch) -> None:
        """A crew at rest."""
        self._watch = watch
        self._stop = threading.Event()
        self._idle = threading.Condition()
        self._busy = 0

    def __enter__(self) -> None:
        """A worker begins a chunk."""
        with self._idle:
            self._busy += 1

    def __exit__(self, *_: object) -> None:
        """A worker has left its chunk, finished or not."""
        with self._idle:
            self._busy -= 1
            self._idle.notify_all()

    def played(self, games: int) -> None:
        """Report games played; raises StoppedError if the run is to stop."""
        if self._stop.is_set():
            raise StoppedError
        self._watch.played(games)

    def stop(self, patience: float = 60.0) -> None:
        """Ask all workers to leave after their present batch and wait for that."""
        self._stop.set()
        with self._idle:
            self._idle.wait_for(lambda: self._busy == 0, patience)


PlayChunk = Callable[[int, int, int, Crew], Receipt]


@dataclass(frozen=True)
class Workshop:
    """What every chunk of a run needs: folder, compiled arena, names of codes, and each table's own metadata."""

    folder: Path
    arena: Arena
    words: Vocabulary
    metadata: dict[str, dict[str, str]]


def play_run(
    experiment: Experiment,
    folder: str | Path,
    *,
    workers: int | None = None,
    watch: Watch | None = None,
    check_policies: bool = False,
) -> Run:
    """Play an experiment into a folder, or what is missing of it, and return the finished run.

    `check_policies` holds every answer of policies of one's own against the rules; those of the first two games always
    are, in which nobody may remember the game before.
    Raises InputError if the folder or the number of workers will not do or a policy answers wrongly, RunError if
    writing fails midway.
    What was finished before any error, interruption or kill is kept, and the same call resumes.
    """
    workers = known_workers(workers)
    watch = watch or Watch()
    parts = experiment.components()
    compiling = _try_own_policies(experiment, parts, watch)
    with Store(Path(folder), experiment, parts) as store:
        if check_policies:
            _check_played(experiment, parts, store)
        if store.is_finished():
            watch.finished_before(store.folder)
        else:
            arena, words = parts.arena(experiment.seed, checked=check_policies), vocabulary(parts)
            metadata = {table: metadata_of(table, words, store.identity, store.name) for table in store.tables}
            workshop = Workshop(store.folder, arena, words, metadata)
            one_game = partial(arena.play, 0, 1, **_requests(store.tables))
            try:
                compiling += warm_up(one_game, watch) if store.unplayed else 0.0
                play_missing(partial(play_chunk, workshop), store, workers, watch, compiling)
            except IllegalAnswerError as error:
                raise parts.illegal_answer(error) from None
            try:
                store.finish(make_manifest(store, experiment, parts))
            except OSError as error:
                raise failed(store.folder, error) from error
        return open_run(store.folder)


def _requests(tables: Iterable[str]) -> dict[str, bool]:
    return {table: table in tables for table in ON_REQUEST}


def _try_own_policies(experiment: Experiment, parts: Components, watch: Watch) -> float:
    # What cannot be compiled, or errs in the first games, is refused before anything is written.
    if not any(policy.answers for policy in parts.policies):
        return 0.0

    def first_games() -> None:
        parts.arena(experiment.seed, checked=True).play(0, TRIED)

    try:
        return warm_up(first_games, watch)
    except IllegalAnswerError as error:
        raise parts.illegal_answer(error) from None


def _check_played(experiment: Experiment, parts: Components, store: Store) -> None:
    # Finished chunks may have been played unchecked: play their games again, and keep nothing.
    if not any(policy.answers for policy in parts.policies):
        return
    arena = parts.arena(experiment.seed, checked=True)
    for receipt in store.receipts.values():
        for start in range(receipt.first, receipt.first + receipt.games, _BATCH):
            try:
                arena.play(start, min(_BATCH, receipt.first + receipt.games - start))
            except IllegalAnswerError as error:
                raise parts.illegal_answer(error) from None


def play_missing(chunk: PlayChunk, store: ChunkStore, workers: int, watch: Watch, compiling: float) -> None:
    """Let workers play all chunks that a folder lacks, and enter their receipts in its journal.

    `chunk` plays and commits one chunk: it is given its number, first game and games, and the crew it belongs to.
    RunError if the disk is full.
    """
    workers = min(workers, max(1, store.unplayed))
    done = sum(receipt.games for receipt in store.receipts.values())
    crew = Crew(watch)
    session, wall, cpu = uuid.uuid4().hex[:12], time.perf_counter(), time.process_time()
    watch.begin(done, store.games, workers, _resuming(store, done))
    try:
        for receipt in _receipts(chunk, store, workers, crew):
            times: dict[str, Any] = {
                "wall": round(time.perf_counter() - wall, 3),
                "cpu": round(time.process_time() - cpu, 3),
                "workers": workers,
                "compiling": round(compiling, 3),
            }
            store.enter(replace(receipt, session=session, **times))
    except OSError as error:
        raise failed(store.folder, error) from error
    finally:
        crew.stop()
        watch.end()


def _receipts(play: PlayChunk, store: ChunkStore, workers: int, crew: Crew) -> Iterator[Receipt]:
    tasks = (delayed(play)(chunk, *store.span(chunk), crew) for chunk in store.missing())
    # A task is dispatched when another ends, whether or not its receipt was fetched: receipts are small.
    pool: Any = Parallel(
        n_jobs=workers, backend="threading", batch_size=1, pre_dispatch="n_jobs",
        return_as="generator_unordered",
    )  # fmt: skip
    yield from pool(tasks)


def play_chunk(workshop: Workshop, chunk: int, first: int, games: int, crew: Crew) -> Receipt:
    """Play `games` games from `first` on and commit their files; the receipt lacks the session's times.

    Raises StoppedError if the crew is to stop, OSError if the disk is full; then the chunk is not finished.
    """
    with crew:
        collector = Collector(tuple(workshop.metadata), workshop.words, first)
        engine = 0.0
        start, batch = first, _FIRST_BATCH
        while start < first + games:
            count = min(batch, first + games - start)
            began = time.thread_time()
            played = workshop.arena.play(start, count, **_requests(workshop.metadata))
            took = time.thread_time() - began
            engine += took
            collector.add(played)
            crew.played(count)
            start, batch = start + count, _next_batch(count, took)
        files = []
        for table, about in workshop.metadata.items():
            frame = collector.frame(table)
            about = part_metadata(about, first, games)
            files.append(write_part(workshop.folder, table, chunk, parquet(frame, about), frame.height))
        return Receipt(chunk, first, games, tuple(files), round(engine, 3))


def _next_batch(games: int, seconds: float) -> int:
    # Slow players get small batches, so that a run stops soon when it is told to.
    faster = 4.0 if seconds <= 0 else min(4.0, _ATTENTIVE / seconds)
    return max(1, min(_BATCH, int(games * faster)))


def parquet(frame: pl.DataFrame, about: dict[str, str]) -> memoryview:
    """A frame as the bytes of a Parquet file: zstd level 3, no statistics, `about` in its metadata."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=3, statistics=False, metadata=about)
    return buffer.getbuffer()


def _resuming(store: ChunkStore, done: int) -> str:
    if store.dropped:
        return f"missing or damaged, played again: {', '.join(store.dropped)}"
    return f"resuming: {done:,} games are there" if done else ""


def failed(folder: Path, error: OSError) -> RunError:
    """The error to raise where a folder could not be written."""
    return RunError(
        f"{folder}: writing failed: {error.strerror or error}; "
        "the finished chunks are kept, and the same command resumes"
    )
