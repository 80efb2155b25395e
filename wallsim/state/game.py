"""GAME: everything that lies on the table during one game, as one aligned structured record.

Kernels change it in place (`game.army[county] += 3`). All numbers are int64; sets of counties are bit masks;
index 5 of a colour array is the peasants, and owner 5 means neutral, so that a county always has an owner.

The kernels here say who owns which county, what stands there, and whom its peasants help.
"""

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.rules.terms import (
    ACTION_CARDS,
    BOXES,
    BUILDINGS,
    COLOURS,
    COUNTIES,
    CUBES,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    FAVORS,
    MAX_GROUPS,
    MAX_PLAYERS,
    MAX_REVOLTS,
    NEUTRAL,
    REGIONS,
    SHOWN_FAVORS,
    STATUES,
)
from wallsim.rules.tower import MAX_FLOORS
from wallsim.state import tally
from wallsim.state.random import STREAMS
from wallsim.state.tally import LEADER_LOST

IN_HAND, TAKEN = -1, -2  # where a statue is that stands in no county
DECK = 128  # the county deck of a draft with every card that recycling can append

GAME = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),  # identifies the game: a hash of seed and number
            ("number", np.int64),  # within its seed, to name it in messages
            ("random", np.uint64, (STREAMS,)),
            ("year", np.int64),  # 0, 1
            ("season", np.int64),  # 0..2 rounds, 3 winter
            # the map
            ("owner", np.int64, (COUNTIES,)),  # seat, or NEUTRAL
            ("army", np.int64, (COUNTIES,)),
            ("marker", np.int64, (COUNTIES,)),  # revolt markers
            ("built", np.int64, (3,)),  # mask of counties by kind of building
            ("land", np.int64, (COLOURS,)),  # mask of counties by owner
            # cubes and tiles off the map
            ("supply", np.int64, (COLOURS,)),
            ("tray", np.int64, (COLOURS,)),
            ("tower", np.int64, (COLOURS,)),
            ("floor", np.int64, (MAX_FLOORS, COLOURS)),  # the same cubes by floor, in a layered tower only
            ("markers_left", np.int64),
            # the seats
            ("thalers", np.int64, (MAX_PLAYERS,)),
            ("grain", np.int64, (MAX_PLAYERS,)),
            ("vp", np.int64, (MAX_PLAYERS,)),
            # the round's displays
            ("action_order", np.int64, (ACTION_CARDS,)),
            ("tile_on_box", np.int64, (MAX_PLAYERS,)),
            ("event_deck", np.int64, (EVENT_CARDS,)),
            ("shown_event", np.int64, (EVENTS_PER_YEAR,)),  # the first `shown_events` lie open
            ("shown_events", np.int64),
            ("event", np.int64),  # the card in force, or -1
            ("effect", np.int64),  # what it does
            # plans and player order
            ("card", np.int64, (MAX_PLAYERS, BOXES)),  # county, MONEY + value, TOWER_CARD, or NO_CARD
            ("agenda", np.int64, (MAX_PLAYERS * ACTION_CARDS, 3)),  # place in the card order, seat, county
            ("actions_done", np.int64),  # actions carried out this round; SHOWN_ACTIONS more lie open (B2.1)
            ("lost", np.int64, (MAX_PLAYERS,)),  # counties that a seat lost since planning
            ("lot", np.int64, (MAX_PLAYERS,)),  # rank of a bid, ties broken by lot
            ("pick", np.int64, (MAX_PLAYERS,)),  # seats in the order of picking boxes
            ("turn", np.int64, (MAX_PLAYERS,)),  # seats in player order
            ("place", np.int64, (MAX_PLAYERS,)),  # box of a seat, 0-based
            ("tile", np.int64, (MAX_PLAYERS,)),
            ("tile_held", np.int64, (MAX_PLAYERS,)),  # the same to the end of the round, for the result tables
            # the Emperor's Court (E)
            ("hall", np.int64, (MAX_PLAYERS,)),  # courtiers in the entrance hall
            ("favor_deck", np.int64, (FAVORS,)),
            ("shown_favor", np.int64, (SHOWN_FAVORS,)),  # numbers, dearest first; 0 where one was taken
            ("audience", np.int64, (MAX_PLAYERS,)),  # seats in the order of taking favors
            ("truce", np.int64, (2,)),  # mask of seats that combat A, combat B may not attack
            ("parry", np.int64, (MAX_PLAYERS,)),  # revolt markers that a kept favor will ward off
            # the Landsknechte (L)
            ("banner", np.int64, (MAX_PLAYERS,)),  # top card, 0 the empty banner
            # the military leaders (M)
            ("leader", np.int64, (MAX_PLAYERS,)),  # mask of the leader's county, 0 off the board
            ("statue", np.int64, (MAX_PLAYERS, STATUES)),  # the county each stands in, or IN_HAND, or TAKEN
            ("trophies", np.int64, (MAX_PLAYERS,)),  # statues of others taken
            # the draft
            ("deck", np.int64, (DECK,)),
            ("deck_top", np.int64),
            ("deck_end", np.int64),
            ("open_card", np.int64, (2,)),
            ("group", np.int64, (MAX_PLAYERS, MAX_GROUPS)),  # the army groups still in hand
            ("groups", np.int64, (MAX_PLAYERS,)),
            # the last battle
            ("engaged", np.int64, (COLOURS,)),  # cubes added from counties and supplies
            ("fallen", np.int64, (COLOURS,)),  # what lay in the tray after the drop
            ("survivors", np.int64),
            ("falling", np.int64, (2, CUBES)),  # scratch of a layered tower: cubes on their way from floor to floor
            # winter
            ("revolting", np.int64, (MAX_REVOLTS,)),
            ("shortage", np.int64),
            ("leaders", np.int64, (REGIONS, 3)),  # mask of seats with the most buildings of a kind
            # counts for the result tables
            ("casts", np.int64),
            ("cubes_cast", np.int64),
            ("cubes_fallen", np.int64),
            ("tower_after_fill", np.int64),
            ("tower_after_year1", np.int64),
            ("used_event", np.int64, (2, EVENTS_PER_YEAR)),  # by year: spring, summer, fall, winter
            ("vp_year1", np.int64, (MAX_PLAYERS,)),
            ("tally", np.int64, (MAX_PLAYERS, tally.SIZE)),
        ],
    ),
    align=True,
)
GAME_SIZE = GAME.itemsize  # in bytes


