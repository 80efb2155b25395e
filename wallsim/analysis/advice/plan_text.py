"""A plan as text: which card lies on which box, as users write it, and on which boxes two plans differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wallsim.analysis.advice.decision import Decision
from wallsim.errors import InputError
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import (
    ACTIONS,
    AUCTION,
    BASE_BOXES,
    BOXES,
    COURT_3,
    FEW_COUNTIES,
    MONEY,
    MONEY_CARDS,
    NO_CARD,
    TOWER_CARD,
    TOWER_CARDS,
)

BID = "bid"
COURT = ("court3", "court2", "court1")  # E1: the boxes of the court's board, by their courtiers
PASS, COUNTY, TOWER = "pass", "county", "tower"


def boxes_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of the boxes of a mat, the auction's last but for the court's."""
    return (*ACTIONS, BID, *(COURT if "court" in ruleset.expansions else ()))


def check_words(board: Board, ruleset: Ruleset, plan: str | Mapping[str, Any]) -> dict[str, str]:
    """The cards of a plan by box, as words. InputError for boxes and cards that no seat of such a game has."""
    words, boxes, errors = _named(ruleset, plan), boxes_of(ruleset), []
    counties = {name.casefold() for name in board.counties}
    for box, word in words.items():
        money = () if box in ACTIONS else tuple(map(str, range(MONEY_CARDS)))
        further = (PASS, *((COUNTY,) if box == BID else ()), *((TOWER,) if "court" in ruleset.expansions else ()))
        if box not in boxes:
            errors.append(f"plan: {box!r} is not one of the boxes {', '.join(boxes)}{did_you_mean(box, boxes)}")
        elif word.casefold() not in counties and word not in (*further, *money):
            allowed = ", ".join((*further, *money)) + did_you_mean(word, [*board.counties, *further])
            errors.append(f"plan: {box}: {word[:100]!r} is not a card; allowed is a county, {allowed}")
    if errors:
        raise InputError(errors)
    return words


def cleared(plans: np.ndarray, ruleset: Ruleset) -> np.ndarray:
    """The same plans, int64 [..., BOXES], with no card on boxes that are not in play."""
    plans = plans.copy()
    if "court" not in ruleset.expansions:
        plans[..., BASE_BOXES:] = NO_CARD
    return plans


def effect_of(plan: np.ndarray) -> tuple[int, ...]:
    """What of a plan matters: two plans that are equal in it play the same game.

    Money on the box of an action is a pass, whatever its value, and so is a dice-tower card; in the auction one county
    is as good as another that is on no action's box.
    """
    cards = [int(card) for card in plan]
    actions = [card if 0 <= card < MONEY else NO_CARD for card in cards[:AUCTION]]
    bid = MONEY - 1 if 0 <= cards[AUCTION] < MONEY else cards[AUCTION]
    return (*actions, bid, *cards[BASE_BOXES:])


def words_of(decision: Decision, plan: np.ndarray) -> dict[str, str]:
    """What lies on each box, by the box's name: the name of a county, `pass`, or for the bid `0` to `4`."""
    left_out = BID if _no_bid(decision) else ""
    boxes = enumerate(boxes_of(decision.ruleset))
    return {box: _word(decision, number, int(plan[number])) for number, box in boxes if box != left_out}


def _word(decision: Decision, box: int, card: int) -> str:
    if 0 <= card < MONEY:
        return decision.board.counties[card]
    if box < AUCTION or card == NO_CARD:
        return PASS
    return TOWER if card == TOWER_CARD else str(card - MONEY)


def same_boxes(decision: Decision, best: np.ndarray, other: np.ndarray) -> list[str]:
    """The boxes on which two plans do not differ in what matters."""
    pairs = zip(boxes_of(decision.ruleset), effect_of(best), effect_of(other), strict=False)
    return [box for box, one, two in pairs if one == two]


def read_plan(decision: Decision, plan: str | Mapping[str, Any]) -> np.ndarray:
    """The plan that a text such as `palace=Tirol, grain=Anhalt, bid=2` stands for, or a dictionary of the same.

    A card is the name of an own county, `pass`, and for the bid also 0 to 4 Thalers or `county`, any county that is
    left. Boxes that are not named stay without an action: money lies there, and a bid of nothing. InputError for all
    that the rules do not allow (B3.1, B3.2, B3.4).
    """
    words = check_words(decision.board, decision.ruleset, plan)
    cards = np.full(BOXES, NO_CARD, np.int64)
    boxes, errors = boxes_of(decision.ruleset), []
    for box, word in words.items():
        try:
            cards[boxes.index(box)] = _card(decision, box, word)
        except InputError as error:
            errors += error.errors
    twice = {card for card in cards[cards >= 0].tolist() if card < TOWER_CARD and (cards == card).sum() > 1}
    errors += [f"plan: {_name(decision, card)} lies on more than one box; a card lies on one (B3.1)" for card in twice]
    if errors:
        raise InputError(errors)
    _fill(decision, cards, any_county=words.get(BID) == COUNTY)
    return cards


