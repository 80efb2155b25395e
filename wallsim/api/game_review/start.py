"""What the register of figures says of the start: wins of printed line-ups, and the values of named counties."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from wallsim.api.game_review.standing import is_printed
from wallsim.errors import InputError
from wallsim.report.tables.estimates import in_words
from wallsim.rules.terms import ARMY_GROUPS
from wallsim.studies.figure import figure_id
from wallsim.studies.published import figures
from wallsim.trace.game_text.model import START, GameText

PLAYS = {"casual": "casual bots", "strong": "master bots", "second strong": "scholar bots"}
ALL = "all bots"
_DRAFTED_PLAYERS = 4  # the study of the draft has values by kind of play for this number

Figures = dict[str, tuple[float, float, float]]


class StartWorth(NamedTuple):
    """The start of a seat by kind of play, each number as text; `ids` are the figures that it rests on."""

    values: dict[str, str]
    ids: list[str]


class CountyValue(NamedTuple):
    """A county that the text names: who owned it, None if that is unknown, and its start value by column, as text."""

    county: str
    seat: int | None
    values: dict[str, str]
    ids: list[str]


class Start(NamedTuple):
    """What is known of the starts: the kind of number, each seat's, and the counties; `missing`: why there are none."""

    kind: str  # lineup or draft
    missing: str
    seats: dict[int, StartWorth]
    counties: list[CountyValue]
    columns: tuple[str, ...]  # of the counties


def start_of(game: GameText) -> Start:
    """The value of each seat's start by the register, which is of the printed base game."""
    rows = game.sections[START].rows if START in game.sections else {}
    kind = "lineup" if any(row.lineup for row in rows.values()) else "draft"
    columns = tuple(PLAYS.values()) if game.players == _DRAFTED_PLAYERS else (ALL,)
    if not is_printed(game):
        missing = "the register's figures are of the base game of the second edition as printed"
        return Start(kind, missing, {}, [], columns)
    try:
        drafted, printed = _table(f"draft.worth-by-*.{game.players}p.*"), _table(f"lineups.wins.{game.players}p.*/all")
    except InputError:
        return Start(kind, "the register lacks the study", {}, [], columns)
    seats: dict[int, StartWorth] = {}
    for seat, row in rows.items():
        if row.lineup:
            seats[seat] = _of_lineup(game, row.lineup, printed)
        elif kind == "draft" and len(row.holdings) == len(ARMY_GROUPS[game.players]):
            seats[seat] = _of_counties(game, [each.county for each in row.holdings], drafted)
    named = [(each.county, each.seat) for each in game.owned]
    named += [(each.county, seat) for seat, row in rows.items() if not row.lineup for each in row.holdings]
    counties = [_county(game, *each, drafted) for each in dict.fromkeys(named)]
    missing = "" if seats or counties else "no start is noted"
    return Start(kind, missing, seats, counties, columns)


def _of_lineup(game: GameText, lineup: str, table: Figures) -> StartWorth:
    names = {play: figure_id("lineups", "wins", lineup, players=game.players, play=play) for play in PLAYS}
    values = {}
    for play, name in names.items():
        value, low, high = table[name]
        values[play] = f"{value:.1f} ± {(high - low) / 2:.1f} %"
    return StartWorth(values, list(names.values()))


def _names(game: GameText, county: str) -> dict[str, str]:
    """The figures of a county by kind of play, or of all plays where the study has no more."""
    if game.players == _DRAFTED_PLAYERS:
        return {
            play: figure_id("draft", "worth-by-play", county, players=game.players, play=play) for play in PLAYS
        }  # fmt: skip
    return {ALL: figure_id("draft", "worth-by-players", county, players=game.players, tower="spielbyweb")}


def _of_counties(game: GameText, counties: list[str], table: Figures) -> StartWorth:
    by_county = [_names(game, county) for county in counties]
    sums = {play: sum(table[names[play]][0] for names in by_county) for play in by_county[0]}
    values = {play: f"{total:+.1f} VP".replace("-", "−") for play, total in sums.items()}
    return StartWorth(values, [name for names in by_county for name in names.values()])


def _county(game: GameText, county: str, seat: int | None, table: Figures) -> CountyValue:
    names = _names(game, county)
    values = {}
    for play, name in names.items():
        value, low, high = table[name]
        values[PLAYS.get(play, play)] = in_words(value, (low, high), 1)
    return CountyValue(county, seat, values, list(names.values()))


def _table(pattern: str) -> Figures:
    rows = figures(pattern).select(pl.col("id", "value", "low", "high"))
    return {name: (value, low, high) for name, value, low, high in rows.iter_rows()}