def new_game() -> np.ndarray:
    """A GAME array of one element, zeroed: a table that can be used for one game after another."""
    return np.zeros(1, dtype=GAME)


@kernel
def leads(game, seat, county):
    """1 if the seat's leader stands in the county, else 0, also where the game has no leaders (M2)."""
    return (game.leader[seat] >> county) & 1


@kernel
def own_neighbours(game, rules, seat, county):
    """The mask of the seat's counties that border on a county."""
    return rules.neighbours[county] & game.land[seat]


@kernel
def peasants_are_loyal(game, rules, county):
    """Whether peasants help the owner of an attacked county: few enough revolt markers lie there (B6.6, V6)."""
    return game.marker[county] < rules.loyal_below


@kernel
def event_is_known(game):
    """Whether the round's event has been drawn, and so all plans lie on the mats (B2.3, B2.4)."""
    return game.event >= 0


@kernel
def hand_over(game, county, owner):
    """Give a county and its card to `owner` (a seat or NEUTRAL).

    The old owner cannot use it for the rest of the round (B5.1); if its leader stood there, it leaves the board (M4).
    """
    bit = 1 << county
    before = game.owner[county]
    game.land[before] ^= bit
    game.land[owner] |= bit
    game.owner[county] = owner
    if before != NEUTRAL:
        game.lost[before] |= bit
        game.tally[before, LEADER_LOST] += leads(game, before, county)
        game.leader[before] &= ~bit


@kernel
def raze(game, county):
    """Make a county neutral: no armies, buildings back to stock, revolt markers off (B6.9)."""
    game.army[county] = 0
    game.markers_left += game.marker[county]
    game.marker[county] = 0
    for kind in range(len(BUILDINGS)):
        game.built[kind] &= ~(1 << county)
    hand_over(game, county, NEUTRAL)


@kernel
def is_live(game, seat, county):
    """Whether a planned county card can still be carried out: owned, and never lost since planning (B5.1)."""
    return game.owner[county] == seat and (game.lost[seat] >> county) & 1 == 0


@kernel
def has_building(game, county, kind):
    """1 if a building of this kind stands in the county, else 0."""
    return (game.built[kind] >> county) & 1


@kernel
def buildings_in(game, county):
    """How many buildings stand in the county, 0 to 3."""
    return has_building(game, county, 0) + has_building(game, county, 1) + has_building(game, county, 2)


@kernel
def armies_in(game, counties):
    """All armies in the counties of a mask."""
    armies = 0
    while counties != 0:
        armies += game.army[lowest_bit(counties)]
        counties &= counties - 1
    return armies


@kernel
def stock(game, rules, kind):
    """Building tiles of this kind left (B0.3)."""
    return rules.building_tiles[kind] - count_bits(game.built[kind])
