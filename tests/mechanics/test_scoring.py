"""Victory points and the winner (B7.4, B7.6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import winter as naive
from tests.naive.making import big_box_tables, tables
from tests.naive.scene import Scene
from tests.naive.table import KINDS, differences
from wallsim.mechanics.winter import find_leaders, majority_points, rank_of, score_winter


def scored(*holdings, year=0):
    """Points of three seats for (seat, county, buildings), scored once."""
    scene = Scene.start(3)
    scene.table.year = year
    for seat, county, buildings in holdings:
        scene.table.give(seat, county, 1, buildings)
    scene.do(score_winter)
    return scene, [player.points for player in scene.table.players.values()]


def test_a_county_and_a_building_are_worth_a_point_each():  # B7.4
    _, points = scored((0, "Böhmen", []), (0, "Passau", []), (1, "Baden", ["trading_post"]))
    assert points == [2, 1 + 1 + 1, 0]


@pytest.mark.parametrize(("kind", "prize"), [("palace", 3), ("church", 2), ("trading_post", 1)])
def test_most_palaces_of_a_region_give_three_churches_two_trading_posts_one(kind, prize):  # B7.4
    _, points = scored((0, "Böhmen", [kind]), (0, "Mähren", [kind]), (1, "Kärnten", [kind]))
    assert points == [2 + 2 + prize, 2, 0]


@pytest.mark.parametrize(("kind", "prize"), [("palace", 3), ("church", 2), ("trading_post", 1)])
def test_tied_leaders_each_get_one_point_less(kind, prize):  # B7.4
    _, points = scored((0, "Böhmen", [kind]), (1, "Kärnten", [kind]), (2, "Mähren", []))
    assert points == [2 + prize - 1, 2 + prize - 1, 1]


def test_three_tied_leaders_also_get_just_one_point_less():  # B7.4
    _, points = scored((0, "Böhmen", ["palace"]), (1, "Kärnten", ["palace"]), (2, "Mähren", ["palace"]))
    assert points == [4, 4, 4]


def test_nobody_gets_anything_for_a_kind_that_a_region_lacks():  # B7.4
    scene, points = scored((0, "Böhmen", []), (1, "Baden", []))
    assert points == [1, 1, 0]
    assert not scene.game.leaders.any()


def test_each_region_is_judged_by_itself():  # B7.4
    _, points = scored((0, "Böhmen", ["palace"]), (1, "Baden", ["palace"]), (1, "Altmark", ["church"]))
    assert points == [1 + 1 + 3, 2 + 2 + 3 + 2, 0]


@pytest.mark.parametrize("year", [0, 1])
def test_points_are_counted_by_source_and_year(year):  # B7.4
    scene, _ = scored((0, "Böhmen", ["palace", "church"]), year=year)
    counts = {name: n for name, n in scene.table.players[0].counts.items() if n}
    sources = {"counties": 1, "buildings": 2, "palace_majorities": 3, "church_majorities": 2}
    assert counts == {f"vp_{source}_year{year + 1}": number for source, number in sources.items()}


@given(big_box_tables())
def test_scores_agree_with_those_read_off_the_board(table):  # B7.4
    scene = Scene(table)
    scene.do(score_winter)
    naive.score(table)
    assert differences(scene.table, table) == []


@given(big_box_tables(), st.sampled_from(range(5)), st.sampled_from(KINDS))
def test_leaders_agree_with_the_naive_ones(table, region, kind):  # B7.4
    scene = Scene(table)
    leading = int(scene.do(find_leaders, region, kind))
    seats = naive.leaders(table, table.board.regions[region], kind)
    assert leading == sum(1 << seat for seat in seats)
    less = table.amount("majority_tie_deduction") if len(seats) > 1 else 0
    assert scene.do(majority_points, kind, len(seats)) == max(table.amount(f"{kind}_majority_points") - less, 0)


@pytest.mark.parametrize(("kind", "alone", "tied"), [("palace", 3, 2), ("church", 2, 1), ("trading_post", 1, 0)])
def test_a_majority_brings_its_printed_points_and_one_less_where_it_is_shared(kind, alone, tied):  # B7.4
    scene = Scene.start(4)
    assert [scene.do(majority_points, kind, leaders) for leaders in (1, 2, 4)] == [alone, tied, tied]


STANDINGS = [  # points, Thalers, ranks with ties broken by Thalers, ranks without
    ((30, 20, 25), (0, 9, 0), (1, 3, 2), (1, 3, 2)),
    ((30, 30, 25), (2, 5, 9), (2, 1, 3), (1, 1, 3)),
    ((30, 30, 30), (5, 5, 1), (1, 1, 3), (1, 1, 1)),
    ((10, 30, 10), (3, 0, 3), (2, 1, 2), (2, 1, 2)),
]


@pytest.mark.parametrize("switch", ["thalers", "shared"])
@pytest.mark.parametrize(("points", "thalers", "by_thalers", "shared"), STANDINGS)
def test_most_points_win_and_ties_go_to_the_richer_or_are_shared(
    points, thalers, by_thalers, shared, switch
):  # B7.6 A9
    scene = Scene.start(3, final_tie=switch)
    for seat, player in scene.table.players.items():
        player.points, player.thalers = points[seat], thalers[seat]
    ranks = tuple(int(scene.do(rank_of, seat)) for seat in range(3))
    assert ranks == (by_thalers if switch == "thalers" else shared)


@given(tables(), st.data())
def test_ranks_agree_with_the_naive_ones(table, data):  # B7.6 A9
    for player in table.players.values():
        player.points = data.draw(st.integers(20, 22))
        player.thalers = data.draw(st.integers(0, 1))
    scene = Scene(table)
    ranks = {seat: int(scene.do(rank_of, seat)) for seat in table.players}
    assert ranks == naive.ranks(table)
    assert 1 in ranks.values()
