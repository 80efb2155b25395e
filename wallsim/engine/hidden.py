"""What a seat cannot know while it plans, dealt again: a search plays on tables that might be the real one."""

from wallsim.jit import kernel
from wallsim.mechanics.hidden_cubes import deal_floors
from wallsim.rules.terms import (
    ACTION_CARDS,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    FAVORS,
    SHOWN_ACTIONS,
    WINTER,
)
from wallsim.state.random import CARDS, shuffle


@kernel(apart=True)
def deal_hidden(game, rules):
    """Deal again the hidden action cards, the events and favors to come, and the floors of the cubes inside (B3.5, E2).

    What lay hidden is put into a fixed order before it is shuffled, so that nothing of the real order is left. The
    others' cards are not dealt: whoever searches lets them plan.
    """
    known = min(ACTION_CARDS, game.actions_done + SHOWN_ACTIONS)  # B2.1
    _sort(game.action_order, known, ACTION_CARDS)
    _shuffle(game, game.action_order, known, ACTION_CARDS)
    _sort(game.shown_event, 0, game.shown_events)
    _deal_events(game)
    if rules.court:
        first = rules.favors_shown * (WINTER * game.year + game.season + 1)
        _sort(game.favor_deck, first, FAVORS)
        _shuffle(game, game.favor_deck, first, FAVORS)
    if rules.floors:
        deal_floors(game, rules)


@kernel
def _deal_events(game):
    """In the first year, any of the cards that were not shown may lie open in the second (B1.8)."""
    if game.year > 0:
        return
    seen = 0
    for season in range(game.season):
        seen |= 1 << game.used_event[0, season]
    for index in range(game.shown_events):
        seen |= 1 << game.shown_event[index]
    place = EVENTS_PER_YEAR
    for card in range(EVENT_CARDS):
        if (seen >> card) & 1 == 0 and place < EVENT_CARDS:
            game.event_deck[place] = card
            place += 1
    _shuffle(game, game.event_deck, EVENTS_PER_YEAR, EVENT_CARDS)


@kernel
def _shuffle(game, cards, first, end):
    shuffle(game, CARDS, cards[first:], end - first)


@kernel
def _sort(cards, first, end):
    """Put the cards from `first` up to `end` into ascending order."""
    for last in range(first + 1, end):
        card = cards[last]
        place = last
        while place > first and cards[place - 1] > card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card
