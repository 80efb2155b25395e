"""A few dozen games of every size and set-up, played once for all tests of whole games."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.naive.chance import JIT
from tests.naive.making import USUAL, packed
from wallsim.engine.arena import Arena
from wallsim.engine.columns import BATTLE_COLUMNS, GAME_COLUMNS, SEASON_COLUMNS, SEAT_COLUMNS
from wallsim.policies.record import PLAYERS
from wallsim.rules.ruleset import Ruleset

COUNT = 30 if JIT else 1
VARIANTS = [(players, setup) for players in (3, 4, 5) for setup in ("lineup", "draft")]


class Rows:
    """A result matrix whose columns are read by name."""

    def __init__(self, matrix, columns):
        self.matrix = matrix
        self.names = [column.name for column in columns]

    def __getitem__(self, name):
        return self.matrix[:, self.names.index(name)].astype(np.int64)

    def __len__(self):
        return len(self.matrix)

    def total(self, names):
        """The sum of several columns."""
        return sum(self[name] for name in names)


@dataclass
class Played:
    """The tables of `count` games of one variant, and the arena they were played in."""

    rules: Ruleset
    arena: Arena
    count: int
    games: Rows
    seats: Rows
    seasons: Rows
    battles: Rows


def arena_of(rules: Ruleset, seed: int = 11) -> Arena:
    """An arena in which every seat is played by the reference policy."""
    table = np.atleast_1d(np.asarray(packed(rules, USUAL)))
    return Arena(table, np.zeros(1, PLAYERS), seed)


@pytest.fixture(scope="package", params=VARIANTS, ids=lambda variant: f"{variant[0]} players, {variant[1]}")
def played(request):
    """Games of one variant with all four result tables."""
    rules = Ruleset(players=request.param[0], setup=request.param[1])
    arena = arena_of(rules)
    tables = arena.play(0, COUNT, seasons=True, battles=True)
    columns = (GAME_COLUMNS, SEAT_COLUMNS, SEASON_COLUMNS, BATTLE_COLUMNS)
    return Played(rules, arena, COUNT, *map(Rows, tables, columns))


@pytest.fixture(scope="package")
def make_arena():
    """The function that builds an arena for a ruleset."""
    return arena_of
