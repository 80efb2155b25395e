"""What a seat may not see when it is asked, dealt again: a policy that looks at nothing hidden answers the same (B3.5).

Hidden are the others' cards that are not turned up, the action cards, events and favors to come, the deck of a draft,
the floors of the tower, and all random streams but the seat's own.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.mechanics.auction import list_agenda
from wallsim.mechanics.tower import deal_floors
from wallsim.policies.questions import BENEFIT, BID, CANCEL_EVENT, FAVOR, FAVOR_COUNTY, LEADER, PLACE, PLAN, QUESTIONS
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    BASE_BOXES,
    COUNTIES,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    FAVORS,
    MONEY,
    MONEY_CARDS,
    SHOWN_ACTIONS,
    WINTER,
)
from wallsim.state import tally
from wallsim.state.random import CARDS, SEAT, STREAMS, below, mix, shuffle

_IN_DRAFT = np.array([question.in_draft for question in QUESTIONS])
_ALL = (1 << ACTION_CARDS) - 1  # the action boxes, as a mask
_COURT = ((1 << BASE_BOXES + 3) - 1) & ~((1 << BASE_BOXES) - 1)
_SALT = np.uint64(0xD1B54A32D192ED03)
_MANY_PASSES = 40


@kernel(apart=True)
def deal_again(game, rules, seat, question):
    """Deal again all that the seat may not see when it is asked a question.

    The cards are drawn from the streams as they are now, whatever was changed; the caller restores the table.
    """
    for stream in range(STREAMS):
        if stream != SEAT + seat:
            game.random[stream] = mix(game.random[stream] ^ game.key ^ _SALT)
    game.key = mix(game.key ^ _SALT)
    if _IN_DRAFT[question]:
        _shuffle(game, game.deck, game.deck_top, game.deck_end)
        _shuffle(game, game.event_deck, 0, EVENT_CARDS)
        if rules.court:
            _shuffle(game, game.favor_deck, 0, FAVORS)
        return
    _shuffle(game, game.action_order, min(ACTION_CARDS, game.actions_done + SHOWN_ACTIONS), ACTION_CARDS)  # B2.1
    _shuffle(game, game.event_deck, EVENTS_PER_YEAR * (1 + game.year), EVENT_CARDS)  # B1.8
    if rules.court:
        rounds = WINTER * game.year + min(game.season + 1, WINTER)
        _shuffle(game, game.favor_deck, min(FAVORS, rules.favors_shown * rounds), FAVORS)  # E2
    if rules.floors:
        deal_floors(game, rules)
    if question not in (PLAN, BID):  # until all have planned the mats show the cards of the round before
        _deal_mats(game, rules, seat, _open_boxes(game, question))


@kernel
def _shuffle(game, cards, first, end):
    if end > first:
        shuffle(game, CARDS, cards[first:], end - first)


@kernel
def _open_boxes(game, question):
    """The mask of boxes whose cards are turned up, on every mat (B2.5, B2.6, E4)."""
    boxes = 1 << AUCTION
    if question in (PLACE, BENEFIT) or (question == LEADER and game.actions_done == 0):
        return boxes
    boxes |= _COURT
    if question in (FAVOR, CANCEL_EVENT, FAVOR_COUNTY):
        return boxes
    for position in range(min(ACTION_CARDS, game.actions_done + 1)):
        boxes |= 1 << game.action_order[position]
    return boxes


@kernel
def _deal_mats(game, rules, seat, turned_up):
    """Put other cards on the boxes of the others' mats that are not turned up, and list the agenda accordingly."""
    if turned_up & _ALL == _ALL:
        return
    for other in range(rules.players):
        if other != seat:
            _deal_mat(game, rules, other, turned_up)
            game.tally[other, tally.PASSES] = below(game, CARDS, _MANY_PASSES)  # with those of this round
    if turned_up & _ALL != 0:
        list_agenda(game, rules)


@kernel
def _deal_mat(game, rules, other, turned_up):
    """Cards that a seat may hold: own counties and money."""
    for box in range(rules.boxes):
        if (turned_up >> box) & 1 == 0:
            while True:
                card = below(game, CARDS, MONEY + MONEY_CARDS)
                if card >= MONEY or (game.land[other] >> card) & 1 == 1 or below(game, CARDS, COUNTIES) == 0:
                    break
            if not _lies(game, rules, other, card, box):
                game.card[other, box] = card


@kernel
def _lies(game, rules, other, card, end):
    """Whether a card lies on a box of a mat already."""
    result = False
    for box in range(rules.boxes):
        result |= game.card[other, box] == card and box != end
    return result
