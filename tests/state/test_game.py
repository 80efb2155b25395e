"""Who holds which county: handing over, razing, and cards that stay out for the round."""

from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import big_box_tables, tables
from tests.naive.scene import Scene
from tests.naive.table import KINDS, differences
from wallsim.state.game import buildings_in, hand_over, has_building, is_live, raze, stock


def test_a_conquered_county_cannot_be_used_by_either_side_even_if_it_is_won_back():  # B5.1
    scene = Scene.start()
    scene.table.give(1, "Passau", 3)
    assert [bool(scene.do(is_live, seat, "Passau")) for seat in (0, 1)] == [False, True]
    assert not any(scene.do(is_live, seat, "Böhmen") for seat in range(4))  # a neutral one
    for owner in (0, 1):
        scene.part(hand_over, "Passau", owner)
        assert scene.table.land["Passau"].owner == owner
        assert not scene.part(is_live, 1, "Passau")


@given(big_box_tables(), st.data())
def test_handing_over_and_razing_agree_with_the_naive_table(table, data):  # B5.1 B6.9 M4
    scene = Scene(table)
    for _ in range(5):
        county = data.draw(st.sampled_from([*table.land]))
        there = table.land[county]
        if there.owner is not None and data.draw(st.booleans()):
            table.supply[there.owner] += there.armies  # clears the county's armies away for both
            there.armies = 0
            scene.table = table
            scene.part(raze, county)
            table.raze(county)
        elif there.owner is not None:
            owner = data.draw(st.sampled_from([*table.players]))
            scene.part(hand_over, county, owner)
            table.hand_over(county, owner)
        assert differences(scene.table, table) == []


@given(tables(), st.data())
def test_buildings_and_stock_are_counted_from_the_board(table, data):  # B0.3
    scene = Scene(table)
    county = data.draw(st.sampled_from([*table.land]))
    assert scene.do(buildings_in, county) == len(table.land[county].buildings)
    for kind in KINDS:
        assert scene.do(has_building, county, kind) == (kind in table.land[county].buildings)
        assert scene.do(stock, kind) == table.stock(kind) >= 0
