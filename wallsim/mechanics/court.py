"""The Emperor's Court: favor cards, courtiers for armies and cubes, and what the favors do (E).

The court is in session after player order and before the ten actions. Kernels take decisions as arguments; a favor's
county is NOWHERE where the favor needs none or finds none.
"""

from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.economy import put_up, receive, site_outcome
from wallsim.rules.terms import (
    CALM,
    CANCEL_EVENT,
    COURT_1,
    COURTIERS,
    DONE,
    FAVOR_BENEFIT,
    FREE_ARMIES,
    FREE_BUILDING,
    MONEY,
    NEUTRAL,
    NO_ATTACK,
    NO_BENEFIT,
    NO_CARD,
    NO_EFFECT,
    NOWHERE,
    SHOWN_FAVORS,
    TOWER_CARD,
    WINTER,
)
from wallsim.state import tally
from wallsim.state.game import hand_over

_GAINED = (tally.FAVOR_THALERS, tally.FAVOR_TRAY_ARMIES, tally.FAVOR_GRAIN, tally.VP_FAVORS)  # by benefit


@kernel
def welcome_courtiers(game, rules):
    """At the first fill of the tower: a courtier to the hall for each own cube that fell out (E1)."""
    for seat in range(rules.players):
        courtiers = min(COURTIERS, game.fallen[seat])
        game.hall[seat] = courtiers
        game.tally[seat, tally.COURTIERS_FIRST_FILL] += courtiers


@kernel
def show_favors(game, rules):
    """Show the round's favors, the highest number on the dearest space; others stay empty (E2)."""
    shown = rules.favors_shown
    first = shown * (WINTER * game.year + game.season)
    for space in range(shown, SHOWN_FAVORS):
        game.shown_favor[space] = 0
    for card in range(shown):
        place = 0
        for other in range(shown):
            place += game.favor_deck[first + other] > game.favor_deck[first + card]
        game.shown_favor[place] = game.favor_deck[first + card]


@kernel
def is_petition(card):
    """Whether a card on a court box asks for courtiers: a county or a dice-tower card; money passes (E3, E4)."""
    return card != NO_CARD and (card < MONEY or card == TOWER_CARD)


@kernel
def courtiers_of(box):
    """How many courtiers a court box is worth: 3, 2 or 1 (E4)."""
    return COURT_1 + 1 - box


@kernel
def send_courtiers(game, seat, box):
    """Turn armies of a county, or the seat's cubes in the tray, into courtiers, in full or not at all (E4).

    Returns True if it was done.
    """
    courtiers = courtiers_of(box)
    card = game.card[seat, box]
    possible = COURTIERS - game.hall[seat] >= courtiers
    if card == TOWER_CARD:
        possible = possible and game.tray[seat] >= courtiers
    else:
        possible = possible and game.army[card] > courtiers
    if not possible:
        game.tally[seat, tally.COURT_FAILURES] += 1
        return False
    if card == TOWER_CARD:
        game.tray[seat] -= courtiers
        game.tally[seat, tally.COURTIERS_FOR_CUBES] += courtiers
    else:
        game.army[card] -= courtiers
        game.tally[seat, tally.COURTIERS_FOR_ARMIES] += courtiers
    game.supply[seat] += courtiers
    game.hall[seat] += courtiers
    return True


@kernel
def open_audience(game, rules):
    """Set `game.audience`, the seats by courtiers in the hall, most first, ties by player order (E5)."""
    for turn in range(rules.players):
        seat = game.turn[turn]
        before = 0
        for other_turn in range(rules.players):
            other = game.turn[other_turn]
            earlier = other_turn < turn
            before += game.hall[other] > game.hall[seat] or (game.hall[other] == game.hall[seat] and earlier)
        game.audience[before] = seat


@kernel
def affordable_favors(game, rules, seat):
    """The mask of spaces 0..2 whose favor is still there and not too dear for the seat (E5)."""
    spaces = 0
    for space in range(SHOWN_FAVORS):
        if game.shown_favor[space] > 0 and rules.favor_price[space] <= game.hall[seat]:
            spaces |= 1 << space
    return spaces


@kernel
def favor_counties(game, rules, seat, favor):
    """The mask of counties that a favor may be used in; 0 where it needs none or there is none (E6)."""
    kind = rules.favor_kind[favor]
    counties = 0
    if kind == CALM:
        land = game.land[seat]
        while land != 0:
            county = lowest_bit(land)
            land &= land - 1
            counties |= (game.marker[county] > 0) << county
    elif kind == FREE_BUILDING:
        land = game.land[seat]
        while land != 0:
            county = lowest_bit(land)
            land &= land - 1
            counties |= (site_outcome(game, rules, county, rules.favor_value[favor]) == DONE) << county
    elif kind == FREE_ARMIES and game.supply[seat] > 0:
        counties = game.land[seat] | game.land[NEUTRAL]
    return counties


@kernel
def take_favor(game, rules, seat, space):
    """Pay for the favor on a space; it leaves the display. Returns its number (E2, E5)."""
    favor = game.shown_favor[space]
    game.shown_favor[space] = 0
    game.hall[seat] -= rules.favor_price[space]
    game.tally[seat, tally.FAVORS_TAKEN] += 1
    game.tally[seat, tally.COURTIERS_PAID] += rules.favor_price[space]
    game.tally[seat, tally.FAVOR_NUMBER + favor] += 1
    return favor


@kernel
def grant(game, rules, seat, favor, county, cancel):
    """Do what a favor does (E6): `county` is one of `favor_counties`, `cancel` is whether favor 1 ends the event.

    Returns what was gained or moved where the favor brings an amount, grain before the end of the food track, else 0.
    """
    kind, value = rules.favor_kind[favor], rules.favor_value[favor]
    benefit = FAVOR_BENEFIT[kind]
    gained = 0
    if benefit != NO_BENEFIT:
        gained = receive(game, rules, seat, benefit, value)
        game.tally[seat, _GAINED[benefit]] += gained
    elif kind == CANCEL_EVENT:
        if cancel:
            game.effect = NO_EFFECT
            game.tally[seat, tally.FAVOR_CANCELLED] += 1
    elif kind == CALM:
        _calm(game, seat, county, value)
    elif kind == NO_ATTACK:
        for combat in range(2):
            game.truce[combat] |= ((value >> combat) & 1) << seat
    elif county != NOWHERE and kind == FREE_BUILDING:
        put_up(game, seat, county, value)
        game.tally[seat, tally.FAVOR_BUILDINGS] += 1
    elif county != NOWHERE:
        gained = _send_free_armies(game, seat, county, value)
    return gained


@kernel
def end_protections(game):
    """After the tenth action combat A and B may attack everybody again (E6)."""
    game.truce[:] = 0


@kernel
def _calm(game, seat, county, value):
    """Remove revolt markers from a county, or keep the card against the next ones (E6)."""
    if county == NOWHERE:
        game.parry[seat] += value
        return
    removed = min(value, game.marker[county])
    game.marker[county] -= removed
    game.markers_left += removed
    game.tally[seat, tally.FAVOR_CALMED] += removed


@kernel
def _send_free_armies(game, seat, county, value):
    """Put armies into an own county, or into a neutral one, which is taken without a battle (E6)."""
    armies = min(value, game.supply[seat])
    game.supply[seat] -= armies
    game.army[county] += armies
    game.tally[seat, tally.FAVOR_ARMIES] += armies
    if game.owner[county] == NEUTRAL:
        hand_over(game, county, seat)
        game.tally[seat, tally.FAVOR_COUNTIES] += 1
    return armies
