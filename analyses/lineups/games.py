"""Games of line-ups, played in memory: one game number in every arrangement over the seats is a block.

Of a game, the victory points and Thalers of each line-up at the end are stored, so that the wins under any
handicap in victory points can be read off the same games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.seating.arrangements import Arranged, arrangements
from wallsim.engine.arena import Arena
from wallsim.rules.board import Board
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.setup_edits import EDITED, lineup_of
from wallsim.runs.components import Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, combined
from wallsim.studies.games import Games, in_batches
from wallsim.studies.scope import plays_for

EXPERIMENT = Path(__file__).with_name("experiment.toml")
_THALERS = 4096  # more than anybody has: the weight of half a victory point where Thalers decide ties (B7.6)
_HALVES = 2


class Played(NamedTuple):
    """Games of line-ups: `vp` and `thalers` at the end, int16 [numbers, arrangements, line-ups], by letter.

    `by_thalers` says whether Thalers decide ties, as they do unless [A9] shares.
    """

    vp: np.ndarray
    thalers: np.ndarray
    by_thalers: bool = True

    @property
    def letters(self) -> tuple[str, ...]:
        """The line-ups, in the order of the last axis."""
        return letters_of(self.vp.shape[2])

    def wins(self, halves: Sequence[int] | None = None) -> np.ndarray:
        """The shares in the win, float64 [numbers, arrangements, line-ups], with a handicap in half victory points."""
        points = self.vp.astype(np.int64) * _HALVES + (0 if halves is None else np.asarray(halves, np.int64))
        if self.by_thalers:
            points = points * _THALERS + self.thalers
        best = points == points.max(axis=2, keepdims=True)
        return np.asarray(best / best.sum(axis=2, keepdims=True))

    def arranged(self, halves: Sequence[int] | None = None) -> Arranged:
        """The same games as wins and points by arrangement; a handicap counts for both."""
        gift = 0.0 if halves is None else np.asarray(halves) / _HALVES
        return Arranged(self.letters, ways_of(len(self.letters)), self.wins(halves), self.vp + gift)


def experiment_of(players: int, cell: Cell, changes: Mapping[str, Any] | None = None) -> Experiment:
    """The experiment of a cell, in which all seats play alike, with some changes."""
    policy = next(play.policy for play in plays_for(players) if play.name == cell.play)
    return load_experiment(EXPERIMENT, {"players": players, "policies": policy, "tower": cell.tower, **(changes or {})})


def letters_of(players: int) -> tuple[str, ...]:
    """The line-ups of a number of players."""
    return tuple(LETTERS[:players])


def ways_of(players: int) -> tuple[tuple[str, ...], ...]:
    """All arrangements of the line-ups over the seats."""
    return tuple(arrangements(letters_of(players)))


class Arenas(list[Arena]):
    """One arena per arrangement of the line-ups, in the order of `ways_of`.

    `base` is that of any set-up with the same line-ups, board, tower and rules: Thalers and line-ups are replaced by
    those of `ruleset`. Packing a tower for each would take longer than the games.
    """

    def __init__(self, base: Arena, board: Board, ruleset: Ruleset) -> None:
        """Make the arenas."""
        super().__init__(_arenas(base, board, ruleset))
        self._made_of = base, board, ruleset

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes, which make their own: all together are large."""
        return Arenas, self._made_of


def _arenas(base: Arena, board: Board, ruleset: Ruleset) -> Iterator[Arena]:
    for way in ways_of(ruleset.players):
        own, seated = replace(ruleset, lineups=way), base.rules.copy()
        there = seated[0]
        there.starting_thalers[: own.players] = own.starting_thalers()
        there.lineup_county, there.lineup_army = 0, 0
        for seat, letter in enumerate(way):
            groups = lineup_of(board, own, letter)
            there.lineup_groups[seat], there.lineup_edited[seat] = len(groups), groups[0].source == EDITED
            there.lineup_county[seat, : len(groups)] = [group.county for group in groups]
            there.lineup_army[seat, : len(groups)] = [group.armies for group in groups]
        yield base.with_rules(seated)


def play(parts: Components, seed: int, blocks: int, workers: int | None = 1) -> Played:
    """Play game numbers 0 on in every arrangement: `blocks` of 6 numbers a player."""
    tables = Arenas(parts.arena(seed), parts.board, parts.ruleset)
    batches = in_batches(tables[0], range(blocks), partial(batch, tables), workers=workers)
    vp, thalers = (np.concatenate(each) for each in zip(*batches, strict=True))
    return Played(vp, thalers, parts.ruleset.final_tie == "thalers")


def batch(tables: Sequence[Arena], games: Games) -> tuple[np.ndarray, np.ndarray]:
    """Points and Thalers of the numbers of some games in all arrangements; the games are those of the first."""
    size, each = games.players, []
    for at, (way, arena) in enumerate(zip(ways_of(size), tables, strict=True)):
        here = games if at == 0 else Games(games.first, size, arena.play(games.first, len(games.numbers)))
        order = [way.index(letter) for letter in letters_of(size)]
        each.append([here.seats(name)[:, order].astype(np.int16) for name in ("vp", "thalers")])
    vp, thalers = (np.stack(found, axis=1) for found in zip(*each, strict=True))
    return vp, thalers


def spread_of(shares: Mapping[str, Estimate]) -> Estimate:
    """The spread of wins: the standard deviation of the line-ups' shares around the fair one, in percentage points.

    Its error is that of the linearised root. Chance alone makes it a little larger than it is, never smaller.
    """
    parts = list(shares.values())
    away = [part.value - 100 / len(parts) for part in parts]
    spread = sqrt(sum(each * each for each in away) / len(parts))
    if spread == 0:
        return Estimate(0.0, np.zeros(parts[0].blocks))
    return Estimate(spread, combined([each / (len(parts) * spread) for each in away], parts).influence)
