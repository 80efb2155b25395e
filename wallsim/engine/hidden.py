"""What a seat cannot know, dealt again: a search plays on tables that might be the real one."""

from wallsim.jit import count_bits, kernel
from wallsim.mechanics.tower import deal_floors
from wallsim.rules.terms import ACTION_CARDS, EVENT_CARDS, EVENTS_PER_YEAR, FAVORS, SHOWN_ACTIONS, WINTER
from wallsim.state.random import CARDS, SETUP, shuffle


@kernel(apart=True)
def deal_hidden(game, rules):
    """Deal again what is hidden while planning (B3.5, E2).

    These are the action cards, the events and favors to come, and the floors of the cubes inside. What lay hidden is
    put into a fixed order before it is shuffled, so that nothing of the real order is left. The others' cards are not
    dealt: whoever searches lets them plan.
    """
    deal_actions(game)
    _sort(game.shown_event, 0, game.shown_events)
    _deal_events(game)
    if rules.court:
        first = rules.favors_shown * (WINTER * game.year + game.season + 1)
        _sort(game.favor_deck, first, FAVORS)
        _shuffle(game, game.favor_deck, first, FAVORS)
    if rules.floors:
        deal_floors(game, rules)


@kernel
def deal_actions(game):
    """Deal the action cards again that are not turned up yet (B2.1)."""
    known = min(ACTION_CARDS, game.actions_done + SHOWN_ACTIONS)
    _sort(game.action_order, known, ACTION_CARDS)
    _shuffle(game, game.action_order, known, ACTION_CARDS)


@kernel(apart=True)
def deal_draft(game, rules):
    """Deal again what lies hidden in a draft: the deck but for cards put under it, events and favors (B1.4, B1.8, E2).

    The cards that were put under the deck have been seen by all, so that their places are known.
    """
    end = max(game.deck_top, min(game.deck_end, count_bits(rules.in_play)))
    _sort(game.deck, game.deck_top, end)
    shuffle(game, SETUP, game.deck[game.deck_top :], end - game.deck_top)
    _sort(game.event_deck, 0, EVENT_CARDS)
    _shuffle(game, game.event_deck, 0, EVENT_CARDS)
    if rules.court:
        _sort(game.favor_deck, 0, FAVORS)
        _shuffle(game, game.favor_deck, 0, FAVORS)


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
