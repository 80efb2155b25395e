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
PLACE = 1 << len(TILES)
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


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(("setup", "games"), [("lineup", 1_200), ("draft", 600)])
@pytest.mark.parametrize("gift", [{"thalers": 1}, {"thalers": 2}, {"thalers": 4}, {"grain": 1}, {"grain": 3}], ids=str)
@pytest.mark.parametrize("name", QUICK)
def test_gifts_hurt_no_policy_that_ships(name, gift, setup, games):
    made_for = re.search(r"-([345])p", name)
    for gain in gains_of_gift(name, games, int(made_for[1]) if made_for else 4, setup, **gift):
        assert gain.value > -3 * gain.error


def gains_of_ignorance(name, unaware, games):
    """What a seat gains that is not told of the tiles and places of a mask, among copies of a policy."""
    policy = load_policy(name)
    plain = arena_of(4, "lineup", policy, seed=991)

    def changed(seat):
        players = pack_players([policy] * 4).copy()
        players[0].seat[seat].unaware = unaware
        return Arena(plain._rules, players, 991)

    return gains(plain, changed, games)


def test_who_knows_tiles_and_places_scores_and_wins_more_than_who_does_not():  # B4.3 B4.4
    for gain in gains_of_ignorance("strong-4p", 2 * PLACE - 1, 600):
        assert gain.value < -3 * gain.error


@pytest.mark.nightly
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
    points, _ = gains_of_ignorance(name, PLACE if known == "place" else 1 << TILES.index(known), 10_000)
    assert -points.value > least * points.error


def wins_alone(name, host, players, blocks, n_comparisons):
    """How one seat fares among others, in every seat and line-up in turn, on seeds that nothing else was played with.

    Its interval is one of so many.
    """
    [result] = held_out(
        Games(Setting(Experiment(players=players)), workers=1), load_policy(name), [("host", load_policy(host))],
        seats=players, games=players * blocks, seed=90_210, turn=0, n_comparisons=n_comparisons,
    )  # fmt: skip
    return result


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
    result = wins_alone(name, host, players, 150 if name == "rollout" else 1_000, n_comparisons=3)
    assert result.low > least
    assert name != "rollout" or result.share > 0.4


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("host", ["balanced", "banker", "builder", "raider", "casual"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_taught_are_nowhere_weaker_than_the_policies_they_began_with(players, host):
    taught, began = (wins_alone(f"{name}-{players}p", host, players, 500, 30) for name in ("master", "strong"))
    assert taught.high > began.low, (taught.share, began.share)
    assert taught.share > began.share - 0.02


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tuned-3p", "tuned-4p", "tuned-5p"])
@pytest.mark.parametrize("host", ["banker", "farmer", "raider", "turtle", "opportunist", "balanced-noise-08"])
def test_the_tuned_stay_sane_among_policies_they_never_met(name, host):
    players = int(name[6])
    result = wins_alone(name, host, players, 500, n_comparisons=18)
    assert result.high > 1 / players, f"{name} wins {result.share:.1%} among {host}"
