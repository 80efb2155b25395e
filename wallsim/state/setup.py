"""The table before the first round: an empty board, line-ups or the cards of a draft, the event deck (B1)."""

from wallsim.jit import kernel
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    COLOURS,
    COUNTIES,
    EVENT_CARDS,
    FAVORS,
    MAX_PLAYERS,
    NEUTRAL,
    NO_TILE,
    PEASANT_ARMIES,
    PEASANTS,
)
from wallsim.state import tally
from wallsim.state.game import IN_HAND
from wallsim.state.random import CARDS, SETUP, shuffle


@kernel
def clear_table(game, rules):
    """Empty the board: all counties neutral, all cubes in the supplies, starting Thalers (B0.2, B1.1, B1.7)."""
    game.year = 0
    game.season = 0
    game.owner[:] = NEUTRAL
    game.army[:] = 0
    game.marker[:] = 0
    game.built[:] = 0
    game.land[:] = 0
    game.land[NEUTRAL] = rules.in_play
    game.tray[:] = 0
    game.tower[:] = 0
    if rules.floors:
        game.floor[:, :] = 0
    game.markers_left = rules.revolt_markers
    for colour in range(COLOURS):
        game.supply[colour] = ARMIES_PER_PLAYER if colour < rules.players else 0
    game.supply[PEASANTS] = PEASANT_ARMIES
    for seat in range(MAX_PLAYERS):
        game.thalers[seat] = rules.starting_thalers[seat] if seat < rules.players else 0
        game.tile[seat] = NO_TILE
    game.grain[:] = 0
    game.vp[:] = 0
    game.lost[:] = 0
    game.open_card[:] = -1
    game.effect = 0
    game.event = -1
    game.casts = 0
    game.cubes_cast = 0
    game.cubes_fallen = 0
    game.tower_after_fill = 0
    game.tower_after_year1 = 0
    for seat in range(MAX_PLAYERS):
        for count in range(tally.BASE_SIZE):
            game.tally[seat, count] = 0
    if rules.expansions:
        clear_expansions(game)


@kernel(apart=True)
def clear_expansions(game):
    """Take what the expansions brought off the table: courtiers, cards, leaders and statues (E1, L2, M1)."""
    game.hall[:] = 0
    game.shown_favor[:] = 0
    game.truce[:] = 0
    game.parry[:] = 0
    game.banner[:] = 0
    game.leader[:] = 0
    game.statue[:, :] = IN_HAND
    game.trophies[:] = 0
    game.tally[:, tally.BASE_SIZE :] = 0


@kernel
def deal_county(game, seat, county, armies):
    """Give a neutral county to a seat and put one of its army groups there (B1.2)."""
    bit = 1 << county
    game.land[NEUTRAL] ^= bit
    game.land[seat] |= bit
    game.owner[county] = seat
    game.army[county] = armies
    game.supply[seat] -= armies


@kernel
def shuffle_events(game):
    """Shuffle the twelve event cards for both years (B1.8)."""
    for event in range(EVENT_CARDS):
        game.event_deck[event] = event
    shuffle(game, CARDS, game.event_deck, EVENT_CARDS)


@kernel(apart=True)
def shuffle_favors(game):
    """Shuffle the 21 favor cards for the whole game (E2); after the events, which stay the same without the court."""
    for index in range(FAVORS):
        game.favor_deck[index] = 1 + index
    shuffle(game, CARDS, game.favor_deck, FAVORS)


@kernel
def shuffle_deck(game, rules):
    """Shuffle the county cards in play; returns how many there are."""
    count = 0
    for county in range(COUNTIES):
        if (rules.in_play >> county) & 1:
            game.deck[count] = county
            count += 1
    shuffle(game, SETUP, game.deck, count)
    return count


@kernel
def shuffle_counties(game, rules):
    """Shuffle the county cards in play and show two; every seat holds all its army groups (B1.2, B1.4)."""
    count = shuffle_deck(game, rules)
    game.deck_top = 2
    game.deck_end = count
    game.open_card[0] = game.deck[0]
    game.open_card[1] = game.deck[1]
    for seat in range(rules.players):
        game.groups[seat] = rules.groups
        for index in range(rules.groups):
            game.group[seat, index] = rules.group[index]


@kernel
def take_county_card(game, choice):
    """Take an open card (0, 1), replaced at once, or the top of the deck (2); returns the county (B1.4)."""
    top = game.deck[game.deck_top]
    game.deck_top += 1
    if choice == 2:
        return top
    county = game.open_card[choice]
    game.open_card[choice] = top
    return county


@kernel
def recycle_open_cards(game):
    """Put both open cards under the deck and show the two on top (B1.4)."""
    for index in range(2):
        game.deck[game.deck_end] = game.open_card[index]
        game.deck_end += 1
    for index in range(2):
        game.open_card[index] = game.deck[game.deck_top]
        game.deck_top += 1


@kernel
def take_group(game, seat, index):
    """Take one of the army groups a seat has left, by index; returns its armies (B1.2)."""
    armies = game.group[seat, index]
    game.groups[seat] -= 1
    for later in range(index, game.groups[seat]):
        game.group[seat, later] = game.group[seat, later + 1]
    return armies


@kernel
def show_events(game):
    """Lay out the four events of the year: the next four of the deck, no reshuffle (B1.8, B7.5)."""
    game.shown_events = 4
    for index in range(4):
        game.shown_event[index] = game.event_deck[4 * game.year + index]
