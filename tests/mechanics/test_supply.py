"""What a seat receives: Thalers from the bank, grain on the food track, armies for the tray (B0.6, B0.7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import supply as naive
from tests.naive.making import big_box_tables
from tests.naive.scene import Scene
from tests.naive.table import differences
from wallsim.mechanics.economy import gain_grain, gain_thalers, put_into_tray


@pytest.mark.parametrize(("bank", "others", "gained"), [(0, 66, 6), (100, 66, 4), (110, 66, 6), (100, 71, 0)])
def test_thalers_come_from_a_bank_that_runs_out_only_if_it_is_limited(bank, others, gained):  # B0.7 A2
    scene = Scene.start(bank=bank)
    scene.table.players[0].thalers, scene.table.players[1].thalers = others, 30  # with 71 it is overdrawn
    assert scene.do(gain_thalers, 1, 6) == gained
    assert scene.table.players[1].thalers == 30 + gained


@pytest.mark.parametrize(("track", "grain", "lost"), [("capped", 18, 2), ("open", 20, 0)])
def test_grain_above_eighteen_is_lost_unless_the_track_is_open(track, grain, lost):  # B0.6 A1
    scene = Scene.start(food_track=track)
    scene.table.players[2].grain = 16
    scene.do(gain_grain, 2, 4)
    assert scene.table.players[2].grain == grain
    assert scene.table.players[2].counts["grain_over"] == lost


@given(big_box_tables(), st.data(), st.integers(0, 9))
def test_what_is_received_agrees_with_the_naive_table(table, data, amount):  # B0.2 B0.6 B0.7 A1 A2
    scene, seat = Scene(table), data.draw(st.sampled_from([*table.players]))
    assert scene.do(gain_thalers, seat, amount) == naive.receive_thalers(table, seat, amount)
    scene.do(gain_grain, seat, amount)
    naive.receive_grain(table, seat, amount)
    assert scene.do(put_into_tray, seat, amount) == naive.send_into_tray(table, seat, amount)
    assert differences(scene.table, table) == []
