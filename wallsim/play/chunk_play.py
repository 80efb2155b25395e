"""Playing one chunk of a run: games in batches, tables as frames, and the bytes of their Parquet files."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import polars as pl

from wallsim.engine.arena import Arena
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.folder.chunk_tables import ChunkTables, PlayedChunk, PlayedPart, WideMemory
from wallsim.folder.journal import Header
from wallsim.folder.schema import ON_REQUEST, Vocabulary, metadata_of, part_metadata, tables_of, vocabulary
from wallsim.play.compile_progress import warm_up
from wallsim.play.observer import RunObserver

_BATCH = 2000  # maximum games between two checks of the stop request; their matrices fit into the cache
_FIRST_BATCH = 50  # games before their speed is known
_BATCH_SECONDS = 0.25  # target duration of a batch in seconds


# Plays one chunk: its first game, its number of games, and a function that receives the games of each batch.
PlayChunk = Callable[[int, int, Callable[[int], None]], PlayedChunk]


class Player(NamedTuple):
    """What plays the games of a folder: any chunk, and one game, which compiles all that a chunk needs."""

    chunk: PlayChunk
    one_game: Callable[[], Any]

    def compiled(self, observer: RunObserver) -> PlayChunk:
        """Compile what is needed, and return what plays a chunk."""
        warm_up(self.one_game, observer)
        return self.chunk


@dataclass(frozen=True)
class RunContext:
    """What every chunk of a run needs: compiled arena, names of codes, metadata of each table, memory for frames."""

    arena: Arena
    words: Vocabulary
    metadata: dict[str, dict[str, str]]
    memory: WideMemory = field(default_factory=WideMemory)


def run_player(experiment: Experiment, parts: Components, header: Header, *, checked: bool = False) -> Player:
    """What plays a run whose folder has this header; `checked`: with checks of every answer of custom policies."""
    arena, tables = parts.arena(experiment.seed, checked=checked), tables_of(experiment)
    words = vocabulary(parts, experiment.columns, header.format)
    metadata = {table: metadata_of(table, words, header.identity, header.name) for table in tables}
    context = RunContext(arena, words, metadata)
    return Player(partial(play_chunk, context), partial(arena.play, 0, 1, **requests(tables)))


def play_chunk(context: RunContext, first: int, games: int, played_some: Callable[[int], None]) -> PlayedChunk:
    """Play `games` games starting at `first`; `played_some` receives the games of each batch and may raise."""
    chunk_tables = ChunkTables(tuple(context.metadata), context.words, first, games)
    engine = 0.0
    start, batch = first, _FIRST_BATCH
    while start < first + games:
        count = min(batch, first + games - start)
        began = time.thread_time()
        played = context.arena.play(start, count, **requests(context.metadata))
        took = time.thread_time() - began
        engine += took
        chunk_tables.add(played)
        played_some(count)
        start, batch = start + count, _next_batch(count, took)
    parts = []
    for table, about in context.metadata.items():
        frame = chunk_tables.frame(table, context.memory)
        parts.append(PlayedPart(table, frame.height, parquet(frame, part_metadata(about, first, games))))
    return PlayedChunk(tuple(parts), round(engine, 3))


def requests(tables: Iterable[str]) -> dict[str, bool]:
    """The arguments of `Arena.play` by which it returns the tables on request that are among these."""
    return {table: table in tables for table in ON_REQUEST}


def _next_batch(games: int, seconds: float) -> int:
    # Slow policies get small batches, so that a run reacts quickly to a request to stop.
    growth = 4.0 if seconds <= 0 else min(4.0, _BATCH_SECONDS / seconds)
    return max(1, min(_BATCH, int(games * growth)))


def parquet(frame: pl.DataFrame, about: dict[str, str]) -> bytes:
    """A frame as the bytes of a Parquet file: zstd level 1, no statistics, `about` in its metadata."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=1, statistics=False, metadata=about)
    return buffer.getvalue()
