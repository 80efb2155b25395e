"""Bids, the order of choosing, boxes and the player order (B4)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import auction as naive
from tests.naive.making import SUBSETS, tables
from tests.naive.rng import chi_square_z, many_draws
from tests.naive.scene import Scene
from tests.naive.table import differences, write_table
from wallsim.mechanics.auction import auction_stays_empty, note_places, reveal_bids, set_player_order, take_box
from wallsim.rules.terms import TILES
from wallsim.state.random import key_streams


def auction(bids, thalers=10, **more):
    """The order of choosing for a list of bids by seat: Thalers, a county's name, None for no card."""
    scene = Scene.start(len(bids), **more)
    for seat, bid in enumerate(bids):
        scene.table.players[seat].thalers = thalers
        scene.bid(seat, bid)
    scene.do(reveal_bids)
    return scene, [int(seat) for seat in scene.game.pick[: len(bids)]]


def test_money_comes_before_counties_then_money_zero_then_no_card():  # B4.1 B4.2
    assert auction([None, "Böhmen", 0, 1, 4])[1] == [4, 3, 1, 2, 0]
    scene, order = auction([3, 0, 2, None, "Passau"])
    assert order == [0, 2, 4, 1, 3]
    assert [player.thalers for player in scene.table.players.values()] == [7, 10, 8, 10, 10]
    assert [player.counts["county_bids"] for player in scene.table.players.values()] == [0, 0, 0, 0, 1]


def test_a_bid_above_the_thalers_held_counts_as_zero_and_is_not_paid():  # B3.4 A4
    scene, order = auction([4, "Böhmen", 3, None], thalers=3, money_bid="any")
    assert order == [2, 1, 0, 3]
    assert [player.thalers for player in scene.table.players.values()] == [3, 3, 0, 3]


def test_who_has_too_few_cards_for_all_boxes_bids_nothing():  # B3.2 A14 V1
    first, second = Scene.start(edition="1e").rules, Scene.start().rules
    assert [bool(auction_stays_empty(first, counties)) for counties in (0, 5, 20)] == [True, True, True]
    assert [bool(auction_stays_empty(second, counties)) for counties in (0, 4, 5, 6)] == [True, True, True, False]


def test_a_dice_tower_card_bids_money_zero():  # E3
    scene, order = auction([None, "tower", "Böhmen", 1], expansions=("court",))
    assert order == [3, 2, 1, 0]
    assert [player.thalers for player in scene.table.players.values()] == [10, 10, 10, 9]
    assert [player.counts["paid_bids"] for player in scene.table.players.values()] == [0, 0, 0, 1]


@many_draws
@pytest.mark.parametrize(
    ("bids", "orders"),
    [
        *(([bid] * 4, 24) for bid in (2, 0, None)),
        (["Böhmen", "Passau", "Tirol", "Baden"], 24),
        ([1, 4, 1, "Tirol", 1], 6),
        (["tower", 0, None, "tower"], 6),  # a dice-tower card is money zero (E3)
    ],
    ids=str,
)
def test_ties_are_drawn_at_random(bids, orders):  # B4.2 E3
    scene, _ = auction(bids, expansions=("court",))
    known = {seat: naive.NOTHING if bid is None else bid for seat, bid in enumerate(bids)}
    seen = Counter()
    for moment in range(6000):
        scene.game.thalers[:] = 10
        key_streams(scene.game, moment)
        reveal_bids(scene.game, scene.rules)
        seen[tuple(int(seat) for seat in scene.game.pick[: len(bids)])] += 1
    assert len(seen) == orders
    assert all(naive.order_is_right(scene.table, known, [*order]) for order in seen)
    assert abs(chi_square_z(seen.values())) < 4


@given(st.integers(3, 5), st.permutations(range(1, 6)))
def test_a_box_gives_its_tile_and_its_place_and_boxes_nobody_took_are_skipped(players, boxes):  # B4.3 B4.4
    scene = Scene.start(players)
    scene.game.tile_on_box[:] = [4, 3, 2, 1, 0]
    taken = {seat: boxes[seat] for seat in range(players)}
    for seat, box in taken.items():
        scene.do(take_box, seat, box - 1)
    scene.do(set_player_order)
    scene.do(note_places)
    assert [int(seat) for seat in scene.game.turn[:players]] == naive.player_order(taken)
    for seat, box in taken.items():
        player = scene.table.players[seat]
        assert (player.tile, player.counts["place_total"]) == (TILES[-box], box)


@given(tables(expansions=st.sampled_from(SUBSETS)), st.data(), st.integers(0, 100))
def test_auctions_agree_with_the_naive_one(table, data, moment):  # B4.1 B4.2 E3 A4
    scene, bids = Scene(table), {}
    for seat, player in table.players.items():
        highest = min(4, player.thalers) if table.rules.money_bid == "held" else 4
        cards = [None, *range(highest + 1), *table.counties_of(seat)]
        cards += ["tower"] if "court" in table.rules.expansions else []
        bids[seat] = data.draw(st.sampled_from(cards))
        scene.bid(seat, bids[seat])
    key_streams(scene.game, moment)
    write_table(table, scene.game)
    scene.do(reveal_bids)
    order = [int(seat) for seat in scene.game.pick[: len(bids)]]
    bids = {seat: naive.NOTHING if bid is None else bid for seat, bid in bids.items()}
    assert naive.order_is_right(table, bids, order)
    naive.pay_bids(table, bids)
    naive.count_choosing(table, order)
    assert differences(scene.table, table) == []
