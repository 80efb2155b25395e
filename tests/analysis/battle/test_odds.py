"""The odds of battles: exact ones against every way they can go, simulated ones against exact ones and the game's."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import odds as naive
from tests.naive.making import USUAL
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS, write_table
from tests.refusals import refused
from wallsim.analysis.battle.odds import (
    CHANCES,
    KINDS,
    MEANS,
    NOTHING,
    Battle,
    Cubes,
    battle_odds,
    floor_shares,
    odds_table,
)
from wallsim.engine.casting import settle
from wallsim.mechanics.combat import attack
from wallsim.rules.terms import RESULTS
from wallsim.rules.tower import Independent, TowerModel, load_tower
from wallsim.rules.tower_tables import FOES_INSIDE, FOES_THROWN, INSIDE, THROWN, WHOLE, win_table
from wallsim.state.random import key_game, key_streams

CUBES = st.builds(Cubes, *[st.integers(0, 4)] * 4)


def tower(parameters):
    """A tower with these parameters."""
    return TowerModel("planted", parameters)


@st.composite
def battles(draw, kind=None, join=None):
    """Small battles of every kind, or of one."""
    kind = kind or draw(st.sampled_from(KINDS))
    attackers = draw(st.integers(0 if kind == "revolt" else 1, 6))
    defenders = draw(st.integers(0 if kind == "neutral" else 1, 5))
    return Battle(attackers, defenders, kind, draw(st.booleans()) if join is None else join, draw(CUBES), draw(CUBES))


@pytest.mark.parametrize(("kind", "join"), [("player", True), ("player", False), ("neutral", True), ("revolt", True)])
@given(st.data())
def test_exact_odds_are_those_of_every_way_the_cubes_can_fall(kind, join, data):  # B6.5 to B6.10
    battle = data.draw(battles(kind, join))
    parameters = Independent(*(data.draw(st.sampled_from((0.01, 0.184, 1 / 3, 0.7, 1.0))) for _ in range(2)))
    result = battle_odds(tower(parameters), battle)
    expected = naive.odds(parameters, battle.thrown()[:3], battle.tower[:3], battle.kind, battle.peasants_join)
    for name, value in expected.items():
        assert getattr(result, name) == pytest.approx(float(value), abs=1e-12), name
    assert abs(result.win + result.tie + result.lose - 1) < 1e-12
    for given_so, left, chance in (
        (result.attackers_if_won, expected["attackers_left"], expected["win"]),
        (result.defenders_if_held, expected["defenders_left"], expected["lose"]),
    ):
        assert given_so == (None if chance == 0 else pytest.approx(float(left / chance), abs=1e-9))
    assert result.exact
    assert result.intervals == {}


# ------------------------------------------------------------------------------------- simulated against exact


@pytest.mark.parametrize(
    "battle",
    [
        Battle(2, 3, tray=Cubes(1, 0, 2, 3), tower=Cubes(1, 4, 2, 0)),
        Battle(3, 2, "neutral", tower=Cubes(1, 5, 2, 5)),
        Battle(2, 3, "revolt", tower=Cubes(4, 2, 3, 5)),
    ],
    ids=str,
)
def test_simulated_odds_are_the_exact_ones_within_their_errors(battle):
    exact, result = battle_odds(USUAL, battle), battle_odds(USUAL, battle, simulate=True)
    assert not result.exact
    assert result.win + result.tie + result.lose == pytest.approx(1, abs=1e-12)
    for name, (low, high) in result.intervals.items():  # of 95 %: twice as far are four standard errors
        assert abs(getattr(result, name) - getattr(exact, name)) < high - low, name


def test_intervals_hold_the_exact_odds_in_95_of_100_simulations():
    battle, names = Battle(3, 2, tower=Cubes(2, 2, 2, 2)), (*CHANCES, *MEANS)
    exact = battle_odds(USUAL, battle)
    result = [battle_odds(USUAL, battle, battles=400, number=number, simulate=True) for number in range(400)]
    for name in names:
        ends = (each.intervals[name] for each in result)
        held = sum(low <= getattr(exact, name) <= high for low, high in ends)
        assert 365 <= held <= 394, name  # 380, standard deviation 4.4


def test_simulations_are_the_same_again_and_differ_by_seed_and_number():
    battle, urn = Battle(3, 2, tower=Cubes(1, 1, 1, 1)), load_tower("spielbyweb-urn")
    one = battle_odds(urn, battle, battles=200, seed=5, number=2)
    assert battle_odds(urn, battle, battles=200, seed=5, number=2) == one
    assert battle_odds(urn, battle, battles=200, seed=6, number=2) != one
    assert battle_odds(urn, battle, battles=200, seed=5, number=3) != one


def test_few_or_equal_battles_give_no_interval_of_a_mean():
    few = battle_odds(USUAL, Battle(3, 2), battles=29, simulate=True)
    assert set(few.intervals) == set(CHANCES)
    equal = battle_odds(USUAL, Battle(1, 1), battles=200, simulate=True)
    assert equal.attackers_if_won == 1
    assert "attackers_if_won" not in equal.intervals


# --------------------------------------------------------------------------------------- against the game itself


@pytest.mark.parametrize("model", ["spielbyweb-urn", "spielbyweb-layered"])
def test_battles_on_the_table_end_as_the_odds_say(model):  # B6
    """Two armies against a neutral county, 3,000 times, from the same tower, settled anew for each battle."""
    count, model = 3000, load_tower(model)
    battle = Battle(2, 1, "neutral", tower=Cubes(1, 2, 3, 1))
    scene = Scene.start(4, tower=model)
    table, game = scene.table, scene.game
    table.give(0, "Böhmen", battle.attackers + 1)
    for colour, cubes in zip((0, 1, PEASANTS, 2), battle.tower, strict=True):
        table.tower[colour] += cubes
        table.supply[colour] -= cubes
    write_table(table, game)
    inside, before = game.tower.copy(), {name: np.copy(game[name]) for name in game.dtype.names}
    share, ends = np.array(floor_shares(model.parameters) or [0.0]), dict.fromkeys(RESULTS, 0)
    for number in range(count):
        for name, value in before.items():
            game[name] = value
        key_game(game, 7, number)
        key_streams(game, 0)
        settle(game, scene.rules, inside, share)
        ends[RESULTS[attack(game, scene.rules, 0, table.number("Böhmen"), table.number("Mähren"), 2, 1)]] += 1
    result = battle_odds(model, battle)
    for end, chance in zip(("attacker", "tie", "defender"), (result.win, result.tie, result.lose), strict=True):
        assert abs(ends[end] / count - chance) <= 4 * sqrt(chance * (1 - chance) * (1 / count + 1 / result.battles)), (
            end
        )


# -------------------------------------------------------------------------------- the table that policies look into


@pytest.mark.parametrize("name", ["spielbyweb", "mid", "rulebook"])
def test_the_policies_table_holds_the_exact_odds_to_its_last_digit(name):  # B6.6 B6.7
    model, rng = load_tower(name), np.random.default_rng(3)
    table = win_table(model.parameters.p, model.parameters.q)
    corners = [(1, 1, 0, 0), (THROWN - 1, FOES_THROWN - 1, INSIDE - 1, FOES_INSIDE - 1), (1, FOES_THROWN - 1, 0, 0)]
    ranges = ((1, THROWN), (1, FOES_THROWN), (0, INSIDE), (0, FOES_INSIDE))
    drawn = [tuple(int(rng.integers(*some)) for some in ranges) for _ in range(150)]
    for thrown, foes, inside, held in corners + drawn:
        peasants, loose = int(rng.integers(0, min(foes, 12))), int(rng.integers(0, min(held, 8) + 1))
        cubes = Cubes(inside, held - loose, loose, 0)
        battle = Battle(thrown, foes - peasants, tray=Cubes(peasants=peasants), tower=cubes)
        exact = battle_odds(model, battle).win
        assert abs(table[inside, held, thrown, foes] / WHOLE - exact) <= 0.5 / WHOLE + 1e-12


# ------------------------------------------------------------------------------------------------ many, and errors


def test_a_table_has_a_row_for_every_battle_with_its_odds():
    like = Battle(1, 1, peasants_join=False, tray=Cubes(peasants=2), tower=Cubes(1, 2, 3, 4))
    table = odds_table(USUAL, (1, 3), range(1, 4), like)
    assert table.select("attackers", "defenders").rows() == [(1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)]
    for row in table.rows(named=True):
        odds = battle_odds(USUAL, replace(like, attackers=row["attackers"], defenders=row["defenders"]))
        assert {name: row[name] for name in (*CHANCES, *MEANS)} == {n: getattr(odds, n) for n in (*CHANCES, *MEANS)}
        assert row["battles"] is row["win_low"] is None
    urn = odds_table(load_tower("mid-urn"), [2], [1], like, battles=300)
    low, share, high = urn.select("win_low", "win", "win_high").row(0)
    assert low < share < high
    assert urn["battles"].item() == 300


@pytest.mark.parametrize(
    ("given_so", "names"),
    [
        ({"attackers": 0}, ("attackers: 0", "1 to 62")),
        ({"attackers": 2.0}, ("attackers: 2.0", "1 to 62")),
        ({"defenders": 21, "kind": "neutral"}, ("defenders: 21", "0 to 20")),
        ({"attackers": 21, "kind": "revolt"}, ("attackers: 21", "0 to 20")),
        ({"kind": "siege"}, ("kind: 'siege'", "player, neutral, revolt")),
        ({"tower": Cubes(others=187)}, ("tower.others: 187", "0 to 186")),
        ({"tray": Cubes(attacker=-1)}, ("tray.attacker: -1", "0 to 62")),
        ({"defenders": 2, "kind": "neutral", "tower": Cubes(peasants=19)},
         ("peasants: 2 added", "0 in the tray", "19 in the tower", "20 in the box")),
    ],
)  # fmt: skip
def test_battles_that_no_box_has_cubes_for_are_refused(given_so, names):  # B0.2
    with refused(*names, by=ValueError):
        Battle(**{"attackers": 3, "defenders": 2, **given_so})


@pytest.mark.parametrize(("name", "room"), [("spielbyweb-layered", 20), ("spielbyweb-urn", 24)])
def test_more_cubes_than_a_tower_has_room_for_are_refused(name, room):
    full = Battle(3, 2, tower=Cubes(others=room))
    battle_odds(load_tower(name), full, battles=10)
    with refused(f"tower: {room + 1} cubes", f"the {room} that {name}", by=ValueError):
        battle_odds(load_tower(name), replace(full, tower=Cubes(others=room + 1)), battles=10)
    with refused("battles: 0", "from 1", by=ValueError):
        battle_odds(load_tower(name), full, battles=0)


def test_the_whole_box_can_be_thrown():  # B0.2
    everything = Battle(60, 50, tray=Cubes(1, 2, 18, 100), tower=Cubes(1, 10, 2, 7))
    for name in ("spielbyweb-urn", "spielbyweb-layered"):
        assert battle_odds(load_tower(name), everything, battles=50).battles == 50
    assert battle_odds(USUAL, replace(everything, tray=NOTHING)).win > 0.5
