"""What a seat cannot know while it plans, dealt again: a search plays on tables that might be the real one."""

from wallsim.jit import kernel
from wallsim.rules.terms import (
    ACTION_CARDS,
    COLOURS,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    FAVORS,
    SHOWN_ACTIONS,
    WINTER,
)
from wallsim.state.random import CARDS, TOWER, below, shuffle


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
        _deal_floors(game, rules)


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
def _deal_floors(game, rules):
    """Put every cube inside on a floor, each free cell as likely as any other: nobody sees the floors.

    That is only roughly how cubes lie, since floors differ in how they hold them.
    """
    free = 0
    for floor in range(rules.floors):
        free += rules.cells[floor]
        for colour in range(COLOURS):
            game.floor[floor, colour] = 0
    for colour in range(COLOURS):
        for _ in range(game.tower[colour]):
            cell = below(game, TOWER, free)
            floor = 0
            while cell >= _room(game, rules, floor):
                cell -= _room(game, rules, floor)
                floor += 1
            game.floor[floor, colour] += 1
            free -= 1


@kernel
def _room(game, rules, floor):
    """The free cells of a floor."""
    held = 0
    for colour in range(COLOURS):
        held += game.floor[floor, colour]
    return rules.cells[floor] - held


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