def _named(ruleset: Ruleset, plan: str | Mapping[str, Any]) -> dict[str, str]:
    if isinstance(plan, Mapping):
        return {str(box): str(card) for box, card in plan.items()}
    if not isinstance(plan, str):
        raise InputError(
            f"plan: {type(plan).__name__} is given; allowed is a text or a dictionary, a card for each box"
        )
    words: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in plan.split(","))):
        box, equals, card = (piece.strip() for piece in part.partition("="))
        if not equals or box in words:
            boxes = ", ".join(boxes_of(ruleset))
            raise InputError(f'plan: "{part[:100]}" is not BOX=CARD with each box once; boxes are {boxes}')
        words[box] = card
    return words


def _card(decision: Decision, box: str, word: str) -> int:
    """The card of a word; NO_CARD for one that is chosen later."""
    names = {decision.board.counties[county].casefold(): county for county in decision.counties}
    if word.casefold() in names:
        county = names[word.casefold()]
        if box == BID and _no_bid(decision):
            raise InputError(f"plan: bid: {word} is given; this seat does not bid (B3.2, V1)")
        return county
    if word == PASS or (box == BID and word == COUNTY and not _no_bid(decision)):
        return NO_CARD
    if word == TOWER and "court" in decision.ruleset.expansions:
        return TOWER_CARD
    if box not in ACTIONS and word in map(str, range(MONEY_CARDS)):
        held = int(decision.game[0].thalers[decision.seat])
        if box == BID and (_no_bid(decision) or (decision.ruleset.money_bid == "held" and int(word) > held)):
            most = "it does not bid (B3.2, V1)" if _no_bid(decision) else f"it holds {held} Thalers (A4)"
            raise InputError(f"plan: bid: {word} is more than the seat may bid: {most}")
        return MONEY + int(word)
    own = [decision.board.counties[county] for county in decision.counties]
    further = ("" if box != BID else f", {COUNTY}") + ("" if box in ACTIONS else f", 0 to {MONEY_CARDS - 1}")
    raise InputError(
        f"plan: {box}: {word[:100]!r} is not a card of seat {decision.seat}: {', '.join(own)}, {PASS}{further}"
        f"{did_you_mean(word, own)}"
    )


def _fill(decision: Decision, cards: np.ndarray, *, any_county: bool) -> None:
    """Lay money, dice-tower cards and, where the bid is any county, one that is left on the boxes that are empty."""
    used = set(cards.tolist())
    counties = [county for county in decision.counties if county not in used]
    money = [MONEY + value for value in range(MONEY_CARDS) if MONEY + value not in used]
    towers = TOWER_CARDS - int((cards == TOWER_CARD).sum()) if "court" in decision.ruleset.expansions else 0
    if any_county:
        if not counties:
            raise InputError("plan: bid: county is given, but no county is left for it")
        cards[AUCTION] = counties.pop()
    spare = [*money, *[TOWER_CARD] * towers]
    bid, last = [] if _no_bid(decision) else [AUCTION], len(boxes_of(decision.ruleset))
    order = [*bid, *range(AUCTION), *range(COURT_3, last)]
    empty = [box for box in order if cards[box] == NO_CARD]
    for box, card in zip(empty, spare, strict=False):
        cards[box] = card
    missing = min(len(empty) - len(spare), len(counties))
    if missing > 0:
        left = ", ".join(decision.board.counties[county] for county in counties)
        raise InputError(
            f"plan: {len(empty)} boxes have no card, and {len(spare)} money cards are left for them; name counties for "
            f"{missing} more boxes, since no box stays empty while there are cards (B3.2): {left}"
        )


def _no_bid(decision: Decision) -> bool:
    few = decision.ruleset.few_cards == "actions_first" and len(decision.counties) <= FEW_COUNTIES
    return few or decision.ruleset.edition == "1e"


def _name(decision: Decision, card: int) -> str:
    return decision.board.counties[card] if card < MONEY else f"money {card - MONEY}"
