"""Searching policies on tables of real games: quick searches, and the table as a seat sees it while it plans."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from tests.naive.making import USUAL, packed
from wallsim.engine.arena import Arena
from wallsim.engine.rollout import seat_searchers
from wallsim.engine.season import open_round
from wallsim.policies import decide
from wallsim.policies.catalogue import Policy, load_policy, pack_players
from wallsim.policies.search import Search
from wallsim.policies.value.value_file import load_value
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS, WINTER
from wallsim.rules.tower import TowerModel, load_tower
from wallsim.state.game import new_game
from wallsim.state.setup import show_events

QUICK = Search(width=4, playouts=16, exchanges=2)
VALUED = Search(
    width=6, playouts=48, tables=6, exchanges=4, depth="round", rivals="mixed",
    candidates=("banker", "second-4p"), value="season-ends",
)  # fmt: skip
FAST = replace(VALUED, error=0.0, first_look=1, patience=0.0, casts="by action")
EVERYWHERE = [
    (Ruleset(players=3), USUAL),
    (Ruleset(players=4, setup="draft", expansions=EXPANSIONS), load_tower("mid-urn")),
    (Ruleset(players=5, edition="1e", expansions=EXPANSIONS), load_tower("mid-layered")),
    (Ruleset(players=4, expansions=("court",)), load_tower("rulebook-layered")),
    (Ruleset(players=5, setup="draft", expansions=("landsknechte", "leaders")), USUAL),
]
ROUNDS = [season for season in range(7) if season % (WINTER + 1) != WINTER]


def searcher(search: Search = QUICK, **fields) -> Policy:
    """A quick searching policy, with the candidates and the learned value that it names."""
    search = replace(search, **fields)
    advisers = tuple(map(load_policy, search.candidates))
    value = load_value(search.value) if search.value else None
    return replace(load_policy("rollout"), search=search, advisers=advisers, value=value)


def table_label(value) -> str:
    """A ruleset or a tower in a word or two, for the names of tests."""
    return value.name if isinstance(value, TowerModel) else f"{value.players}{value.setup}{value.edition}"


def arena(rules: Ruleset, *policies: Policy, tower=USUAL, seed: int = 23) -> Arena:
    """An arena of these seats; a single policy plays every seat."""
    seated = list(policies) if len(policies) > 1 else [*policies] * rules.players
    return Arena(np.atleast_1d(np.asarray(packed(rules, tower))), pack_players(seated), seed)


@lru_cache(maxsize=64)
def _recorded(rules, tower, number):
    return arena(rules, load_policy("balanced"), tower=tower).trace(number).snapshots


class Seen:
    """A table at the moment of planning: `game`, `rules`, and `players` who may all search."""

    def __init__(self, rules: Ruleset, tower, season: int, number: int = 0, policy: Policy | None = None):
        """The round `season` (0 to 6, no winter) of a game that `balanced` seats played."""
        self.rules = packed(rules, tower)
        self.seats = range(rules.players)
        self._game = new_game()
        self.game = self._game[0]
        self._game[0] = _recorded(rules, tower, number)[season]  # after the season before
        self.game.year, self.game.season = divmod(season, WINTER + 1)
        if self.game.season == 0:
            show_events(self.game)
        open_round(self.game, self.rules)
        self.policy(policy or searcher())

    def policy(self, policy: Policy) -> Seen:
        """Let everybody play a policy, with minds as they are at the start."""
        self._players = pack_players([policy] * len(self.seats)).copy()
        self.trials = seat_searchers(self._players)
        self.players = self._players[0]
        return self

    def keep(self) -> tuple[np.ndarray, np.ndarray]:
        """Copies of the table and of all minds."""
        return self._game.copy(), self._players.copy()

    def restore(self, saved: tuple[np.ndarray, np.ndarray]) -> None:
        """Make table and minds what they were."""
        self._game[:], self._players[:] = saved

    def plan(self, seat: int) -> list[int]:
        """The cards that a seat plans, by box."""
        mind = self.players.seat[seat]
        decide.choose_plan(self.game, self.rules, mind, seat)
        return mind.plan[: int(self.rules.boxes)].tolist()
