"""A few dozen games of every size and set-up and of the Big Box, played once for all tests of whole games."""

from dataclasses import dataclass

import pytest

from tests.engine.invariants import Columns
from tests.naive.rng import JIT
from tests.policies.seating import BIG_BOX, VARIANTS, arena_under, label
from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import columns_of
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset

COUNT = 30 if JIT else 1
PLAYED = [*(Ruleset(players=players, setup=setup) for players, setup in VARIANTS), *BIG_BOX]


@dataclass
class Played:
    """The tables of `count` games of one variant, and the arena they were played in."""

    rules: Ruleset
    arena: Arena
    count: int
    tables: Tables

    def columns(self, name: str) -> Columns:
        """A table by the names of its columns: seats [games, seats], seasons [games, 8, seats]."""
        players = self.rules.players
        shape = {"seats": (self.count, players), "seasons": (self.count, 8, players)}.get(name, (-1,))
        return Columns(getattr(self.tables, name), columns_of(name, self.rules.expansions), *shape)


@pytest.fixture(scope="package", params=PLAYED, ids=label)
def played(request):
    """Games of one variant, in which the reference policy plays every seat, with all result tables."""
    arena = arena_under(request.param, load_policy("random"), seed=11)
    return Played(request.param, arena, COUNT, arena.play(0, COUNT, seasons=True, battles=True, counties=True))
