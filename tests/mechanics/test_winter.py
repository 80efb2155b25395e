"""Grain losses, shortages, winter revolts and the change of year (B7.1 to B7.3, B7.5)."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import combat as naive_combat
from tests.naive import landsknechte
from tests.naive import leaders as naive_leaders
from tests.naive import winter as naive
from tests.naive.making import TOWERS, big_box_tables, tables_with
from tests.naive.rng import chi_square_z, many_draws
from tests.naive.scene import Scene
from tests.naive.table import County, differences, write_table
from wallsim.mechanics.landsknechte import order_cards_again
from wallsim.mechanics.leaders import score_statues
from wallsim.mechanics.winter import clear_year, draw_revolting, eat_grain, score_winter, winter_peasants, winter_revolt
from wallsim.state.random import key_streams

LAND = ["Böhmen", "Passau", "Tirol", "Baden", "Altmark", "Anhalt", "Lothringen", "Burgund"]


def rise(scene, county, shortage):
    """Fight a winter revolt with all armies of a county against the peasants that a shortage brings."""
    peasants = int(scene.do(winter_peasants, county, shortage))
    return scene.do(winter_revolt, county, peasants, scene.table.land[county].armies)


def winter(counties, grain, armies=3, **more):
    """Seat 0 with some counties and some grain before winter."""
    scene = Scene.start(**more)
    for name in LAND[:counties]:
        scene.table.give(0, name, armies)
    scene.table.players[0].grain = grain
    return scene


@pytest.mark.parametrize(("grain", "loss", "left"), [(5, 3, 2), (5, 5, 0), (5, 7, 0), (0, 4, 0), (6, 0, 6)])
def test_the_remaining_event_takes_grain_but_never_below_zero(grain, loss, left):  # B7.1
    scene = winter(0, grain)
    scene.do(eat_grain, 0, loss)
    assert scene.table.players[0].grain == left
    assert scene.table.players[0].counts["grain_winter"] == grain - left


@pytest.mark.parametrize("edition", ["2e", "1e"])
@pytest.mark.parametrize(
    ("shortage", "revolting", "extra"),
    [
        *[(-2, 0, 0), (0, 0, 0), (1, 1, 1), (2, 1, 2), (3, 2, 2)],
        *[(4, 2, 2), (5, 2, 3), (6, 2, 3), (7, 3, 3), (8, 3, 3)],
    ],
)
def test_the_shortage_tells_counties_and_extra_peasants_in_both_editions(
    shortage, revolting, extra, edition
):  # B7.2 B7.3 V7
    scene = winter(8, 8 - shortage, armies=6, edition=edition)
    scene.do(eat_grain, 0, 0)
    assert scene.game.shortage == max(0, shortage)
    assert scene.do(draw_revolting, 0) == revolting
    assert naive.supply_chart(shortage) == (revolting, extra)
    if revolting:
        county = LAND[0]
        rise(scene, county, int(scene.game.shortage))
        assert scene.game.engaged[-1] == extra


@pytest.mark.parametrize(("counties", "drawn"), [(0, 0), (1, 1), (2, 2), (8, 3)])
def test_no_more_counties_revolt_than_the_player_has(counties, drawn):  # B7.2
    scene = winter(counties, 0)
    scene.game.shortage = 63  # more than the counties: only the drawing is under test
    assert scene.do(draw_revolting, 0) == drawn
    assert not counties or scene.do(winter_peasants, LAND[0], 63) == 3


@pytest.mark.parametrize(("markers", "after"), [(2, County()), (0, County(0, 2))])
def test_markers_bring_peasants_in_winter_as_well_and_a_revolt_put_down_leaves_none(markers, after):  # B6.4 B7.3
    scene = winter(3, 2)
    scene.table.land["Böhmen"].markers, scene.table.markers_left = markers, 42 - markers
    assert bool(rise(scene, "Böhmen", 1)) == (markers == 0)
    assert scene.game.engaged[-1] == 1 + markers
    assert scene.table.land["Böhmen"] == after
    assert scene.table.markers_left == 42


@many_draws
def test_the_revolting_counties_are_drawn_at_random_each_at_most_once():  # B7.2
    scene, drawn = winter(5, 0), Counter()
    write_table(scene.table, scene.game)
    for moment in range(9000):
        scene.game.shortage = 7
        key_streams(scene.game, moment)
        assert draw_revolting(scene.game, scene.rules, 0) == 3
        drawn[tuple(scene.table.board.counties[county] for county in scene.game.revolting)] += 1
    assert set(drawn) == set(permutations(LAND[:5], 3))
    assert abs(chi_square_z(drawn.values())) < 4


DICE = st.randoms(use_true_random=False)


@given(big_box_tables(), st.integers(0, 7), st.sampled_from(TOWERS), DICE, st.integers(0, 10**6))
def test_winters_agree_with_the_naive_ones(table, loss, tower, rng, number):  # B7.1 to B7.3 V5 V7
    scene, twin = Scene(table, tower, number), table
    for seat in range(table.rules.players):
        scene.do(eat_grain, seat, loss)
        missing = naive.shortage_after_winter(twin, seat, loss)
        assert scene.game.shortage == missing
        assert differences(scene.table, twin) == []
        drawn = scene.do(draw_revolting, seat)
        assert drawn == naive.revolting_counties(twin, seat, missing)
        counties = [twin.board.counties[county] for county in scene.game.revolting[:drawn]]
        assert len(set(counties)) == drawn
        assert set(counties) <= set(twin.counties_of(seat))
        for county in counties:
            peasants = twin.amount("revolt_peasants") * twin.land[county].markers + naive.supply_chart(missing)[1]
            assert scene.do(winter_peasants, county, missing) == peasants
            defenders = rng.choice(naive_combat.defenders_allowed(twin, county))
            held = scene.do(winter_revolt, county, peasants, defenders)
            fallen = scene.fallen()
            assert held == naive_combat.revolt(twin, county, peasants, fallen, winter=True, defenders=defenders)
            assert differences(scene.table, twin) == []


STEPS = {  # a step of winter and what it does on a naive table
    "points of counties, buildings and majorities (B7.4)": (score_winter, naive.score, big_box_tables()),
    "points of statues and trophies (M5 A12)": (score_statues, naive_leaders.score, tables_with("leaders")),
    "the end of the year (B7.5)": (clear_year, naive.clear_year, big_box_tables()),
    "the order of cards (L2)": (order_cards_again, landsknechte.order_again, tables_with("landsknechte")),
}


@pytest.mark.parametrize("step", STEPS)
@given(st.data())
def test_a_step_of_winter_changes_the_table_as_it_does_the_naive_one(step, data):
    kernel, twin, kind = STEPS[step]
    scene = Scene(table := data.draw(kind))
    scene.do(kernel)
    twin(table)
    assert differences(scene.table, table) == []
