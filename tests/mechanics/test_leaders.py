"""The military leaders: bonuses, statues, trophies, loss and return (M1 to M5)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import leaders as naive
from tests.naive.making import tables_with
from tests.naive.scene import DONE, Scene
from tests.naive.table import bits, differences
from wallsim.mechanics.combat import attack, revolt
from wallsim.mechanics.economy import build, collect_grain, collect_taxes, deploy, deploy_one
from wallsim.mechanics.leaders import (
    leader_must_leave,
    leader_must_move,
    leader_returns,
    leave_statue,
    may_leave_statue,
    place_leader,
    score_statues,
    statue_in_hand,
    statues_in,
    statues_standing,
)
from wallsim.mechanics.winter import winter_revolt
from wallsim.rules.terms import STATUES
from wallsim.state.game import leads

HOME, NEXT, FAR = "Böhmen", "Mähren", "Tirol"
DICE = st.randoms(use_true_random=False)


def led(armies=4, leader=HOME, thalers=10, **more):
    """Seat 0 holds Böhmen, Mähren beside it and far Tirol; its leader stands in one of them."""
    event, tile = more.pop("event", "none"), more.pop("tile", None)
    scene = Scene.start(event=event, expansions=("leaders",), **more)
    for county in (HOME, NEXT, FAR):
        scene.table.give(0, county, armies)
    player = scene.table.players[0]
    player.leader, player.thalers, player.tile = leader, thalers, tile
    return scene


# --------------------------------------------------------------------------------------------------- M2: bonuses


def test_where_the_leader_is_not_nothing_is_cheaper_or_more():  # M2
    """What it brings where it is is in the tables of `test_economy`."""
    scene = led(thalers=3 + 1 + 3, leader=FAR)
    assert [bool(scene.do(leads, 0, county)) for county in (HOME, FAR)] == [False, True]
    assert not scene.do(leads, 1, HOME)
    assert scene.outcome(build, 0, HOME, "palace") == DONE
    assert scene.outcome(deploy_one, 0, HOME) == DONE
    assert scene.outcome(deploy, 0, HOME, "deploy5") == DONE
    assert (scene.table.players[0].thalers, scene.table.land[HOME].armies) == (0, 4 + 1 + 5)
    assert (scene.do(collect_taxes, 0, HOME), scene.do(collect_grain, 0, HOME)) == (6, 2)


# --------------------------------------------------------------------------------------- M3: statues and trophies


@pytest.mark.parametrize(("goal", "may"), [(NEXT, True), (FAR, False)])
def test_a_statue_may_be_left_on_the_way_to_an_adjacent_county_only(goal, may):  # M3
    assert bool(led().do(may_leave_statue, 0, goal)) is may


def test_a_statue_stands_in_the_county_the_leader_came_from():  # M3
    scene = led()
    scene.do(leave_statue, 0)
    scene.do(place_leader, 0, NEXT)
    player = scene.table.players[0]
    assert (player.statues, player.leader) == (Counter({HOME: 1}), NEXT)
    assert (scene.do(statues_in, 0, HOME), scene.do(statues_in, 0, NEXT), scene.do(statues_standing, 0)) == (1, 0, 1)
    assert player.counts["statues_left"] == 1


@pytest.mark.parametrize(
    ("switch", "county", "may"), [("one", HOME, False), ("any", HOME, True), ("one", NEXT, True), ("any", NEXT, True)]
)
def test_an_owner_has_one_statue_a_county_or_any_number(switch, county, may):  # M3 A10
    scene = led(statues_a_county=switch)
    scene.table.players[0].statues[county] = 1
    assert bool(scene.do(may_leave_statue, 0, NEXT)) is may


@pytest.mark.parametrize(("standing", "lost", "may"), [(5, 0, True), (6, 0, False), (2, 3, True), (2, 4, False)])
def test_a_player_has_six_statues_and_gets_none_back(standing, lost, may):  # M1 M3
    scene = led()
    others = [name for name in scene.table.land if name not in (HOME, NEXT)]
    scene.table.players[0].statues = Counter(others[:standing])
    scene.table.players[0].statues_lost = scene.table.players[1].trophies = lost
    assert (scene.do(statue_in_hand, 0) < STATUES) is may
    assert bool(scene.do(may_leave_statue, 0, NEXT)) is may


@pytest.mark.parametrize("leader", [HOME, None], ids=["moved", "placed"])
@pytest.mark.parametrize("statues", [1, 3])
def test_entering_a_county_takes_an_opponents_statues_there_as_trophies_and_no_own(statues, leader):  # M3 M4 A10
    scene = led(statues_a_county="any", leader=leader)
    scene.table.players[0].statues = Counter({NEXT: 1})
    scene.table.players[2].statues = Counter({NEXT: statues, FAR: 1})
    losers = scene.do(place_leader, 0, NEXT)
    winner, loser = scene.table.players[0], scene.table.players[2]
    assert (losers, winner.statues) == (1 << 2, Counter({NEXT: 1}))
    assert (winner.leader, winner.trophies, winner.counts["trophies"]) == (NEXT, statues, statues)
    assert (loser.statues, loser.statues_lost) == (Counter({FAR: 1}), statues)
    assert loser.counts["statues_lost"] == statues


def test_a_trophy_is_not_a_statue_of_its_new_owner():  # M3
    scene = led()
    scene.table.players[2].statues[NEXT] = 1
    scene.table.players[0].statues = Counter([name for name in scene.table.land if name not in (HOME, NEXT)][:6])
    scene.do(place_leader, 0, NEXT)
    assert scene.do(statue_in_hand, 0) == STATUES
    assert not scene.do(may_leave_statue, 0, HOME)


@pytest.mark.parametrize("switch", ["stays", "leaves"])
@pytest.mark.parametrize(("counties", "there"), [(0, False), (1, True), (1, False), (2, True), (2, False)])
def test_a_leader_with_one_county_stays_there_or_leaves_the_board(counties, there, switch):  # M3 A11
    scene = Scene.start(expansions=("leaders",), single_county=switch)
    for county in (HOME, NEXT)[:counties]:
        scene.table.give(0, county, 1)
    scene.table.players[0].leader = HOME if there else None
    assert bool(scene.do(leader_must_move, 0)) is (there and counties == 2)
    assert bool(scene.do(leader_must_leave, 0)) is (there and counties == 1 and switch == "leaves")


# ------------------------------------------------------------------------------------------- M4: loss and return


def beset(defenders, leader=HOME):
    """Seat 1 stands with three armies more than must stay before Böhmen, where seat 0 has its leader and a statue."""
    scene = Scene.start(expansions=("leaders",))
    scene.table.give(0, HOME, defenders)
    scene.table.give(0, FAR, 1)
    scene.table.give(1, NEXT, 4)
    scene.table.players[0].leader = leader
    scene.table.players[0].statues[HOME] = 1
    return scene


def is_lost(scene):
    """Whether the leader of seat 0 left the board, and its statue stayed."""
    player = scene.table.players[0]
    assert player.statues == Counter({HOME: 1})
    assert player.counts["leader_lost"] == (player.leader is None)
    return player.leader is None


@pytest.mark.parametrize("leader", [HOME, FAR])
@pytest.mark.parametrize(("defenders", "result"), [(2, "attacker"), (3, "tie"), (4, "defender")])
def test_a_leader_leaves_the_board_by_conquest_and_tie_where_it_is_and_its_statue_stays(
    defenders, result, leader
):  # M3 M4
    scene = beset(defenders, leader=leader)
    scene.table.players[1].leader = NEXT
    assert scene.fight(attack, 1, NEXT, HOME, 3, defenders) == result
    assert is_lost(scene) is (result != "defender" and leader == HOME)
    assert (scene.table.players[1].leader, scene.table.players[1].trophies) == (NEXT, 0)


@pytest.mark.parametrize("kernel", [revolt, winter_revolt])
@pytest.mark.parametrize("peasants", [1, 2, 3])
def test_a_leader_leaves_the_board_by_a_lost_revolt_and_its_statue_stays(peasants, kernel):  # M4
    scene = beset(2)
    held = scene.do(kernel, HOME, peasants, 2)
    assert bool(held) is (peasants < 2)
    assert is_lost(scene) is not held


@pytest.mark.parametrize(
    ("leader", "counties", "returns"), [(None, [HOME], True), (None, [], False), (HOME, [HOME], False)]
)
def test_a_leader_returns_if_it_is_off_the_board_and_its_owner_has_a_county(leader, counties, returns):  # M4
    scene = Scene.start(expansions=("leaders",))
    for county in counties:
        scene.table.give(0, county, 1)
    scene.table.players[0].leader = leader
    assert bool(scene.do(leader_returns, 0)) is returns


# --------------------------------------------------------------------------------------------------- M5: scoring


@pytest.mark.parametrize("year", [0, 1])
@pytest.mark.parametrize("switch", ["each_winter", "at_the_end"])
def test_statues_and_trophies_score_each_winter_or_at_the_end(switch, year):  # M5 A12
    scene = led(statue_points=switch)
    scene.table.year = year
    scene.table.players[0].statues = Counter({HOME: 1, FAR: 1, "Altmark": 1})
    scene.table.players[0].trophies = scene.table.players[3].statues_lost = 2
    scene.table.players[1].statues["Altmark"] = 1
    scene.do(score_statues)
    scores = switch == "each_winter" or year == 1
    assert [player.points for player in scene.table.players.values()] == ([3 + 2, 1, 0, 0] if scores else [0] * 4)
    counts = scene.table.players[0].counts
    assert counts[f"vp_statues_year{year + 1}"] == (3 if scores else 0)
    assert counts[f"vp_trophies_year{year + 1}"] == (2 if scores else 0)
    assert counts[f"vp_statues_year{2 - year}"] == counts[f"vp_trophies_year{2 - year}"] == 0


# ------------------------------------------------------------------------------------------- against the twins


@given(tables_with("leaders"), DICE)
def test_leaders_agree_with_the_naive_ones(table, rng):  # M3 M4 B0.2 A10 A11
    scene, twin = Scene(table), table
    for _ in range(10):
        seat = rng.choice([*twin.players])
        own = twin.counties_of(seat)
        assert scene.do(leader_must_move, seat) == naive.must_move(twin, seat)
        assert scene.do(leader_must_leave, seat) == naive.must_leave(twin, seat)
        assert scene.do(leader_returns, seat) == naive.returns(twin, seat)
        if not own:
            continue
        goal = rng.choice(own)
        if twin.players[seat].leader is not None and goal != twin.players[seat].leader:
            may = naive.may_leave_statue(twin, seat, goal)
            assert scene.do(may_leave_statue, seat, goal) == may
            if may:
                scene.do(leave_statue, seat)
                naive.leave_statue(twin, seat)
        losers = scene.do(place_leader, seat, goal)
        assert bits(losers, range(5)) == naive.enter(twin, seat, goal)
        assert differences(scene.table, twin) == []
