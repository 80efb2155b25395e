"""Plans and auctions of recorded games: what must be covered, and the order in which bids choose (B3, B4, E3)."""

from collections import Counter

import pytest

from tests.engine.chronicle import rounds
from tests.naive.auction import NOTHING, bid_class
from tests.naive.rng import JIT
from wallsim.rules.ruleset import Ruleset

GAMES = 12 if JIT else 1


@pytest.mark.parametrize("bids", ["held", "any"])
@pytest.mark.parametrize("expansions", [(), ("court",)])
def test_boxes_are_picked_in_the_order_of_bids_where_a_dice_tower_card_is_money_zero(expansions, bids):  # B4.2 E3 A4
    seen = Counter()
    for season in rounds(Ruleset(players=5, expansions=expansions, money_bid=bids), 2 * GAMES):
        (order,) = season.of("order")
        laid = {plan["seat"]: plan["bid"] for plan in season.of("plan")}
        known = {seat: card_as_bid(card) for seat, card in laid.items()}
        classes = [bid_class(season.before, seat, known[seat]) for seat, _, _ in order["picks"]]
        assert classes == sorted(classes)
        for seat, bid in known.items():
            held = season.before.players[seat].thalers
            affordable = isinstance(bid, int) and bid <= held
            assert order["paid"][seat] == (bid if affordable else 0)
            seen["above"] += isinstance(bid, int) and not affordable
            seen["tower"] += laid[seat] == "tower"
    if JIT:
        assert (seen["above"] > 0) == (bids == "any")
        assert (seen["tower"] > 0) == bool(expansions)


def card_as_bid(card):
    """A traced card as the naive auction knows it."""
    if card is None:
        return NOTHING
    kind, _, rest = card.partition(":")
    return {"county": rest, "tower": "tower"}[kind] if kind != "money" else int(rest)
