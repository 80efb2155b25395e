"""The plan of a seat at a position that somebody wrote down; what it does not say is drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from wallsim.analysis.advice.decision import PLAN, Decision
from wallsim.analysis.advice.options import AdviceOptions, check_seat
from wallsim.engine.advising import open_next_round
from wallsim.errors import InputError
from wallsim.policies.value.features import MOMENTS
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import (
    ACTIONS,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    MAX_PLAYERS,
    NO_TILE,
    PEASANT_ARMIES,
    PEASANTS,
    SEASONS,
    SHOWN_ACTIONS,
    TILES,
    WINTER,
)
from wallsim.rules.tower import DEFAULT_TOWER, load_tower
from wallsim.trace.state import State

_REFUSED = ("court", "landsknechte")  # expansions of which a state does not say enough


def decision_of_state(state: State, options: AdviceOptions, source: str = "the position") -> Decision:
    """The plan of a seat for the round after a state; the options are its seat, open cards, tower and seed.

    Cards that are not given, and open events that the state does not have, are drawn at random by the seed, once.
    InputError for a state before winter, with the court or the Landsknechte or changed rules, and for cards that there
    are not.
    """
    seat, tower = 0 if options.seat is None else options.seat, options.tower or DEFAULT_TOWER
    check_seat(seat, state.players)
    ended = MOMENTS.index(state.after)
    if SEASONS[(ended + 1) % len(SEASONS)] == SEASONS[WINTER]:
        raise InputError(f"after: winter follows {state.after}, in which nobody plans; allowed is another season")
    for expansion in (each for each in state.expansions if each in _REFUSED):
        raise InputError(f"expansions: a position does not say enough of {expansion}; give a run and a game of it")
    if state.changed:
        raise InputError(f"changed: a position does not say how {', '.join(state.changed)} is changed; give a run")
    given = (
        _given(ACTIONS, options.actions, SHOWN_ACTIONS, "actions"),
        _given(TILES, options.tiles, MAX_PLAYERS, "tiles"),
    )
    board, ruleset, random = load_board(), state.ruleset(), np.random.default_rng([options.seed, ended])
    rules = pack_rules(board, ruleset, load_tower(tower))
    table = state.record()
    game = table[0]
    game.markers_left = rules[0].revolt_markers - game.marker.sum()
    game.supply[PEASANTS] = PEASANT_ARMIES - game.tray[PEASANTS] - game.tower[PEASANTS]
    game.tile[:], game.event = NO_TILE, -1
    drawn = [_lay_events(game, state, [board.events.index(event) for event in state.events], random)]
    open_next_round(game, rules[0], random.integers(2**63, dtype=np.uint64))
    drawn += [
        _lay(game.action_order, given[0], len(ACTIONS), "actions"),
        _lay(game.tile_on_box, given[1], len(TILES), "tiles") if state.edition == "2e" else "",
    ]
    number = WINTER * int(game.year) + int(game.season)
    words = tuple(filter(None, drawn))
    return Decision(PLAN, table, board, ruleset, tower, seat, number, source, drawn=words)


def _given(names: Sequence[str], given: Sequence[str], count: int, what: str) -> list[int]:
    """The numbers of named cards; InputError unless they are `count` different ones of `names`, or none."""
    for name in given:
        if name not in names:
            raise InputError(f"{what}: {name!r} is not one of {', '.join(names)}{did_you_mean(name, names)}")
    if given and (len(given) != count or len(set(given)) < count):
        raise InputError(f"{what}: {', '.join(given)}: are not {count} different ones of {', '.join(names)}")
    return [names.index(name) for name in given]


def _lay(cards: np.ndarray, first: Sequence[int], count: int, what: str) -> str:
    """Lay the given cards first, of `count`; says what was drawn instead, or nothing."""
    if not first:
        return f"the open {what}"
    cards[:count] = [*first, *(card for card in cards[:count] if card not in first)]
    return ""


def _lay_events(game: np.record, state: State, known: Iterable[int], random: np.random.Generator) -> str:
    """Lay the open events, and fill what was used before with others; says what was drawn, or nothing."""
    year = game.year + (game.season == WINTER)
    used = 0 if game.season == WINTER else game.season + 1
    there = list(known)[: EVENTS_PER_YEAR - used]
    rest = [int(card) for card in random.permutation([card for card in range(EVENT_CARDS) if card not in there])]
    missing = EVENTS_PER_YEAR - used - len(there)
    laid = [*there, *rest[:missing]]
    game.shown_events = len(laid)
    game.shown_event[: len(laid)] = laid
    game.used_event[year, :used] = rest[missing : missing + used]
    return f"{missing} of the {len(laid)} open events" if missing else ""
