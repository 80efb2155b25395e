"""Victory points and the winner (B7.4, B7.6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import winter as naive
from tests.naive.making import big_box_tables, tables
from tests.naive.scene import Scene
from tests.naive.table import KINDS
from wallsim.mechanics.winter import find_leaders, majority_points, rank_of, score_winter

PRIZES = {"palace": 3, "church": 2, "trading_post": 1}


SCORES = [  # by seat the counties with their buildings, and the points
    ([{"Böhmen": "", "Passau": ""}, {"Baden": "trading_post"}, {}], [2, 1 + 1 + 1, 0]),
    *(
        (holdings, points)
        for kind, prize in PRIZES.items()
        for holdings, points in (
            ([{"Böhmen": kind, "Mähren": kind}, {"Kärnten": kind}, {}], [2 + 2 + prize, 2, 0]),
            ([{"Böhmen": kind}, {"Kärnten": kind}, {"Mähren": ""}], [2 + prize - 1, 2 + prize - 1, 1]),
            ([{"Böhmen": kind}, {"Kärnten": kind}, {"Mähren": kind}], [2 + prize - 1] * 3),  # no less among three
        )
    ),
    ([{"Böhmen": ""}, {"Baden": ""}, {}], [1, 1, 0]),  # nobody has most of what a region lacks
    ([{"Böhmen": "palace"}, {"Baden": "palace", "Altmark": "church"}, {}], [2 + 3, 4 + 3 + 2, 0]),  # by region
]


@pytest.mark.parametrize(("holdings", "points"), SCORES)
def test_counties_and_buildings_bring_a_point_and_majorities_three_two_and_one(holdings, points):  # B7.4
    scene = Scene.start(3)
    for seat, land in enumerate(holdings):
        for county, kind in land.items():
            scene.table.give(seat, county, 1, [kind] if kind else [])
    scene.do(score_winter)
    assert [player.points for player in scene.table.players.values()] == points


@pytest.mark.parametrize("year", [0, 1])
def test_points_are_counted_by_source_and_year(year):  # B7.4
    scene = Scene.start(3)
    scene.table.year = year
    scene.table.give(0, "Böhmen", 1, ["palace", "church"])
    scene.do(score_winter)
    counts = {name: n for name, n in scene.table.players[0].counts.items() if n}
    sources = {"counties": 1, "buildings": 2, "palace_majorities": 3, "church_majorities": 2}
    assert counts == {f"vp_{source}_year{year + 1}": number for source, number in sources.items()}


@given(big_box_tables(), st.sampled_from(range(5)), st.sampled_from(KINDS))
def test_leaders_agree_with_the_naive_ones(table, region, kind):  # B7.4
    scene = Scene(table)
    leading = int(scene.do(find_leaders, region, kind))
    seats = naive.leaders(table, table.board.regions[region], kind)
    assert leading == sum(1 << seat for seat in seats)
    less = table.amount("majority_tie_deduction") if len(seats) > 1 else 0
    assert scene.do(majority_points, kind, len(seats)) == max(table.amount(f"{kind}_majority_points") - less, 0)


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
