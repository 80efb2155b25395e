"""A few dozen games of every size and set-up and of the Big Box, played once for all tests of whole games."""

from dataclasses import dataclass

import numpy as np
import pytest

from tests.naive.making import USUAL, packed
from tests.naive.rng import JIT
from tests.policies.seating import BIG_BOX, VARIANTS, label
from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import columns_of
from wallsim.policies.record import PLAYERS
from wallsim.rules.ruleset import Ruleset

COUNT = 30 if JIT else 1
TABLES = ("games", "seats", "seasons", "battles", "counties")  # of games without a table of plans
PLAYED = [*(Ruleset(players=players, setup=setup) for players, setup in VARIANTS), *BIG_BOX]


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
        """The sum of several columns; of those that the game counts, where it lacks an expansion."""
        return sum(self[name] for name in names if name in self.names)

    def count(self, name):
        """A column, or zeros where the game lacks its expansion."""
        return self[name] if name in self.names else np.zeros(len(self), np.int64)


@dataclass
class Played:
    """The tables of `count` games of one variant, and the arena they were played in."""

    rules: Ruleset
    arena: Arena
    count: int
    tables: Tables
    games: Rows
    seats: Rows
    seasons: Rows
    battles: Rows
    counties: Rows


def arena_of(rules: Ruleset, seed: int = 11) -> Arena:
    """An arena in which every seat is played by the reference policy."""
    table = np.atleast_1d(np.asarray(packed(rules, USUAL)))
    return Arena(table, np.zeros(1, PLAYERS), seed)


@pytest.fixture(scope="package", params=PLAYED, ids=label)
def played(request):
    """Games of one variant with all result tables."""
    arena = arena_of(request.param)
    tables = arena.play(0, COUNT, seasons=True, battles=True, counties=True)
    rows = (Rows(getattr(tables, name), columns_of(name, request.param.expansions)) for name in TABLES)
    return Played(request.param, arena, COUNT, tables, *rows)


@pytest.fixture(scope="package")
def make_arena():
    """The function that builds an arena for a ruleset."""
    return arena_of
