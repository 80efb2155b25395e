"""What a seat receives: Thalers from the bank, grain on the food track, armies for the tray (B0.6, B0.7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import supply as naive
from tests.naive.making import big_box_tables
from tests.naive.scene import Scene
from tests.naive.table import differences
from wallsim.mechanics.economy import gain_grain, gain_thalers, put_into_tray


@pytest.mark.parametrize(("bank", "gained"), [(0, 6), (100, 4), (110, 6)])
def test_thalers_come_from_a_bank_that_runs_out_only_if_it_is_limited(bank, gained):  # B0.7 A2
    scene = Scene.start(bank=bank)
    for seat, thalers in enumerate((40, 30, 20, 6)):
        scene.table.players[seat].thalers = thalers
    assert scene.do(gain_thalers, 1, 6) == gained
    assert scene.table.players[1].thalers == 30 + gained


def test_a_bank_that_was_overdrawn_gives_nothing_and_takes_nothing():  # B0.7 A2
    scene = Scene.start(bank=100)
    scene.table.players[0].thalers = 101
    assert scene.do(gain_thalers, 1, 3) == 0
    assert scene.table.players[1].thalers == 0


@pytest.mark.parametrize(("track", "grain", "lost"), [("capped", 18, 2), ("open", 20, 0)])
def test_grain_above_eighteen_is_lost_unless_the_track_is_open(track, grain, lost):  # B0.6 A1
    scene = Scene.start(food_track=track)
    scene.table.players[2].grain = 16
    scene.do(gain_grain, 2, 4)
    assert scene.table.players[2].grain == grain
    assert scene.table.players[2].counts["grain_over"] == lost


@pytest.mark.parametrize(("supply", "moved"), [(0, 0), (1, 1), (3, 3), (9, 3)])
def test_armies_come_into_the_tray_as_far_as_the_supply_has_them(supply, moved):  # E6 L1 B0.2
    scene = Scene.start()
    scene.table.give(1, "Böhmen", 62 - supply)
    assert scene.do(put_into_tray, 1, 3) == moved
    assert (scene.table.supply[1], scene.table.tray[1]) == (supply - moved, moved)


@given(big_box_tables(), st.data(), st.integers(0, 9))
def test_what_is_received_agrees_with_the_naive_table(table, data, amount):  # B0.2 B0.6 B0.7 A1 A2
    scene, seat = Scene(table), data.draw(st.sampled_from([*table.players]))
    assert scene.do(gain_thalers, seat, amount) == naive.receive_thalers(table, seat, amount)
    scene.do(gain_grain, seat, amount)
    naive.receive_grain(table, seat, amount)
    assert scene.do(put_into_tray, seat, amount) == naive.send_into_tray(table, seat, amount)
    assert differences(scene.table, table) == []
