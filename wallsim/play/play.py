"""Playing a run: chunks are played on all cores and committed as they finish, always with the same bytes.

A worker is a thread, because the engine releases the interpreter lock. It receives a chunk, plays it in small batches,
writes its files and returns a record, so memory is limited to one chunk per worker.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from wallsim.engine.illegal_answer import IllegalAnswerError
from wallsim.errors import RunError, WallsimError, is_out_of_memory
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.versions import versions, versions_digest
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import ChunkRecord, Journal
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import LockedError, ReadOnlyError, failed, nothing_added, once_unlocked
from wallsim.folder.result_folder import ResultFolder, readable, says_the_same
from wallsim.folder.results import Run, run_of, waits
from wallsim.folder.run_store import Store
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.store import ChunkStore, Slice
from wallsim.folder.tournament import TournamentRun
from wallsim.play.chunk_play import PlayChunk, Player, run_player
from wallsim.play.compile_progress import warm_up
from wallsim.play.custom_checks import check_custom_policies, recheck_finished_chunks, replay_drawn_chunk
from wallsim.play.observer import RunObserver
from wallsim.play.parallel import StoppedError, checked_workers, cluster, cluster_size, in_parallel
from wallsim.play.worker_checks import chunks_of_cluster
from wallsim.policies.policy import Policy

Finished = TypeVar("Finished", Run, Scenarios, TournamentRun)
_MEMORY_OF_A_WORKER = 300 << 20  # bytes, of the default tables; twice that with all tables


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


def play_run(
    experiment: Experiment,
    folder: str | Path,
    *,
    workers: int | None = None,
    observer: RunObserver | None = None,
    check_policies: bool = False,
    grows: bool = False,
    finish: bool = True,
    replays: bool = True,
) -> Run:
    """Play an experiment into a folder, or its missing chunks, and return the finished run.

    A folder with fewer games of this experiment gets the others; of one with more a view of the first is returned.
    `grows`: the number of games is decided by what they show, which the run will say; without `finish` they may be too
    few, and a folder that is unfinished stays so. `check_policies`: check every answer of custom policies against the
    rules. In the first two games they are always checked, and policies must not depend on the previous game; in the end
    a drawn chunk of theirs is played again in another process, unless `replays` is False, for games that nobody keeps.
    Raises InputError for an unusable folder or number of workers, for an illegal answer of a policy and for one that
    differs there, RunError if writing fails. Finished chunks remain after another error, an interruption or a kill, and
    the same call resumes the run.
    """
    observer = observer or RunObserver()
    try:
        with _opened(experiment, folder, workers, observer, check_policies, grows=grows) as (session, store):
            session.play()
            # Fewer games than it has do not decide whether all of a run that grows are enough.
            finish = finish and (experiment.games >= store.games or not waits(store.place))
            if not store.is_whole() or not finish:
                return run_of(store.folder, store.manifest(store.wanted_end)).first(experiment.games)
            session.finish(lambda: store.manifest(store.games), replays=replays)
            return Run.open(store.folder).first(experiment.games)
    except ReadOnlyError as error:
        hash_, games = experiment.hash(), experiment.games
        run = finished_there(
            Run, folder, lambda run: run.hash == hash_ and games <= run.manifest["games"], observer, error
        )
        return run.first(games)


def finished_there(
    reader: type[Finished], folder: str | Path, is_wanted: Callable[[Finished], bool], observer: RunObserver,
    error: ReadOnlyError,
) -> Finished:  # fmt: skip
    """What is finished, undamaged and wanted in a folder that cannot be written; otherwise the error is raised."""
    try:
        result = reader.open(folder)
        whole = is_wanted(result) and not reader.verify(folder)
    except WallsimError:
        raise error from None
    if not whole:
        raise error
    observer.finished_before(result.folder)
    return result


def play_slice(
    experiment: Experiment,
    folder: str | Path,
    slice_: Slice,
    *,
    workers: int | None = None,
    observer: RunObserver | None = None,
    check_policies: bool = False,
) -> tuple[int, int]:
    """Play the chunks I modulo N of an experiment into a folder, beside other slices; `slice_` is (I, N).

    Returns how many games of the slice are finished, and how many the folder has in all. To a folder of fewer games the
    first of the slices adds the others, while no other process plays there. Afterwards `play_run` gathers the slices,
    plays what is missing and writes the manifest. The other arguments and the errors are those of `play_run`.
    """
    observer = observer or RunObserver()
    with _opened(experiment, folder, workers, observer, check_policies, slice_=slice_) as (session, store):
        session.play()
        return store.own_games[0], Journal(store.place).done


@dataclass
class Session:
    """The playing of games by `policies` into a folder that is locked, and that `reader` reads.

    `prepare` makes what plays them, if anything has to be played. `compiling` are the seconds for which policies were
    compiled before.
    """

    store: ChunkStore
    reader: type[ResultFolder]
    policies: Sequence[Policy]
    prepare: Callable[[], Player]
    workers: int
    observer: RunObserver
    compiling: float = 0.0

    @cached_property
    def _player(self) -> Player:
        return self.prepare()

    def play(self) -> None:
        """Play what is missing, also what turns out to be damaged meanwhile."""
        store = self.store
        if store.slice is None and store.is_finished_after_checks():
            self.observer.finished_before(store.folder)
        if not store.unplayed and not store.unchecked:
            return
        if store.unplayed:
            self.compiling += warm_up(self._player.one_game, self.observer)
        play_missing(self._player.chunk, store, self.workers, self.observer, self.compiling)

    def finish(self, manifest: Callable[[], dict[str, Any]], *, replays: bool = True) -> None:
        """Write the manifest, unless it is there and right, and delete files that do not belong to the folder.

        Before, a chunk of custom policies is played again if `replays`.
        """
        try:
            self.store.remove_strays()
            if not says_the_same(self.reader, self.store.place):
                if replays and any(policy.answers for policy in self.policies):
                    replay_drawn_chunk(self._player.chunk, self.store, self.policies)
                self.store.finish(manifest())
        except OSError as error:
            raise failed(self.store.folder, error) from error


@contextmanager
def _opened(
    experiment: Experiment, folder: str | Path, workers: int | None, observer: RunObserver, check_policies: bool,
    **how: Any,
) -> Iterator[tuple[Session, Store]]:  # fmt: skip
    workers = checked_workers(workers)
    parts = experiment.components()
    compiling = check_custom_policies(experiment, parts, observer)
    if "slice_" in how:
        once_unlocked(partial(_add_games, file_store(folder), experiment, parts))
    with Store(file_store(folder), experiment, parts, **how) as store:
        if check_policies:
            recheck_finished_chunks(experiment, parts, store)
        prepare = partial(run_player, experiment, parts, store.header, checked=check_policies)
        try:
            yield Session(store, Run, parts.policies, prepare, workers, observer, compiling), store
        except IllegalAnswerError as error:
            raise parts.illegal_answer(error) from None


def _add_games(place: FileStore, experiment: Experiment, parts: Components) -> None:
    # By a process that is alone there, since the last chunk may become longer; slices only play.
    with readable(place):
        header = Journal(place).header
    if header is None or header.games is None or header.games >= experiment.games:
        return
    try:
        Store(place, experiment, parts).close()
    except LockedError:
        raise nothing_added(place, header.games) from None


def play_missing(play: PlayChunk, store: ChunkStore, workers: int, observer: RunObserver, compiling: float) -> None:
    """Let workers play all missing chunks of a folder, and append their receipts to its journal.

    `play` plays one chunk; its arguments are the chunk's first game, its number of games, and a function that receives
    the games played. Meanwhile the files of the chunks that were finished before are compared with their digests, and
    damaged ones are played again. RunError if the disk is full.
    """
    session = uuid.uuid4().hex[:12]
    store.log.write(
        "begun", session=session, workers=workers, finished=store.own_games[0], games=store.own_games[1],
        versions=dict(versions()),
    )  # fmt: skip
    while store.unplayed or store.unchecked:
        _play_once(play, store, workers, observer, compiling, session)
        compiling = 0.0
    store.log.write("finished", session=session, games=store.own_games[0])


def _play_once(
    play: PlayChunk, store: ChunkStore, workers: int, observer: RunObserver, compiling: float, session: str
) -> None:
    workers = min(cluster_size() or workers, max(1, store.unplayed))
    group = WorkerGroup(observer)
    wall, cpu = time.perf_counter(), time.process_time()
    done, games = store.own_games
    observer.begin(done, games, workers, _resuming(store, done))
    try:
        with _checked_beside(store):
            for record in _chunk_records(play, store, workers, group, observer):
                times: dict[str, Any] = {
                    "wall": round(time.perf_counter() - wall, 3),
                    "cpu": round(time.process_time() - cpu, 3),
                    "workers": workers,
                    "compiling": round(compiling, 3),
                    "versions": versions_digest(versions()),
                }
                store.record_chunk(replace(record, session=session, **times))
    except OSError as error:
        store.log.write("failed", session=session, reason=str(error.strerror))
        raise failed(store.folder, error) from error
    except BaseException as error:
        if not is_out_of_memory(error):
            store.log.write("stopped", session=session, reason=type(error).__name__)
            raise
        store.log.write("failed", session=session, reason="too little memory")
        raise RunError(
            f"{store.folder}: there is too little memory; fewer workers need less, or in a new folder a smaller "
            "`chunk`; finished chunks are stored, and the same command resumes"
        ) from error
    finally:
        group.stop()
        observer.end()


@contextmanager
def _checked_beside(store: ChunkStore) -> Iterator[None]:
    """Compare the files of finished chunks with their digests in a thread of its own, to the end if all goes well."""
    stop = threading.Event()
    errors: list[OSError] = []

    def check() -> None:
        try:
            while not stop.is_set() and store.check_next():
                pass
        except OSError as error:
            errors.append(error)

    checker = threading.Thread(target=check, daemon=True)
    checker.start()
    try:
        yield
        while checker.is_alive():
            checker.join(0.2)  # in steps, so that Ctrl-C is noticed
        if errors:
            raise errors[0]
    finally:
        stop.set()
        checker.join()


def _chunk_records(
    play: PlayChunk, store: ChunkStore, workers: int, group: WorkerGroup, observer: RunObserver
) -> Iterator[ChunkRecord]:
    """Threads play chunks and commit them; from a cluster they come back, and are checked and committed here."""

    def play_here(chunk: int) -> ChunkRecord:
        with group:
            return store.commit(chunk, play(*store.span(chunk), group.played))

    away = cluster()
    if away is None:
        # Polars ends the process where it gets no memory, so what chunks of full size need is asked for beforehand.
        np.empty((workers + 1) * _MEMORY_OF_A_WORKER, np.uint8)
        yield from in_parallel(play_here, ((chunk,) for chunk in store.missing()), workers, ordered=False)
        return
    for chunk, played in chunks_of_cluster(away, play, store, observer):
        group.played(store.span(chunk)[1])
        yield store.commit(chunk, played)


def _resuming(store: ChunkStore, done: int) -> str:
    damaged = [*store.repaired, *store.dropped]
    if damaged:
        return f"missing or damaged, written again: {', '.join(damaged)}"
    return f"resuming: {done:,} games are already finished" if done else ""
