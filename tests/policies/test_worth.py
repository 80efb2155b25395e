"""What one seat gains by having or knowing more, or by playing a stronger policy, in games that are otherwise the same.

Numbers and seed are the same with and without it, so cards, line-ups, events and the tower's luck are those of the same
game until somebody decides otherwise.
"""

import re

import numpy as np
import pytest

from tests.naive.rng import JIT
from tests.policies.seating import arena_of
from wallsim.engine.arena import Arena
from wallsim.engine.columns import SEAT_COLUMNS
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import load_policy, pack_players, policy_names
from wallsim.rules.terms import TILES
from wallsim.searches.tuning.evaluation import Games, held_out
from wallsim.stats.blocks import block_mean

pytestmark = pytest.mark.skipif(not JIT, reason="plays whole games")
SEED = 60_601
QUICK = [name for name in policy_names() if load_policy(name).search is None]
NAMES = [column.name for column in SEAT_COLUMNS]


def results(arena, seat, games):
    """Points and wins in per cent of a seat, [2, games]."""
    rows = arena.play(0, games).seats.reshape(games, arena.seats, -1)[:, seat].astype(float)
    wins = rows[:, NAMES.index("win")]
    return np.array([rows[:, NAMES.index("vp")], np.where(wins > 0, 100 / np.maximum(wins, 1), 0.0)])


def gains(plain, changed, games):
    """What a seat gains in points and in wins, a mean over seats; `changed(seat)` is the arena in which it has more."""
    pairs = [(results(changed(seat), seat, games), results(plain, seat, games)) for seat in range(plain.seats)]
    return [block_mean(gain) for gain in np.mean([more - less for more, less in pairs], axis=0)]


def gains_of_gift(name, games, players=4, setup="lineup", **gift):
    """What Thalers or grain in hand when the first round begins are worth among copies of a policy."""

    def arena(*steps):
        given = Experiment(players=players, setup=setup, interventions=list(steps))
        return Setting(given).arena([load_policy(name)] * players, SEED)

    return gains(arena(), lambda seat: arena({"do": "hand", "seat": seat, "round": "start", **gift}), games)


def test_a_great_gift_is_worth_a_great_deal():
    """Twenty Thalers are more than a seat begins with: if they were not handed over, this would show it."""
    for gain in gains_of_gift("balanced", 200, thalers=20):
        assert gain.value > 10 * gain.error


@pytest.mark.one_in(20)
@pytest.mark.slow
@pytest.mark.parametrize(("gift", "setup"), [({"thalers": 2}, "lineup"), ({"grain": 1}, "draft")])
@pytest.mark.parametrize("name", QUICK)
def test_gifts_hurt_no_policy_that_ships(name, gift, setup):
    made_for = re.search(r"-([345])p", name)
    for gain in gains_of_gift(name, 500, int(made_for[1]) if made_for else 4, setup, **gift):
        assert gain.value > -3 * gain.error


def test_who_knows_tiles_and_places_scores_and_wins_more_than_who_does_not():  # B4.3 B4.4
    plain = arena_of(4, "lineup", load_policy("strong-4p"), seed=SEED)

    def unaware(seat):
        players = pack_players([load_policy("strong-4p")] * 4).copy()
        players[0].seat[seat].unaware = (2 << len(TILES)) - 1
        return Arena(plain._rules, players, SEED)

    for gain in gains(plain, unaware, 600):
        assert gain.value < -3 * gain.error


@pytest.mark.one_in(10)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "host", "players", "least"),
    [
        *((f"tuned-{players}p", "balanced", players, 1.0 / players) for players in (3, 4, 5)),
        *((f"master-{players}p", f"strong-{players}p", players, 1.3 / players) for players in (3, 4, 5)),
        ("rollout", "tuned-4p", 4, 0.25),
    ],
)
def test_the_strongest_win_much_more_than_a_share_alone_among_others(name, host, players, least):
    """On seeds that nothing else was played with."""
    blocks = 150 if name == "rollout" else 600
    [result] = held_out(
        Games(Setting(Experiment(players=players)), workers=1), load_policy(name), [("host", load_policy(host))],
        seats=players, games=players * blocks, seed=90_210, turn=0, n_comparisons=3,
    )  # fmt: skip
    assert result.low > least
