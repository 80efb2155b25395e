"""A policy knows what it holds: the same policy that does not know a tile, or places, plays worse (B4.3, B4.4)."""

import numpy as np
import pytest

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import JIT
from wallsim.engine.arena import Arena
from wallsim.engine.columns import SEAT_COLUMNS
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import TILES

SEATS, SEED = 4, 991
_NAMES = [column.name for column in SEAT_COLUMNS]
WIN, VP = _NAMES.index("win"), _NAMES.index("vp")
RULES = pack_rules(BOARD, Ruleset(players=SEATS), USUAL)
PLACE = 1 << len(TILES)
EVERYTHING = 2 * PLACE - 1


def results(policy, seat, unaware, games):
    """Shares of wins and points of a seat that is informed of all but what the mask has, in the same games."""
    players = pack_players([policy] * SEATS).copy()
    players[0].seat[seat].unaware = unaware
    rows = Arena(RULES, players, SEED).play(0, games).seats
    rows = rows.reshape(games, SEATS, -1)[:, seat].astype(float)
    return np.where(rows[:, WIN] > 0, 1 / np.maximum(rows[:, WIN], 1), 0), rows[:, VP]


def worth_of_knowing(name, unaware, games):
    """Means over games of what knowing adds to wins and points, each with its standard error; blocks are numbers."""
    policy = load_policy(name)
    pairs = [(results(policy, seat, 0, games), results(policy, seat, unaware, games)) for seat in range(SEATS)]
    gains = [np.mean([full[what] - less[what] for full, less in pairs], axis=0) for what in range(2)]
    return [(gain.mean(), gain.std(ddof=1) / np.sqrt(games)) for gain in gains]


@pytest.mark.skipif(not JIT, reason="needs whole games")
def test_who_knows_tiles_and_places_scores_and_wins_more_than_who_does_not():  # B4.3 B4.4
    wins, points = worth_of_knowing("strong-4p", EVERYTHING, 600)
    assert wins[0] > 3 * wins[1]
    assert points[0] > 3 * points[1]


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "known", "least"),
    [
        *(("strong-4p", tile, 2.5) for tile in ("six_armies", "attack", "defence")),
        ("rival-4p", "place", 2.5),  # to the other line it is worth too little for such a sample
        *(("strong-4p", tile, -2.5) for tile in ("thaler", "grain")),  # as one Thaler or one grain is
    ],
)
def test_each_of_these_is_worth_knowing_or_does_no_harm(name, known, least):  # B4.3 B4.4
    bit = PLACE if known == "place" else 1 << TILES.index(known)
    _, points = worth_of_knowing(name, bit, 10_000)
    assert points[0] > least * points[1]


@pytest.mark.skipif(not JIT, reason="needs whole games")
def test_a_policy_that_is_reported_everything_plays_as_ever():
    """The games of the test are those of the policy: only what it does not know makes the difference."""
    policy = load_policy("balanced")
    played = Arena(RULES, pack_players([policy] * SEATS), SEED).play(0, 50).seats
    rows = played.reshape(50, SEATS, -1)[:, 1].astype(float)
    assert (results(policy, 1, 0, 50)[1] == rows[:, VP]).all()
