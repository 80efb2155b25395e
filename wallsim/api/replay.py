"""The page of one game, from its trace: the steps with their chances, and where the chances come from."""

from __future__ import annotations

from pathlib import Path

from wallsim.analysis.games.steps import steps_of
from wallsim.api.chances import chances_of, table_of
from wallsim.api.outlook import UNEQUAL, calibrated_for, equal_strength, true_names
from wallsim.api.trace import Trace
from wallsim.report.replay.page import game_page
from wallsim.trace.match import Match

_LEARNED = (
    "Win probabilities are calibrated for {table} bots ({bots}). They are shown from fall of year 1 on: "
    "before, they are hardly better than the share of a seat."
)
_OTHERS = " Other bots play in this game, so they are less certain here."
_UNEQUAL = f"No win probabilities: {UNEQUAL}."
_NONE = (
    "No win probabilities: values were learned only for the second edition without expansions, with printed rules and "
    "board."
)


def replay_page(events: Trace, board: str | Path | None = None) -> str:
    """The page of a game as HTML, from its trace; `board` is the folder of a board that is not the game's own.

    The same game gives the same bytes. BoardError or MapError for a board that has no map to draw.
    """
    match = events.match
    table = table_of(match)
    chances = chances_of(match, events, table)
    return game_page(match, list(steps_of(match, events, chances)), values_text(match, table, bool(chances)), board)


def values_text(match: Match, table: str, known: bool) -> str:
    """Where the chances come from, or why there are none, in sentences."""
    if not known:
        return _NONE if equal_strength(match.policies, match.players) else _UNEQUAL
    bots = calibrated_for(table, match.players)
    others = not true_names(match.policies) <= true_names(bots)
    return _LEARNED.format(table=table, bots=", ".join(bots)) + (_OTHERS if others else "")
