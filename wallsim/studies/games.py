"""Games in blocks: batches of games, what is counted in each, and the mean by block and round.

Games 6 × players in a row treat every pair of seat and round once: such a row of games is a block, the unit of all
errors. Games are not stored: a study counts what it needs of each batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import columns_of
from wallsim.experiment.experiment import Experiment
from wallsim.play.parallel import checked_workers, in_parallel
from wallsim.rules.terms import EXPANSIONS, ROUND_NAMES, SEASON_NAMES

Kind = TypeVar("Kind")
Counted = dict[str, np.ndarray]  # by outcome: float64 [blocks, rounds], the mean over the seats treated in that round
_BATCH = 2_000  # games, about; they limit the memory of a worker to a few MB
_PLACES = {
    table: {column.name: place for place, column in enumerate(columns_of(table, EXPANSIONS))}
    for table in ("games", "seats", "seasons")
}
SEASON_OF_ROUND = np.array([SEASON_NAMES.index(name) for name in ROUND_NAMES])


@dataclass(frozen=True)
class Games:
    """A batch of games: numbers `first` ..., whose treated seat and round follow from their numbers."""

    first: int
    players: int
    tables: Tables

    @cached_property
    def numbers(self) -> np.ndarray:
        """The numbers of the games, int64 [games]."""
        return self.first + np.arange(len(self.tables.games))

    @cached_property
    def seat(self) -> np.ndarray:
        """The treated seat of each game, int64 [games]."""
        return self.numbers % self.players

    def game(self, column: str) -> np.ndarray:
        """A column of `games`, float64 [games]."""
        return self.tables.games[:, _PLACES["games"][column]].astype(np.float64)

    def seats(self, column: str) -> np.ndarray:
        """A column of `seats`, float64 [games, seats]; shared wins are shares."""
        values = self.tables.seats[:, _PLACES["seats"][column]].reshape(-1, self.players).astype(np.float64)
        return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0) if column == "win" else values

    def treated(self, values: np.ndarray) -> np.ndarray:
        """The values of the treated seats, [games] of [games, seats]."""
        return np.take_along_axis(values, self.seat[:, None], axis=1)[:, 0]

    def in_round(self, column: str) -> np.ndarray:
        """A column of `seasons` in the treated round, float64 [games, seats]."""
        return self.in_seasons(column, SEASON_OF_ROUND[self.numbers // self.players % len(ROUND_NAMES)])

    def in_seasons(self, column: str, seasons: np.ndarray) -> np.ndarray:
        """A column of `seasons` in one season of each game, 0 to 7, float64 [games, seats]."""
        values = self.tables.seasons[:, _PLACES["seasons"][column]].reshape(-1, len(SEASON_NAMES), self.players)
        return np.take_along_axis(values, seasons[:, None, None], axis=1)[:, 0].astype(np.float64)


Count = Callable[[Games], Mapping[str, np.ndarray]]  # the counts of a batch, by outcome, float64 [games]


def block_size(players: int) -> int:
    """The games of a block: each pair of seat and round once."""
    return len(ROUND_NAMES) * players


def blocks_of(games: int, players: int = 4) -> int:
    """The blocks that so many games fill, at least one."""
    return max(1, games // block_size(players))


def played(
    experiment: Experiment, blocks: int, count: Count, *, seasons: bool = False, workers: int | None = None
) -> Counted:
    """Play blocks of an experiment from game 0 on, and keep the mean of each outcome by block and round.

    `seasons` says whether `count` reads that table. The result does not depend on the number of workers.
    """
    return play_arena(experiment.components().arena(experiment.seed), blocks, count, seasons, workers)


def play_arena(arena: Arena, blocks: int, count: Count, seasons: bool, workers: int | None) -> Counted:
    """Play blocks of an arena from game 0 on, and keep the mean of each outcome by block and round."""
    return counted_in(arena, blocks, partial(_reduced, count=count), seasons, workers)


def counted_in(arena: Arena, blocks: int, count: Count, seasons: bool, workers: int | None, **tables: bool) -> Counted:
    """Play blocks of an arena from game 0 on; the counts of all batches one after the other."""
    parts = in_batches(arena, range(blocks), count, seasons, workers, **tables)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def in_batches(
    arena: Arena, blocks: range, keep: Callable[[Games], Kind], seasons: bool = False, workers: int | None = None,
    **tables: bool,
) -> list[Kind]:  # fmt: skip
    """The counts of each batch of blocks, in order, whatever the number of workers; `tables` that `keep` reads, too."""
    size = block_size(arena.seats)
    step = max(1, _BATCH // size)
    batches = [(at * size, min(step, blocks.stop - at) * size) for at in range(blocks.start, blocks.stop, step)]
    play = partial(_batch, arena, keep, {"seasons": seasons, **tables})
    return list(in_parallel(play, batches, checked_workers(workers)))


def _batch(arena: Arena, keep: Callable[[Games], Kind], tables: Mapping[str, bool], first: int, count: int) -> Kind:
    return keep(Games(first, arena.seats, arena.play(first, count, **tables)))


def _reduced(games: Games, count: Count) -> Counted:
    shape = (-1, len(ROUND_NAMES), games.players)
    return {name: values.reshape(shape).mean(axis=2) for name, values in count(games).items()}
