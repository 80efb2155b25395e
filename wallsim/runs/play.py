"""Playing a run: chunks are played on all cores and committed as they finish, always with the same bytes.

A worker is a thread, because the engine releases the interpreter lock. It receives a chunk, plays it in small batches,
writes its files and returns a record, so memory is limited to one chunk per worker.
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
from wallsim.runs.components import TRIAL_GAMES, Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.chunk_tables import ChunkTables
from wallsim.runs.folder.file_metadata import metadata_of, part_metadata
from wallsim.runs.folder.journal import ChunkRecord
from wallsim.runs.folder.layout import write_part
from wallsim.runs.folder.manifest import make_manifest
from wallsim.runs.folder.results import Run, open_run
from wallsim.runs.folder.schema import ON_REQUEST, Vocabulary, vocabulary
from wallsim.runs.folder.store import ChunkStore, Store
from wallsim.runs.workers import checked_workers

_BATCH = 2000  # maximum games between two checks of the stop request; their matrices fit into the cache
_FIRST_BATCH = 50  # games before their speed is known
_BATCH_SECONDS = 0.25  # target duration of a batch in seconds


class RunObserver:
    """Receives the progress of a run; this base class ignores it. Worker threads call `played`."""

    def finished_before(self, folder: Path) -> None:
        """Nothing is played, because the folder contains the finished run."""

    def scenario(self, name: str, number: int, count: int) -> None:
        """The scenario `name` comes next, number `number` of `count`, counted from 1."""

    def looked(self, games: int, words: str) -> None:
        """After `games` games the intervals were looked at; `words` say how wide the widest is."""

    def grows(self, before: int, blocks: int) -> None:
        """A tournament that was finished or evaluated with `before` blocks is extended to `blocks`."""

    def compiling(self, progress: CompileProgress) -> None:
        """The engine is being compiled or loaded; called repeatedly with the progress."""

    def compiled(self, seconds: float) -> None:
        """The engine has been compiled in `seconds` of wall time."""

    def begin(self, done: int, games: int, workers: int, note: str) -> None:
        """Playing begins: `done` of `games` are already finished; `note` explains why, or is empty."""

    def played(self, games: int) -> None:
        """`games` more games have been played."""

    def end(self) -> None:
        """Playing has ended, finished or not."""


class StoppedError(WallsimError):
    """Raised in a worker that must stop before its chunk is finished."""


class WorkerGroup:
    """The busy workers of a run; stops them and waits for them."""

    def __init__(self, observer: RunObserver) -> None:
        """A group without busy workers."""
        self._observer = observer
        self._stop = threading.Event()
        self._idle = threading.Condition()
        self._busy = 0

    def __enter__(self) -> None:
        """Count a worker that begins a chunk."""
        with self._idle:
            self._busy += 1

    def __exit__(self, *_: object) -> None:
        """Count a worker that has left its chunk, finished or not."""
        with self._idle:
            self._busy -= 1
            self._idle.notify_all()

    def played(self, games: int) -> None:
        """Report games played; raises StoppedError after a request to stop."""
        if self._stop.is_set():
            raise StoppedError
        self._observer.played(games)

    def stop(self, timeout: float = 60.0) -> None:
        """Ask all workers to stop after their current batch, and wait for them up to `timeout` seconds."""
        self._stop.set()
        with self._idle:
            self._idle.wait_for(lambda: self._busy == 0, timeout)


PlayChunk = Callable[[int, int, int, WorkerGroup], ChunkRecord]


@dataclass(frozen=True)
class RunContext:
    """What every chunk of a run needs: folder, compiled arena, names of codes, and the metadata of each table."""

    folder: Path
    arena: Arena
    words: Vocabulary
    metadata: dict[str, dict[str, str]]


def play_run(
    experiment: Experiment,
    folder: str | Path,
    *,
    workers: int | None = None,
    observer: RunObserver | None = None,
    check_policies: bool = False,
    open_ended: bool = False,
) -> Run:
    """Play an experiment into a folder, or its missing chunks, and return the finished run.

    `open_ended`: a later call with more games adds them; the number of games is then no part of the run's identity.
    `check_policies`: check every answer of custom policies against the rules. In the first two games they are always
    checked, and policies must not depend on the previous game. Raises InputError for an unusable folder or number of
    workers and for an illegal answer of a policy, RunError if writing fails. Finished chunks are kept after an error,
    an interruption or a kill, and the same call resumes the run.
    """
    workers = checked_workers(workers)
    observer = observer or RunObserver()
    parts = experiment.components()
    compiling = check_custom_policies(experiment, parts, observer)
    with Store(Path(folder), experiment, parts, open_ended=open_ended) as store:
        if check_policies:
            _recheck_finished_chunks(experiment, parts, store)
        if store.is_finished():
            observer.finished_before(store.folder)
        else:
            arena, words = parts.arena(experiment.seed, checked=check_policies), vocabulary(parts)
            metadata = {table: metadata_of(table, words, store.identity, store.name) for table in store.tables}
            context = RunContext(store.folder, arena, words, metadata)
            one_game = partial(arena.play, 0, 1, **_requests(store.tables))
            try:
                compiling += warm_up(one_game, observer) if store.unplayed else 0.0
                play_missing(partial(play_chunk, context), store, workers, observer, compiling)
            except IllegalAnswerError as error:
                raise parts.illegal_answer(error) from None
            try:
                store.finish(make_manifest(store, experiment, parts))
            except OSError as error:
                raise failed(store.folder, error) from error
        return open_run(store.folder)


def _requests(tables: Iterable[str]) -> dict[str, bool]:
    return {table: table in tables for table in ON_REQUEST}


def check_custom_policies(experiment: Experiment, parts: Components, observer: RunObserver) -> float:
    """Refuse policies that cannot be compiled or fail in the first games, before anything is written.

    Returns the wall seconds of compiling; InputError for an illegal answer.
    """
    if not any(policy.answers for policy in parts.policies):
        return 0.0

    def first_games() -> None:
        parts.arena(experiment.seed, checked=True).play(0, TRIAL_GAMES)

    try:
        return warm_up(first_games, observer)
    except IllegalAnswerError as error:
        raise parts.illegal_answer(error) from None


def _recheck_finished_chunks(experiment: Experiment, parts: Components, store: Store) -> None:
    # Finished chunks may have been played without checks: play their games again and discard the results.
    if not any(policy.answers for policy in parts.policies):
        return
    arena = parts.arena(experiment.seed, checked=True)
    for record in store.records.values():
        for start in range(record.first, record.first + record.games, _BATCH):
            try:
                arena.play(start, min(_BATCH, record.first + record.games - start))
            except IllegalAnswerError as error:
                raise parts.illegal_answer(error) from None


def play_missing(chunk: PlayChunk, store: ChunkStore, workers: int, observer: RunObserver, compiling: float) -> None:
    """Let workers play all missing chunks of a folder, and append their records to its journal.

    `chunk` plays and commits one chunk; its arguments are the chunk's number, first game and number of games, and the
    group of workers. RunError if the disk is full.
    """
    workers = min(workers, max(1, store.unplayed))
    done = sum(record.games for record in store.records.values())
    group = WorkerGroup(observer)
    session, wall, cpu = uuid.uuid4().hex[:12], time.perf_counter(), time.process_time()
    observer.begin(done, store.games, workers, _resuming(store, done))
    try:
        for record in _chunk_records(chunk, store, workers, group):
            times: dict[str, Any] = {
                "wall": round(time.perf_counter() - wall, 3),
                "cpu": round(time.process_time() - cpu, 3),
                "workers": workers,
                "compiling": round(compiling, 3),
            }
            store.record_chunk(replace(record, session=session, **times))
    except OSError as error:
        raise failed(store.folder, error) from error
    finally:
        group.stop()
        observer.end()


def _chunk_records(play: PlayChunk, store: ChunkStore, workers: int, group: WorkerGroup) -> Iterator[ChunkRecord]:
    tasks = (delayed(play)(chunk, *store.span(chunk), group) for chunk in store.missing())
    # A new task starts when another ends, even if the record has not been fetched yet; records are small.
    pool: Any = Parallel(
        n_jobs=workers, backend="threading", batch_size=1, pre_dispatch="n_jobs",
        return_as="generator_unordered",
    )  # fmt: skip
    yield from pool(tasks)


def play_chunk(context: RunContext, chunk: int, first: int, games: int, group: WorkerGroup) -> ChunkRecord:
    """Play `games` games starting at `first` and commit their files; the record has no times of the session yet.

    Raises StoppedError after a request to stop and OSError if the disk is full; the chunk is then not finished.
    """
    with group:
        chunk_tables = ChunkTables(tuple(context.metadata), context.words, first)
        engine = 0.0
        start, batch = first, _FIRST_BATCH
        while start < first + games:
            count = min(batch, first + games - start)
            began = time.thread_time()
            played = context.arena.play(start, count, **_requests(context.metadata))
            took = time.thread_time() - began
            engine += took
            chunk_tables.add(played)
            group.played(count)
            start, batch = start + count, _next_batch(count, took)
        files = []
        for table, about in context.metadata.items():
            frame = chunk_tables.frame(table)
            about = part_metadata(about, first, games)
            files.append(write_part(context.folder, table, chunk, parquet(frame, about), frame.height))
        return ChunkRecord(chunk, first, games, tuple(files), round(engine, 3))


def _next_batch(games: int, seconds: float) -> int:
    # Slow policies get small batches, so that a run reacts quickly to a request to stop.
    growth = 4.0 if seconds <= 0 else min(4.0, _BATCH_SECONDS / seconds)
    return max(1, min(_BATCH, int(games * growth)))


def parquet(frame: pl.DataFrame, about: dict[str, str]) -> memoryview:
    """A frame as the bytes of a Parquet file: zstd level 3, no statistics, `about` in its metadata."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=3, statistics=False, metadata=about)
    return buffer.getbuffer()


def _resuming(store: ChunkStore, done: int) -> str:
    if store.dropped:
        return f"missing or damaged, played again: {', '.join(store.dropped)}"
    return f"resuming: {done:,} games are already finished" if done else ""


def failed(folder: Path, error: OSError) -> RunError:
    """The RunError for a failure to write into a folder."""
    return RunError(
        f"{folder}: writing failed: {error.strerror or error}; "
        "the finished chunks are kept, and the same command resumes"
    )
