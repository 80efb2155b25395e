"""Plans and auctions of recorded games: what must be covered, and the order in which bids choose (B3, B4, E3)."""

from collections import Counter

import pytest

from tests.engine.chronicle import rounds
from tests.naive.auction import NOTHING, bid_class
from tests.naive.rng import JIT
from tests.policies.seating import boxes_to_cover
from wallsim.rules.ruleset import Ruleset

GAMES = 12 if JIT else 1
MATS = [
    (Ruleset(players=5), 11, 5),
    (Ruleset(players=5, expansions=("court",)), 14, 8),
    (Ruleset(players=5, edition="1e"), 10, 5),
    (Ruleset(players=5, edition="1e", expansions=("court",)), 13, 8),
    (Ruleset(players=3, setup="draft", expansions=("court", "leaders")), 14, 8),
]
mats = pytest.mark.parametrize(("rules", "boxes", "more"), MATS, ids=lambda value: getattr(value, "edition", value))


def cards_of(plan):
    """Every card of a plan, by box."""
    court = {f"court_{box}": card for box, card in plan.get("court", {}).items()}
    return {**plan["boxes"], **court, "auction": plan["bid"]}


@mats
def test_as_many_boxes_are_covered_as_there_are_cards_for(rules, boxes, more):  # B3.2 E3 V1 V2
    covered = Counter()
    for season in rounds(rules, GAMES):
        for plan in season.of("plan"):
            used = [card for card in cards_of(plan).values() if card is not None]
            counties = len(season.before.counties_of(plan["seat"]))
            assert len(used) == min(boxes, counties + more) == boxes_to_cover(rules, counties)
            covered[len(used) == boxes] += 1
    if JIT:
        assert covered[True] > 0
        assert covered[False] > 0 or rules.players == 3  # who seldom run out of counties


@mats
def test_no_card_lies_twice_and_at_most_three_are_dice_tower_cards(rules, boxes, more):  # B3.1 E1 E3
    towers = Counter()
    for season in rounds(rules, GAMES):
        for plan in season.of("plan"):
            used = Counter(card for card in cards_of(plan).values() if card not in (None, "blank"))
            towers[used.pop("tower", 0)] += 1
            assert set(used.values()) <= {1}
            blank = list(cards_of(plan).values()).count("blank")
            assert blank <= 5 * (rules.edition == "1e")
            counties = {card[7:] for card in used if card.startswith("county")}
            assert counties <= set(season.before.counties_of(plan["seat"]))
    assert set(towers) <= ({0, 1, 2, 3} if "court" in rules.expansions else {0})
    assert "court" not in rules.expansions or towers[3] > 0


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
