"""Bids, the order of choosing, the player order with its bonus tiles (B4), and the agenda that follows from it (B2.6).

In the first edition of 2002 the player order is drawn by lot (V1).
"""

from wallsim.jit import kernel
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    FEW_COUNTIES,
    MAX_PLAYERS,
    MONEY,
    NO_CARD,
    NO_TILE,
    TOWER_CARD,
)
from wallsim.state import tally
from wallsim.state.random import TIES, shuffle

_LOTS = 8  # above any seat: a bid's rank and its lot share a number
_NO_BID, _ZERO, _COUNTY, _MONEY = 0, 1, 2, 2  # money v > 0 ranks as _MONEY + v


@kernel
def auction_stays_empty(rules, counties):
    """Whether a seat with so many counties bids nothing: no auction (V1), or too few cards (B3.2 [A14])."""
    return rules.first_edition or (rules.actions_first and counties <= FEW_COUNTIES)


@kernel
def bid_rank(game, seat):
    """The rank of a seat's bid: money 4, 3, 2, 1, then county cards, then money 0, then no card (B4.2, E3)."""
    card = game.card[seat, AUCTION]
    if card == NO_CARD:
        return _NO_BID
    if card < MONEY:
        return _COUNTY
    value = card - MONEY
    if value == 0 or value > game.thalers[seat] or card == TOWER_CARD:  # E3; more than is held: only by [A4]
        return _ZERO
    return _MONEY + value


@kernel
def reveal_bids(game, rules):
    """Pay the money bids and set `game.pick`, the seats in order of choosing, ties drawn at random (B4.1, B4.2)."""
    players = rules.players
    for seat in range(players):
        game.lot[seat] = seat
    shuffle(game, TIES, game.lot, players)
    for seat in range(players):
        game.lot[seat] += _LOTS * bid_rank(game, seat)
    for seat in range(players):
        before = 0
        for other in range(players):
            before += game.lot[other] > game.lot[seat]
        game.pick[before] = seat
        game.tally[seat, tally.CHOOSING_TOTAL] += before + 1
    for seat in range(players):
        rank = game.lot[seat] // _LOTS
        if rank > _MONEY:
            game.thalers[seat] -= rank - _MONEY
            game.tally[seat, tally.PAID_BIDS] += rank - _MONEY
        elif rank == _COUNTY:
            game.tally[seat, tally.COUNTY_BIDS] += 1


@kernel
def take_box(game, seat, box):
    """Give a free box 0..4 to the seat: its place in the player order and its bonus tile (B4.3)."""
    game.place[seat] = box
    game.tile[seat] = game.tile_on_box[box]


@kernel
def set_player_order(game, rules):
    """Put the seats into `game.turn` by their boxes; boxes nobody took are skipped (B4.3)."""
    for seat in range(rules.players):
        before = 0
        for other in range(rules.players):
            before += game.place[other] < game.place[seat]
        game.turn[before] = seat


@kernel
def note_places(game, rules):
    """Count the places and tiles that the seats hold when the round's order is settled (B4.3)."""
    for seat in range(rules.players):
        tile = game.tile[seat]
        game.tile_held[seat] = tile
        game.tally[seat, tally.PLACE_TOTAL] += game.place[seat] + 1
        if tile != NO_TILE:
            game.tally[seat, tally.TILE_ROUNDS + tile] += 1


@kernel
def put_tiles_away(game):
    """There are no bonus tiles (V1)."""
    for box in range(MAX_PLAYERS):
        game.tile_on_box[box] = NO_TILE


@kernel
def draw_player_order(game, rules):
    """Draw the player order at random: `game.turn` and each seat's place (V1)."""
    for seat in range(rules.players):
        game.turn[seat] = seat
    shuffle(game, TIES, game.turn, rules.players)
    for turn in range(rules.players):
        seat = game.turn[turn]
        game.place[seat] = turn
        game.pick[turn] = seat
        game.tile[seat] = NO_TILE


@kernel
def list_agenda(game, rules):
    """List the county cards on action boxes in `game.agenda`: card order, then player order (B2.6); returns how many.

    Building the list needs no branches; testing box by box would cost the processor one mispredicted branch in three.
    """
    cards = 0
    for position in range(ACTION_CARDS):
        action = game.action_order[position]
        for turn in range(rules.players):
            seat = game.turn[turn]
            card = game.card[seat, action]
            game.agenda[cards, 0] = position
            game.agenda[cards, 1] = seat
            game.agenda[cards, 2] = card
            cards += NO_CARD < card < MONEY
    return cards
