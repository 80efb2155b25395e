"""What an experiment changes in the midst of a game: a loop over the steps of its script at a few existing places.

A script draws no random word. It is handed from step to step of the engine and lies neither on the table nor in the
rules or a mind; a search plays its trials with a script without steps.
"""

from wallsim.engine import log as recorder
from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.economy import take_or_give
from wallsim.rules.intervention_step import TURN_BIT
from wallsim.rules.script import (
    CANCEL,
    FORCE_EVENT,
    GIVE_TILE,
    HAND,
    KEEP_AWAY,
    LAY_CARD,
    SEAT_BY_TURN,
    SWAP_TILES,
    TRADE_COUNTIES,
    TRADE_PLACES,
)
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    MAX_PLAYERS,
    MONEY,
    MONEY_CARDS,
    NEUTRAL,
    NO_EFFECT,
    NO_TILE,
    NOWHERE,
    ROUNDS,
    SEASON_NAMES,
    SEASONS,
    WINTER,
    YEARS,
)
from wallsim.state.random import CARDS, below, key_stream, shuffle

AT_START = 0  # the moment of what happens before the first round
_UNSEEN = YEARS * EVENTS_PER_YEAR  # the first card of the deck that no year shows


@kernel
def _is_due(game, rules, step, moment):
    """Whether a step happens at a moment: 0 the start, then 1 + 4 * year + season."""
    if (step.rounds >> TURN_BIT) & 1 == 0:
        return (step.rounds >> moment) & 1 == 1
    turn = (game.number // rules.players) % ROUNDS
    return moment == 1 + len(SEASONS) * (turn // WINTER) + turn % WINTER


@kernel
def _seat_of(game, rules, step):
    return game.number % rules.players if step.seat == SEAT_BY_TURN else step.seat


@kernel(apart=True)
def stack_events(game, rules, script):
    """Put forced cards where their rounds will draw them, and absent ones out of their years (B1.8, B2.4).

    Each trades places with the card that lay there. `game.event_deck` has been shuffled, nothing else has happened.
    """
    wanted = False
    for index in range(script.count):
        wanted |= script.step[index].do == FORCE_EVENT or script.step[index].do == KEEP_AWAY
    if not wanted:
        return
    for index in range(script.count):
        step = script.step[index]
        if step.do == FORCE_EVENT:
            for moment in range(1, 1 + len(SEASON_NAMES)):
                if _is_due(game, rules, step, moment):
                    _swap(game.event_deck, _place_drawn_in(game, moment - 1), _find(game.event_deck, step.to))
    for index in range(script.count):
        step = script.step[index]
        if step.do == KEEP_AWAY:
            for moment in range(1, 1 + len(SEASON_NAMES)):
                place = _find(game.event_deck, step.to)
                if _is_due(game, rules, step, moment) and place // EVENTS_PER_YEAR == (moment - 1) // len(SEASONS):
                    _swap(game.event_deck, place, _first_unseen(game, script))


@kernel
def _swap(cards, one, other):
    cards[one], cards[other] = cards[other], cards[one]


@kernel
def _find(cards, card):
    place = 0
    while cards[place] != card:
        place += 1
    return place


@kernel
def _first_unseen(game, script):
    """The first card that no year shows and that need not be absent from any."""
    for place in range(_UNSEEN, EVENT_CARDS):
        free = True
        for index in range(script.count):
            step = script.step[index]
            free &= step.do != KEEP_AWAY or step.to != game.event_deck[place]
        if free:
            return place
    return _UNSEEN


@kernel
def _place_drawn_in(game, season):
    """The place in the deck of the card that comes in a season of the game, 0 to 7; winters keep what is left.

    The round's stream is read ahead on the displays, which every round lays out anew, and then put back.
    """
    year, last = season // len(SEASONS), season % len(SEASONS)
    word = game.random[CARDS]
    for place in range(EVENTS_PER_YEAR):
        game.shown_event[place] = EVENTS_PER_YEAR * year + place
    left, drawn = EVENTS_PER_YEAR, 0
    for round_ in range(min(last + 1, WINTER)):
        key_stream(game, CARDS, 1 + len(SEASONS) * year + round_)
        shuffle(game, CARDS, game.action_order, ACTION_CARDS)
        shuffle(game, CARDS, game.tile_on_box, MAX_PLAYERS)
        index = below(game, CARDS, left)
        drawn = game.shown_event[index]
        left -= 1
        game.shown_event[index] = game.shown_event[left]
    game.random[CARDS] = word
    return drawn if last < WINTER else game.shown_event[0]


@kernel
def cancel_event(game, rules, script, moment, log):
    """Take the effect of the event in force, if the script says so (B2.4); the card leaves the game all the same."""
    for index in range(script.count):
        step = script.step[index]
        if step.do == CANCEL and _is_due(game, rules, step, moment):
            game.effect = NO_EFFECT
            if log is not None:
                recorder.log_intervention(log, CANCEL, 0)


@kernel(apart=True)
def change_opening(game, rules, script, log):
    """Trade counties and fill or empty hands after the deal, before the tower's first fill (B1.6)."""
    for index in range(script.count):
        step = script.step[index]
        if step.do == TRADE_COUNTIES:
            _trade(game, step.county[0], step.county[1], log)
    fill_hands(game, rules, script, AT_START, log)


@kernel
def _trade(game, one, other, log):
    """Two owned counties change owners; armies keep their number in the new owner's colour, leaders go along."""
    first, second = game.owner[one], game.owner[other]
    if first in (second, NEUTRAL) or second == NEUTRAL:
        return
    both = 1 << one | 1 << other
    gain = game.army[one] - game.army[other]
    game.supply[first] += gain
    game.supply[second] -= gain
    game.land[first] ^= both
    game.land[second] ^= both
    game.owner[one], game.owner[other] = second, first
    if game.leader[first] == 1 << one:
        game.leader[first] = 1 << other
    if game.leader[second] == 1 << other:
        game.leader[second] = 1 << one
    if log is not None:
        line = recorder.log_intervention(log, TRADE_COUNTIES, first)
        recorder.name_counties(log, line, one, other)


@kernel(apart=True)
def fill_hands(game, rules, script, moment, log):
    """Give seats Thalers, grain, victory points and armies, or take them as far as there is something."""
    for index in range(script.count):
        step = script.step[index]
        if step.do == HAND and _is_due(game, rules, step, moment):
            seat = _seat_of(game, rules, step)
            thalers, grain, points = take_or_give(game, rules, seat, step.gift[0], step.gift[1], step.gift[2])
            county = NOWHERE
            armies = 0
            if step.gift[3] != 0:
                county = _county_for(game, seat, step.county[0], step.gift[3])
                kept = rules.first_fill_armies if moment == AT_START else 0
                armies = _move_armies(game, seat, county, step.gift[3], kept)
            if log is not None and (thalers != 0 or grain != 0 or points != 0 or armies != 0):
                line = recorder.log_intervention(log, HAND, seat)
                recorder.name_gifts(log, line, thalers, grain, points, armies)
                if armies != 0:
                    recorder.name_counties(log, line, county, NOWHERE)


@kernel
def _county_for(game, seat, named, armies):
    """The named county if the seat owns it; with none named, its weakest to reinforce and its strongest to take from.

    The first in the order of numbers among equals; NOWHERE if the seat has none.
    """
    if named != NOWHERE:
        return named if game.owner[named] == seat else NOWHERE
    chosen = NOWHERE
    land = game.land[seat]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        lead = game.army[county] - game.army[chosen] if chosen != NOWHERE else 0
        if chosen == NOWHERE or (lead < 0 if armies > 0 else lead > 0):
            chosen = county
    return chosen


@kernel
def _move_armies(game, seat, county, armies, kept):
    """Armies come from the supply, which keeps so many, or go back; one stays in the county. Returns the change."""
    if county == NOWHERE:
        return 0
    moved = min(armies, max(0, game.supply[seat] - kept)) if armies > 0 else max(armies, 1 - game.army[county])
    game.supply[seat] -= moved
    game.army[county] += moved
    return moved


@kernel(apart=True)
def lay_cards(game, rules, players, script, moment):
    """Put cards on boxes of plans that are made and not yet laid out (B2.3); the plans themselves show it."""
    for index in range(script.count):
        step = script.step[index]
        if step.do == LAY_CARD and _is_due(game, rules, step, moment):
            seat = _seat_of(game, rules, step)
            _lay_card(game, rules, players.seat[seat].plan, seat, step.to, step.county[0])


@kernel
def _lay_card(game, rules, plan, seat, box, county):
    """Put a seat's card on an action box: a county, or with NOWHERE the lowest money card in its hand, for a pass.

    A card from another box changes places with the one here; else that one goes back to the hand. Nothing happens
    without such a card, or where the bid would be more than the seat holds (B3.4).
    """
    card = county
    if county == NOWHERE:
        if plan[box] < 0 or plan[box] >= MONEY:
            return
        card = MONEY
        while card < MONEY + MONEY_CARDS and _box_of(rules, plan, card) != NOWHERE:
            card += 1
        if card == MONEY + MONEY_CARDS:
            return
    elif (game.land[seat] >> county) & 1 == 0:
        return
    other = _box_of(rules, plan, card)
    bid = plan[box] - MONEY
    if other == AUCTION and rules.money_bid_held and game.thalers[seat] < bid < MONEY_CARDS:
        return
    if other != NOWHERE:
        plan[other] = plan[box]
    plan[box] = card


@kernel
def _box_of(rules, plan, card):
    for box in range(rules.boxes):
        if plan[box] == card:
            return box
    return NOWHERE


@kernel(apart=True)
def change_auction(game, rules, script, moment, log):
    """Change the tiles that seats hold and their places in the player order, after all have picked (B4.3)."""
    for index in range(script.count):
        step = script.step[index]
        if not _is_due(game, rules, step, moment):
            continue
        seat = _seat_of(game, rules, step)
        if step.do == GIVE_TILE and game.tile[seat] != step.to:
            game.tile[seat] = step.to
            if log is not None:
                recorder.name_tile(log, recorder.log_intervention(log, GIVE_TILE, seat), step.to, NOWHERE)
        elif step.do == SWAP_TILES and step.to != seat:
            game.tile[seat], game.tile[step.to] = game.tile[step.to], game.tile[seat]
            if log is not None:
                recorder.name_tile(log, recorder.log_intervention(log, SWAP_TILES, seat), NO_TILE, step.to)
        elif step.do == TRADE_PLACES and game.turn[step.to] != seat:
            _trade_places(game, rules, seat, game.turn[step.to], log)


@kernel
def _trade_places(game, rules, seat, other, log):
    for place in range(rules.players):
        if game.turn[place] == seat:
            game.turn[place] = other
        elif game.turn[place] == other:
            game.turn[place] = seat
    game.place[seat], game.place[other] = game.place[other], game.place[seat]
    if log is not None:
        recorder.name_tile(log, recorder.log_intervention(log, TRADE_PLACES, seat), NO_TILE, other)
