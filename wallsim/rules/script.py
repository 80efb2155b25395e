"""SCRIPT: the interventions of an experiment, packed for the engine, which alone is given them.

It is no part of the table, the rules or a mind: nobody who plays can read what is to come.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wallsim.rules.board import Board
from wallsim.rules.intervention_step import ABSENT, BY_TURN, CANCELLED, NONE, Step
from wallsim.rules.interventions import MAX_STEPS, Table
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.setup_edits import counties_in_play, lineup_of
from wallsim.rules.terms import ACTIONS, NOWHERE, TILES

FORCE_EVENT, KEEP_AWAY, CANCEL, GIVE_TILE, SWAP_TILES, TRADE_PLACES, HAND, TRADE_COUNTIES, LAY_CARD = range(9)
SEAT_BY_TURN = -1  # the game's number modulo players

STEP = np.dtype(
    (
        np.record,
        [
            ("do", np.int64),
            ("rounds", np.int64),  # mask of moments, see `wallsim.rules.intervention_step`
            ("seat", np.int64),  # or SEAT_BY_TURN
            ("to", np.int64),  # event, tile (NO_TILE: none), other seat, place from 0, or box
            ("gift", np.int64, (4,)),  # Thalers, grain, victory points, armies
            ("county", np.int64, (2,)),  # for armies, the two that are traded, or that on the box; NOWHERE: none named
        ],
    ),
    align=True,
)
SCRIPT = np.dtype((np.record, [("count", np.int64), ("step", STEP, (MAX_STEPS,))]), align=True)


def table_of(board: Board, ruleset: Ruleset) -> Table:
    """What interventions in games of this ruleset on this board may name."""
    players, letters = ruleset.players, ruleset.letters()
    in_play = frozenset(board.counties[county] for county in counties_in_play(board, ruleset))
    dealt = None
    if letters[0]:
        dealt = frozenset(
            board.counties[group.county] for letter in letters for group in lineup_of(board, ruleset, letter)
        )
    return Table(players, letters, ruleset.edition == "1e", board.counties, in_play, dealt, board.events)


def pack_script(steps: Sequence[Step], board: Board, letters: Sequence[str]) -> np.ndarray:
    """A SCRIPT array of one element, read-only; steps that change nothing are left out.

    `letters` has the line-up of each seat, by which a step may name its seat.
    """
    packed = np.zeros(1, SCRIPT)
    script = packed[0]
    for step in steps:
        if step.is_null:
            continue
        place = script.step[script.count]
        place.rounds, place.do, place.to = step.rounds, *_action(step, board)
        place.seat = _seat(step.seat, letters)
        place.gift[:] = step.gifts
        named = [board.counties.index(county) for county in step.counties]
        place.county[:] = [*named, NOWHERE, NOWHERE][:2]
        script.count += 1
    packed.setflags(write=False)
    return packed


def _seat(seat: int | str | None, letters: Sequence[str]) -> int:
    if isinstance(seat, str):
        return SEAT_BY_TURN if seat == BY_TURN else list(letters).index(seat)
    return 0 if seat is None else seat


def _action(step: Step, board: Board) -> tuple[int, int]:
    to = step.to
    if step.do == "event":
        if to == CANCELLED:
            return CANCEL, 0
        if to == ABSENT:
            return KEEP_AWAY, board.events.index(str(step.card))
        return FORCE_EVENT, board.events.index(str(to))
    if step.do == "tile":
        if isinstance(to, int):
            return SWAP_TILES, to
        return GIVE_TILE, -1 if to == NONE else TILES.index(str(to))
    if step.do == "plan":
        return LAY_CARD, ACTIONS.index(str(to))
    if step.do == "place":
        return TRADE_PLACES, int(str(to)) - 1
    return (HAND, 0) if step.do == "hand" else (TRADE_COUNTIES, 0)


def no_script() -> np.ndarray:
    """A SCRIPT without steps: a game as it is."""
    return np.zeros(1, SCRIPT)
