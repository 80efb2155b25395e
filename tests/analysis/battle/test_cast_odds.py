"""The odds of a battle before its cast: those of other counts, and calibrated in games."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import wallsim
from wallsim.analysis.battle.cast_odds import cast_odds
from wallsim.analysis.battle.odds import Battle, Cubes, battle_odds
from wallsim.rules.tower import TowerModel, Urn, load_tower
from wallsim.stats.intervals import Confidence, wilson
from wallsim.trace.table import Cast, tables

TOWERS = ("mid", "mid-urn", "spielbyweb")
BINS = np.array([0.2, 0.4, 0.6, 0.8])


def cast_of(battle, aside=False):
    """The same battle between seats 0 and 1; the others' cubes are those of seat 2."""
    names = {"attacker": "0", "defender": "1", "peasants": "peasants", "others": "2"}
    cubes = (battle.tray, battle.engaged(), battle.tower)
    piles = [{names[role]: count for role, count in pile._asdict().items()} for pile in cubes]
    attacker = "peasants" if battle.kind == "revolt" else "0"
    defender = "peasants" if battle.kind == "neutral" else "1"
    return Cast(*piles, attacker, defender, battle.kind == "player" and battle.peasants_join, aside)


def battles(number):
    """Battles drawn at random."""
    rng = np.random.default_rng(7)
    for _ in range(number):
        kind = ("player", "neutral", "revolt")[rng.integers(3)]
        tray, tower = (Cubes(*map(int, rng.integers(0, 5, 4))) for _ in range(2))
        yield Battle(
            int(rng.integers(1, 7)), int(rng.integers(1, 6)), kind, bool(rng.integers(2)), tray, tower
        )  # fmt: skip


def test_independent_towers_have_the_odds_of_battles():
    tower = load_tower("mid")
    for battle in battles(60):
        odds, other = cast_odds(tower, cast_of(battle)), battle_odds(tower, battle)
        sides = (other.win, other.lose, other.tie)
        assert odds[:3] == pytest.approx(sides)
        assert odds.exact


@pytest.mark.parametrize("name", ["mid-urn", "rulebook-urn", "spielbyweb-urn"])
def test_an_urn_has_the_shares_of_simulated_casts(name):
    tower, casts, several = load_tower(name), 20_000, 8
    z = Confidence(n_comparisons=2 * several).z
    for number, battle in enumerate(battles(several)):
        odds = cast_odds(tower, cast_of(battle))
        simulated = battle_odds(tower, battle, battles=casts, seed=3, number=number)
        for chance, share in ((odds.attacker, simulated.win), (odds.defender, simulated.lose)):
            low, high = wilson(share, casts, z)
            assert low <= chance <= high
        assert odds.exact


def test_a_full_urn_keeps_nothing_and_a_still_one_lets_nothing_go():
    battle = Battle(3, 1, tower=Cubes(0, 9, 0, 0))
    still = TowerModel("still", Urn(retention=0.0, capacity=50, kappa=0.0, beta=1.0))
    assert cast_odds(still, cast_of(battle))[:3] == pytest.approx((1, 0, 0))  # three against one, all fall
    loose = TowerModel("loose", Urn(retention=0.0, capacity=50, kappa=10.0, beta=1.0))
    assert cast_odds(loose, cast_of(battle))[:3] == pytest.approx((0, 1, 0))  # the nine inside fall, too


def test_peasants_alone_hold_a_county_only_beside_armies_that_stood_aside():  # B6.8, V5 [A13]
    tower = TowerModel("still", Urn(retention=0.0, capacity=50, kappa=0.0, beta=1.0))
    alone = cast_of(Battle(1, 1, tray=Cubes(peasants=3)))
    alone = alone._replace(engaged={**alone.engaged, "1": 0})
    assert cast_odds(tower, alone)[:3] == pytest.approx((0, 0, 1))
    assert cast_odds(tower, alone._replace(aside=True))[:3] == pytest.approx((0, 1, 0))


@pytest.mark.parametrize("name", ["mid-layered", "clumps"])
def test_other_towers_are_simulated(name):
    urn = load_tower("mid-urn")
    tower = load_tower(name) if name != "clumps" else replace(urn, parameters=replace(urn.parameters, clump=2.0))
    odds = cast_odds(tower, cast_of(Battle(4, 2)))
    assert not odds.exact
    assert odds == cast_odds(tower, cast_of(Battle(4, 2)))
    assert odds.attacker > 0.5


def casts_of(tower, games):
    """Chance and outcome of attacker and defender in the battles of some games, [battles, 2, 2]."""
    experiment = wallsim.Experiment(players=4, policies="random", tower=tower, games=games, seed=9)
    rows = []
    for events in wallsim.traces(experiment, range(games)):
        for line, (_, cast) in zip(events, tables(events.match, events), strict=True):
            if cast is not None:
                odds = cast_odds(events.match.tower, cast)
                rows.append([odds[:2], [line["result"] == side for side in ("attacker", "defender")]])
    return np.array(rows, float).swapaxes(1, 2)


def far_off(casts):
    """In which bins of chances wins differ from the chances, at a simultaneous level of 95 %: counts of bins."""
    chances, won = casts[..., 0].ravel(), casts[..., 1].ravel()
    side = np.repeat([[0, 1]], len(casts), axis=0).ravel()
    places = side * (len(BINS) + 1) + np.digitize(chances, BINS)
    gaps = np.bincount(places, won - chances)
    spread = np.sqrt(np.bincount(places, chances * (1 - chances)))
    told = spread > 1.5
    assert told.sum() >= 6
    return int((np.abs(gaps[told]) > Confidence(n_comparisons=int(told.sum())).z * spread[told]).sum())


@pytest.mark.parametrize("tower", TOWERS)
def test_odds_are_calibrated(tower):
    casts = casts_of(tower, 8)
    assert far_off(casts) == 0
    assert far_off(casts[:, ::-1, :] * [1, 0] + casts * [0, 1]) > 0  # with the sides' chances exchanged


@pytest.mark.slow
def test_luck_adds_up_to_nothing_on_average():
    experiment = wallsim.Experiment(players=3, policies="random", games=60, seed=2)
    sums = [sum(events.tower_luck()) for events in islice(wallsim.traces(experiment, range(60)), 60)]
    assert abs(np.mean(sums)) < Confidence().t(60) * np.std(sums, ddof=1) / np.sqrt(60)
    assert np.std(sums) > 0.5
