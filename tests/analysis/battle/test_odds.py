"""The odds of battles: exact ones against every way they can go, simulated ones against exact ones and the game's."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import odds as naive
from tests.naive.making import SHUT, SURE, USUAL
from tests.naive.rng import many_draws
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS, write_table
from tests.naive.tower_distribution import urn_chances
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
from wallsim.mechanics.combat import attack, revolt
from wallsim.rules.terms import RESULTS
from wallsim.rules.tower import Independent, TowerModel, Urn, load_tower
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


def z_of(simulated, exact, name):
    """How many standard errors a simulated chance or mean is from the exact one."""
    share = getattr(exact, name)
    if name in CHANCES:
        error = sqrt(share * (1 - share) / simulated.battles)
    else:
        low, high = simulated.intervals[name]
        error = (high - low) / 2 / 1.959964
    return (getattr(simulated, name) - share) / error


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


JAMMED = tower(Independent(1e-9, 1.0))  # what is thrown stays, what is inside falls
THREE_PEASANTS = Cubes(1, 0, 3, 0)


@pytest.mark.parametrize(
    ("model", "battle", "end"),
    [
        (SURE, Battle(3, 1, tray=Cubes(peasants=1)), "win"),  # B6.7
        (SURE, Battle(2, 1, tray=Cubes(peasants=1)), "tie"),  # B6.9
        (SURE, Battle(1, 1, tray=Cubes(peasants=1)), "lose"),  # B6.8
        (SURE, Battle(2, 1, tray=Cubes(peasants=4), peasants_join=False), "win"),
        (SHUT, Battle(9, 1), "tie"),
        (JAMMED, Battle(3, 2, tower=THREE_PEASANTS), "tie"),  # peasants alone hold no player's county, B6.8
        (JAMMED, Battle(3, 2, "neutral", tower=THREE_PEASANTS), "lose"),
        (SURE, Battle(1, 2, "revolt"), "lose"),  # B6.10: peasants attack, and a level end is a tie
        (SURE, Battle(2, 2, "revolt"), "tie"),
        (SURE, Battle(3, 2, "revolt"), "win"),
    ],
    ids=str,
)
def test_where_the_cubes_that_fall_are_certain_the_end_is(model, battle, end):
    assert getattr(battle_odds(model, battle), end) == pytest.approx(1)


def test_equal_cubes_fall_first_and_the_rest_survives():  # B6.7 B6.8
    assert battle_odds(SURE, Battle(5, 2)).attackers_if_won == 3
    assert battle_odds(SURE, Battle(2, 3, tray=Cubes(peasants=1))).defenders_if_held == 2  # peasants fall first
    assert battle_odds(SURE, Battle(1, 4, "revolt")).defenders_if_held == 3  # B6.10
    assert battle_odds(SURE, Battle(4, 2, "revolt")).attackers_left == 0  # peasants go to the supply
    assert battle_odds(SURE, Battle(2, 3, "neutral")).defenders_left == 0


# ------------------------------------------------------------------------------------- simulated against exact


@many_draws
@pytest.mark.parametrize(
    "battle",
    [
        Battle(4, 2, tower=Cubes(3, 2, 3, 5)),
        Battle(2, 3, tray=Cubes(1, 0, 2, 3), tower=Cubes(1, 4, 2, 0)),
        Battle(5, 2, peasants_join=False, tray=Cubes(peasants=5), tower=Cubes(9, 9, 9, 9)),
        Battle(3, 2, "neutral", tower=Cubes(1, 5, 2, 5)),
        Battle(2, 3, "revolt", tower=Cubes(4, 2, 3, 5)),
    ],
    ids=str,
)
def test_simulated_odds_are_the_exact_ones_within_their_errors(battle):
    exact, result = battle_odds(USUAL, battle), battle_odds(USUAL, battle, simulate=True)
    assert not result.exact
    assert result.win + result.tie + result.lose == pytest.approx(1, abs=1e-12)
    for name in (*CHANCES, *(mean for mean in MEANS if mean in result.intervals)):
        assert abs(z_of(result, exact, name)) < 4, name


def test_intervals_hold_the_exact_odds_in_95_of_100_simulations():
    battle, names = Battle(3, 2, tower=Cubes(2, 2, 2, 2)), (*CHANCES, *MEANS)
    exact = battle_odds(USUAL, battle)
    result = [battle_odds(USUAL, battle, battles=400, number=number, simulate=True) for number in range(400)]
    for name in names:
        ends = (each.intervals[name] for each in result)
        held = sum(low <= getattr(exact, name) <= high for low, high in ends)
        assert 365 <= held <= 394, name  # 380, standard deviation 4.4


@pytest.mark.parametrize("others", [0, 1])
def test_a_small_urns_odds_are_those_of_every_order_and_coin(others):  # cubes of others fill and push, too
    parameters = Urn(retention=0.8, capacity=5, kappa=0.1, beta=1.0)
    thrown, held = (2, 1, 0, others), (1, 1, 1, 1)
    chances = dict.fromkeys(CHANCES, 0.0)
    for (a, d, p, _), chance in urn_chances(parameters, thrown, held).items():
        chances[naive.ending("player", a, d, p, True)[0]] += float(chance)
    battle = Battle(2, 1, tray=Cubes(others=others), tower=Cubes(*held))
    result = battle_odds(tower(parameters), battle)
    for name, chance in chances.items():
        error = sqrt(chance * (1 - chance) / result.battles)
        assert abs(getattr(result, name) - chance) < 4 * error, name


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


def fought(model, battle, count):
    """Ends of so many battles on a table, as the game fights them: shares to win, tie and lose, and armies left."""
    scene = Scene.start(4, tower=model)
    table, game = scene.table, scene.game
    table.give(0, "Böhmen", battle.attackers + 1)
    markers = 0 if battle.peasants_join and battle.kind == "player" else 1
    if battle.kind == "revolt":
        table.give(1, "Mähren", battle.defenders)
    elif battle.kind == "player":
        table.give(1, "Mähren", battle.defenders, markers=markers)
    for place in ("tray", "tower"):
        for colour, cubes in zip((0, 1, PEASANTS, 2), getattr(battle, place), strict=True):
            getattr(table, place)[colour] += cubes
            table.supply[colour] -= cubes
    write_table(table, game)
    inside, before = game.tower.copy(), {name: np.copy(game[name]) for name in game.dtype.names}
    share = np.array(floor_shares(model.parameters) or [0.0])
    ends, left = dict.fromkeys(RESULTS, 0), {"attacker": 0, "defender": 0, "tie": 0}
    origin, target = table.number("Böhmen"), table.number("Mähren")
    for number in range(count):
        for name, value in before.items():
            game[name] = value
        key_game(game, 7, number)
        key_streams(game, 0)
        settle(game, scene.rules, inside, share)
        if battle.kind == "revolt":
            end = "defender" if revolt(game, scene.rules, target, battle.attackers, battle.defenders) else "attacker"
        else:
            fighters = (battle.attackers, battle.defenders)
            end = RESULTS[attack(game, scene.rules, 0, origin, target, *fighters)]
        ends[end] += 1
        left[end] += int(game.survivors)
        assert game.army[target] == game.survivors
    return ends, left


JOINED = Battle(4, 2, tray=Cubes(1, 0, 1, 2), tower=Cubes(2, 2, 2, 1))
NEUTRAL = Battle(2, 1, "neutral", tower=Cubes(1, 2, 3, 1))
REVOLT = Battle(2, 2, "revolt", tower=Cubes(1, 1, 4, 1))


@pytest.mark.parametrize(
    ("model", "battle"),
    [
        ("spielbyweb", JOINED),
        ("spielbyweb", Battle(3, 2, peasants_join=False, tower=Cubes(2, 2, 3, 1))),
        ("spielbyweb", NEUTRAL),
        ("spielbyweb", REVOLT),
        ("spielbyweb-urn", JOINED),
        ("spielbyweb-urn", REVOLT),
        ("spielbyweb-layered", NEUTRAL),
    ],
    ids=["joined", "marked", "neutral", "revolt", "urn joined", "urn revolt", "layered neutral"],
)
def test_battles_on_the_table_end_as_the_odds_say(model, battle):  # B6
    count, model = 3000, load_tower(model)
    ends, left = fought(model, battle, count)
    result = battle_odds(model, battle)
    chances = {"attacker": result.win, "tie": result.tie, "defender": result.lose}
    if battle.kind == "revolt":  # lost in a tie as well
        chances = {"attacker": result.win + result.tie, "tie": 0, "defender": result.lose}
    simulated = 0 if result.exact else 1 / result.battles
    for end, chance in chances.items():
        error = sqrt(chance * (1 - chance) * (1 / count + simulated))
        assert abs(ends[end] / count - chance) <= 4 * error, end
    for end, mean in (("attacker", result.attackers_left), ("defender", result.defenders_left)):
        assert abs(left[end] / count - mean) < 4 * sqrt((6 * mean + 0.1) / count)  # armies left: at most about six


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
        ({"defenders": 0}, ("defenders: 0", "1 to 62")),
        ({"defenders": 21, "kind": "neutral"}, ("defenders: 21", "0 to 20")),
        ({"attackers": 21, "kind": "revolt"}, ("attackers: 21", "0 to 20")),
        ({"kind": "siege"}, ("kind: 'siege'", "player, neutral, revolt")),
        ({"tray": Cubes(peasants=21)}, ("tray.peasants: 21", "0 to 20")),
        ({"tower": Cubes(attacker=-1)}, ("tower.attacker: -1", "0 to 62")),
        ({"tower": Cubes(others=187)}, ("tower.others: 187", "0 to 186")),
        ({"tray": Cubes(attacker=30), "tower": Cubes(attacker=30)},
         ("attacker: 3 added", "30 in the tray", "30 in the tower", "62 in the box")),
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
