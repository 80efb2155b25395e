"""What the register of figures says of the start: wins of printed line-ups, or the worth of drafted counties."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from wallsim.errors import InputError
from wallsim.studies.figure import figure_id
from wallsim.studies.published import figures
from wallsim.trace.game_text.model import START, GameText

PLAYS = {"casual": "casual", "strong": "experienced, first line", "second strong": "experienced, second line"}
_DRAFTED_PLAYERS = 4  # the study of the draft has worths by kind of play for this number


class StartWorth(NamedTuple):
    """The start of a seat by kind of play, each number as text; `ids` are the figures that it rests on."""

    values: dict[str, str]
    ids: list[str]


class Start(NamedTuple):
    """What is known of the starts: the kind of number, and each seat's; `missing` says why there are none."""

    kind: str  # lineup or draft
    missing: str
    seats: dict[int, StartWorth]


def start_of(game: GameText) -> Start:
    """The worth of each seat's start by the register, which is of the printed base game."""
    rows = game.sections[START].rows
    kind = "lineup" if all(row.lineup for row in rows.values()) else "draft"
    if game.edition != "2e" or game.expansions or game.changed:
        return Start(kind, "the register's figures are of the base game of the second edition as printed", {})
    if kind == "draft" and game.players != _DRAFTED_PLAYERS:
        return Start(kind, f"worths by kind of play are known for {_DRAFTED_PLAYERS} players only", {})
    try:
        table = _table(game, kind)
    except InputError:
        return Start(kind, "the register lacks the study", {})
    seats = {}
    for seat, row in rows.items():
        values, ids = {}, []
        for play in PLAYS:
            if kind == "lineup":
                names = [figure_id("lineups", "wins", row.lineup, players=game.players, play=play)]
            else:
                names = [
                    figure_id("draft", "worth-by-play", each.county, players=game.players, play=play)
                    for each in row.holdings
                ]
            if not all(name in table for name in names):
                return Start(kind, "the register lacks a figure of the start", {})
            values[play] = _text(kind, [table[name] for name in names])
            ids += names
        seats[seat] = StartWorth(values, ids)
    return Start(kind, "", seats)


def _table(game: GameText, kind: str) -> dict[str, tuple[float, float, float]]:
    pattern = (
        f"lineups.wins.{game.players}p.*/all" if kind == "lineup" else f"draft.worth-by-play.{game.players}p.*/all"
    )
    rows = figures(pattern).select(pl.col("id", "value", "low", "high"))
    return {name: (value, low, high) for name, value, low, high in rows.iter_rows()}


def _text(kind: str, found: list[tuple[float, float, float]]) -> str:
    if kind == "lineup":
        value, low, high = found[0]
        return f"{value:.1f} ± {(high - low) / 2:.1f} %"
    total = sum(value for value, _, _ in found)
    return f"{total:+.1f} VP".replace("-", "−")
