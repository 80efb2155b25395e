"""What learning and teaching share: settings of games in chunks, their folder, and fits in processes."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from joblib import Parallel, parallel_config

from wallsim.current_folder import SAFE_PATH, changed_environment
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment, identity
from wallsim.folder.derived import CHECKSUMS, derived_errors, read_checksums
from wallsim.folder.journal_text import Position
from wallsim.folder.layout import JOURNAL
from wallsim.folder.learning_journal import ChunkLines
from wallsim.folder.line_journal import OTHER_VERSIONS, LineJournal, entries_in
from wallsim.folder.local_files import FileStore
from wallsim.play.parallel import in_parallel


class ChunkStore(LineJournal):
    """A folder locked for writing, as a context manager, and the chunks of games that it has, as arrays by name.

    A chunk counts once its line is in the journal; a file that is missing or damaged is played again.
    """

    lines: type[ChunkLines] = ChunkLines

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        """Lock a folder: create it, or resume an existing one; the errors are those of every journal."""
        self._shape_of_chunks = self.lines(tuple(dict.fromkeys(cell["players"] for cell in identity["cells"])))
        super().__init__(folder, identity, self._shape_of_chunks, (self.lines.room,))
        self._chunks = {(entry["players"], entry["chunk"]): entry for entry in self.entries.values()}
        self._whole: set[tuple[int, int]] = set()

    def has(self, players: int, chunk: int) -> bool:
        """Whether a chunk was played and its file is whole."""
        key = players, chunk
        if key in self._chunks and key not in self._whole and self._digest(*key) == self._chunks[key]["sha256"]:
            self._whole.add(key)
        return key in self._whole

    def missing(self, wanted: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """The chunks among these that have to be played, and those that the repair of the journal needs."""
        needed = {*wanted, *map(self._shape_of_chunks.chunk, self.gaps)}
        return [key for key in sorted(needed, key=self._order) if not self.has(*key)]

    def damaged(self, wanted: Iterable[tuple[int, int]]) -> list[str]:
        """The files of chunks among these that have a line in the journal and are not whole, one line each."""
        return [
            f"{self.lines.file(*key)}: {'its bytes have changed' if self._digest(*key) else 'is missing'}"
            for key in wanted
            if key in self._chunks and not self.has(*key)
        ]

    def write_arrays(
        self, players: int, chunk: int, counts: Mapping[str, int], arrays: Mapping[str, np.ndarray]
    ) -> None:
        """Store a chunk that has so many games (and lessons), and wait until it is on the disk.

        RunError if its line in the journal is of another file; then nothing is written.
        """
        key, name = (players, chunk), self.lines.file(players, chunk)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
        data, known = buffer.getvalue(), self._chunks.get(key)
        digest = hashlib.sha256(data).hexdigest()
        line = {"players": players, "chunk": chunk, **counts, "sha256": digest}
        if known is not None and known != line:
            raise RunError(
                f"{self.folder}: {name}: played again it differs from line {self.number(self._order(key))} of "
                f"{JOURNAL}; its packages may have other versions, and nothing is lost; {OTHER_VERSIONS}"
            )
        if self._digest(*key) != digest:
            self.place.make_folder(self.lines.room)
            self.place.write(name, data)
        if known is None:
            self.write_line(line)
            self._chunks[key] = line
            if self.pending and not self.gaps:
                self.repair()
        self._whole.add(key)

    def read_arrays(self, players: int, chunk: int) -> dict[str, np.ndarray]:
        """The arrays of a chunk that the folder has."""
        with np.load(self.folder / self.lines.file(players, chunk)) as arrays:
            return dict(arrays)

    def _digest(self, players: int, chunk: int) -> str | None:
        return self.place.digest(self.lines.file(players, chunk))

    def _order(self, key: tuple[int, int]) -> Position:
        players, chunk = key
        line = {"players": players, "chunk": chunk, **dict.fromkeys(self.lines.counts, 0), "sha256": ""}
        position = self._shape_of_chunks.position(line)
        assert position is not None, key
        return position


def stored_games(folder: Path, lines: type[ChunkLines]) -> int:
    """The number of games in the journal of a folder; 0 if it cannot be read."""
    return sum(entry["games"] for entry in entries_in(folder, lines()))


_RUN_KEYS = ("policies", "games", "seed", "seasons", "battles", "players", "setup", "tower", "lineups")
_PURPOSES = ("games", "seatings", "network")  # the seeds depend on this order


@dataclass(frozen=True)
class ChunkedSettings:
    """Which games are played: `cells` are experiments for each number of players, set-up and tower.

    `games` are those of each number of players, rounded up to whole chunks of `chunk_games`.
    """

    cells: tuple[Experiment, ...]
    games: int
    seed: int

    chunk_games: ClassVar[int]

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players, in the order of the command."""
        return tuple(dict.fromkeys(cell.players for cell in self.cells))

    @property
    def chunks(self) -> int:
        """Chunks of each number of players."""
        return -(-self.games // self.chunk_games)

    @property
    def played_games(self) -> int:
        """Games of each number of players: `games`, rounded up to whole chunks."""
        return self.chunks * self.chunk_games

    @property
    def wanted_chunks(self) -> list[tuple[int, int]]:
        """The number of players and the number of every chunk, in the order in which they are played."""
        return [(players, chunk) for chunk in range(self.chunks) for players in self.players]

    def cells_of(self, players: int) -> tuple[Experiment, ...]:
        """The cells of a number of players."""
        return tuple(cell for cell in self.cells if cell.players == players)

    def seed_for(self, purpose: str, *position: int) -> int:
        """The seed, from 0 to 2**63 - 1, for a purpose and a position within it."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(_PURPOSES.index(purpose), *position))
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))

    def identity_with(self, **facts: Any) -> dict[str, Any]:
        """What decides the games, in types of JSON: the rules, the cells, these further facts, and the seed."""
        whole = [identity(cell, cell.components()) for cell in self.cells]
        return {
            "engine_version": ENGINE_VERSION,
            "rules": {key: value for key, value in whole[0].items() if key not in _RUN_KEYS},
            "cells": [{key: cell.get(key) for key in ("players", "setup", "tower")} for cell in whole],
            **facts,
            "seed": self.seed,
        }


def play_missing(
    settings: ChunkedSettings,
    store: ChunkStore,
    prepare: Callable[[], Callable[[int, int], Any]],
    write: Callable[[int, int, Any], None],
    workers: int,
    watch: Callable[[int, int], None],
) -> None:
    """Play the chunks that a folder lacks, by the function that `prepare` returns, and `write` each.

    `watch` receives the number of games there are and the number of games planned.
    """
    wanted = settings.wanted_chunks
    missing = store.missing(wanted)
    whole = len({*wanted, *missing}) * settings.chunk_games
    done = whole - len(missing) * settings.chunk_games
    watch(done, whole)
    if not missing:
        return
    chunks = in_parallel(prepare(), missing, workers)
    for (players, chunk), played in zip(missing, chunks, strict=True):
        write(players, chunk, played)
        done += settings.chunk_games
        watch(done, whole)


def in_single_threads(tasks: Iterable[Any], count: int, workers: int) -> list[Any]:
    """The results of `count` tasks of joblib, each in a process with a single thread.

    Small matrices want a single thread, which only another process can be given; so there are two workers at least.
    """
    loky = parallel_config(backend="loky", n_jobs=max(2, min(workers, count)), inner_max_num_threads=1)
    with changed_environment(SAFE_PATH), loky:
        return list(Parallel(batch_size=1, pre_dispatch="n_jobs")(tasks))


class Saved(NamedTuple):
    """The errors of a result's files and of others, one line each, and the digests of the others by name."""

    errors: list[str]
    other_errors: list[str]
    others: dict[str, str]


def value_file(name: str) -> str:
    """The name of the file of a value."""
    return f"{name}.json"


def read_saved(place: FileStore, *files: str) -> Saved:
    """What is wrong with the results that a folder has, of which one, with these files, is about to be computed.

    OSError is passed on.
    """
    try:
        digests = read_checksums(place) or {}
    except RunError as error:
        return Saved([str(error)], [], {})
    errors = list(derived_errors(place, ()))
    own = [error for error in errors if error.partition(": ")[0] in files]
    others = {name: digest for name, digest in digests.items() if name not in files}
    return Saved(own, [error for error in errors if error not in own], others)


def begin(place: FileStore) -> None:
    """Mark the folder as unfinished."""
    place.delete(CHECKSUMS)
