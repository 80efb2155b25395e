"""The figures of the study `amounts` in the register."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.changes import Change
from wallsim.studies.figure import Rows
from wallsim.studies.outcomes import LEADER, SPREAD
from wallsim.studies.scope import Scope

from ..editions.estimates import plays_of
from .estimates import DOUBLED, GAME_OUTCOMES, STYLES, Turned, turned_in
from .played import Amounts
from .surface import FAIR, LINEUPS, RESPONSES, amounts_of

PLAYERS = 4  # players
MEAN = "all rounds"
BASELINE, BY_CELL, POINTS_BY_CELL, HEADLINE = "change", "by-cell", "points-by-cell", "headline"
WINS, TILE, STYLE, SHOWN = "wins", "tile", "style", "picture"
WINS_BY_PLAY = "wins-by-play"
TWICE, TWICE_ROUNDS = "doubled", "doubled-rounds"
EXPLAINED, POINTS_PLAYED, NUMBER = "explained", "design-points", "fairest"
TILE_WORTH, LINEUP_WINS, RANGE_OF_TILES, RANGE_OF_LINEUPS = "tile-worth", "line-up-wins", "tile-range", "line-up-range"
KINDS = ("printed", "found")
_SHOWN = 16  # numbers in the picture
_JUDGED = (SPREAD, LEADER)  # outcomes that are judged in all cells


def item(name: str, what: str) -> str:
    """The item of what changes with a number."""
    return f"{name} {what}"


def sure_of_games(rows: Sequence[Turned]) -> Confidence:
    """The confidence of the table of whole games in the baseline cell."""
    return Confidence(LEVEL, len(rows) * (len(GAME_OUTCOMES) + len(LINEUPS)))


def sure_of_headline(rows: Sequence[Turned]) -> Confidence:
    """The confidence of the answer's intervals."""
    return Confidence(LEVEL, len(GAME_OUTCOMES) * len(rows))


@cache
def sure_of_cells(scope: Scope, outcomes: int = len(_JUDGED)) -> Confidence:
    """The confidence of so many outcomes of each number in all of its cells."""
    played = [
        cell for each in turned_in(scope) for cell in scope.cells()
        if cell.play in {play.name for play in plays_of(each.base)}
    ]  # fmt: skip
    return Confidence(LEVEL, outcomes * len(played))


def play_cells(scope: Scope) -> list[Cell]:
    """The cells of all plays under the first tower, where wins by line-up are shown beside each other."""
    return [cell for cell in scope.cells() if cell.tower == scope.baseline_cell().tower]


@cache
def sure_of_plays(scope: Scope) -> Confidence:
    """The confidence of the wins of all line-ups by every number in every play."""
    played = [
        cell for each in turned_in(scope) for cell in play_cells(scope)
        if cell.play in {play.name for play in plays_of(each.base)}
    ]  # fmt: skip
    return Confidence(LEVEL, len(LINEUPS) * len(played))


def sure_of_worths(rows: Sequence[Turned]) -> Confidence:
    """The confidence of the table of tiles and styles."""
    return Confidence(LEVEL, len(rows) * (len(TILES) + len(STYLES)))


def sure_of_twice(rounds: bool = False) -> Confidence:
    """The confidence of doubled gifts: in the mean of the rounds and in each, or of the rounds alone."""
    return Confidence(LEVEL, len(DOUBLED) * (len(ROUND_NAMES) + (0 if rounds else 1)))


def sure_of_responses() -> Confidence:
    """The confidence of the printed and the fairest numbers in a cell."""
    return Confidence(LEVEL, len(KINDS) * len(RESPONSES))


def sure_of_picture(shown: int) -> Confidence:
    """The confidence of the picture's intervals."""
    return Confidence(LEVEL, shown * (1 + len(TILES)))


def add_figures(result: Amounts, rows: Rows) -> None:
    """Add every figure: numbers one at a time, doubled gifts, the surface, and the fairest numbers found."""
    _add_turned(result, rows)
    _add_shown(result, rows)
    home = result.scope.baseline_cell()
    for tile, changes in result.doubled.items():
        words = f"more VP that the tile {tile} brings with a doubled gift"
        for moment, each in zip((MEAN, *ROUND_NAMES), changes, strict=True):
            for quantity in (TWICE, TWICE_ROUNDS) if moment != MEAN else (TWICE,):
                rows.estimate(
                    quantity, tile, each.estimate, sure_of_twice(quantity == TWICE_ROUNDS), words=words, unit="VP",
                    players=PLAYERS, cell=home, moment=moment, null=0.0, pairing=each.gain,
                )  # fmt: skip
    for name in RESPONSES:
        words = f"share of the variance of {name} between points that the surface explains of unseen ones"
        rows.number(
            EXPLAINED, name, result.surface.explained[name], words=words, unit="share", players=PLAYERS, cell=home
        )
    points = len(result.surface.points) - 1
    rows.number(POINTS_PLAYED, "", points, words="points of the design beside the printed numbers", unit="points")
    for name, value in amounts_of(result.found).items():
        words = f"{name} in the fairest numbers found; printed {PRINTED[name]}"
        rows.number(NUMBER, name, value, words=words, unit="number", null=PRINTED[name])
    for cell, both in result.confirmed.items():
        for kind, fairness in zip(KINDS, both, strict=True):
            for tile, worth in fairness.tiles.items():
                words = f"VP a round that holding {tile} brings, with the numbers {kind}"
                _add(rows, TILE_WORTH, item(tile, kind), worth, sure_of_responses(), words, "VP a round", cell=cell)
            for letter, share in fairness.lineups.items():
                words = f"wins of line-up {letter} with the numbers {kind}"
                _add(
                    rows, LINEUP_WINS, item(letter, kind), share, sure_of_responses(), words, "%", cell=cell, null=FAIR
                )
            for quantity, spread, unit in (
                (RANGE_OF_TILES, fairness.range_of_tiles(), "VP a round"),
                (RANGE_OF_LINEUPS, fairness.range_of_lineups(), "% points"),
            ):
                what = "tile" if quantity == RANGE_OF_TILES else "line-up"
                words = f"best {what} less the worst, with the numbers {kind}"
                rows.number(quantity, kind, spread, words=words, unit=unit, players=PLAYERS, cell=cell)


def _add_turned(result: Amounts, rows: Rows) -> None:
    turned, home, scope = result.turned, result.scope.baseline_cell(), result.scope
    played = turned_in(scope)
    for each in played:
        words = f"{{}}, from {each.low} to {each.high} in {each.name}"
        for cell, by_name in turned.games.items():
            for outcome, change in by_name.get(each.name, {}).items():
                one, label, unit = item(each.name, outcome), words.format(outcome), _unit(outcome)
                if cell == home:
                    _add(rows, BASELINE, one, change, sure_of_games(played), label, unit, cell=cell)
                    _add(rows, HEADLINE, one, change, sure_of_headline(played), label, unit, cell=cell)
                if outcome in _JUDGED:
                    _add(rows, BY_CELL, one, change, sure_of_cells(scope), label, unit, cell=cell)
                else:
                    _add(rows, POINTS_BY_CELL, one, change, sure_of_cells(scope, 1), label, unit, cell=cell)
        for quantity, table, sure, unit in (
            (WINS, turned.lineups[home], sure_of_games(played), "% points"),
            (TILE, turned.tiles, sure_of_worths(played), "VP a round"),
            (STYLE, turned.styles, sure_of_worths(played), "% points"),
        ):
            for name, change in table[each.name].items():
                label = words.format(f"{quantity} of {name}" if quantity != TILE else f"worth of the tile {name}")
                _add(rows, quantity, item(each.name, name), change, sure, label, unit, cell=home)
        for cell in play_cells(scope):
            for letter, change in turned.lineups[cell].get(each.name, {}).items():
                label = words.format(f"wins of line-up {letter}")
                _add(
                    rows, WINS_BY_PLAY, item(each.name, letter), change, sure_of_plays(scope), label, "% points",
                    cell=cell,
                )  # fmt: skip


def _add_shown(result: Amounts, rows: Rows) -> None:
    # The numbers that move the spread or a tile most, for the picture.
    games, home, played = result.turned.games[result.scope.baseline_cell()], result.scope.baseline_cell(), result.turned

    def size(each: Turned) -> float:
        tiles = [abs(change.estimate.value) for change in played.tiles[each.name].values()]
        return max(abs(games[each.name][SPREAD].estimate.value), *tiles)

    shown = sorted(turned_in(result.scope), key=size, reverse=True)[:_SHOWN]
    for each in shown:
        words = f"{{}}, from {each.low} to {each.high} in {each.name}"
        sure, name = sure_of_picture(len(shown)), each.name
        _add(rows, SHOWN, item(name, SPREAD), games[name][SPREAD], sure, words.format(SPREAD), "VP", cell=home)
        for tile, change in played.tiles[name].items():
            label = words.format(f"worth of the tile {tile}")
            _add(rows, SHOWN, item(name, tile), change, sure, label, "VP a round", cell=home)


def _add(
    rows: Rows,
    quantity: str,
    name: str,
    result: Change | Estimate,
    sure: Confidence,
    words: str,
    unit: str,
    **more: Any,
) -> None:
    change = result if isinstance(result, Change) else None
    estimate = result.estimate if isinstance(result, Change) else result
    keys = {"null": 0.0, **({} if change is None else {"pairing": change.gain}), **more}
    rows.estimate(quantity, name, estimate, sure, words=words, unit=unit, players=PLAYERS, **keys)


def _unit(outcome: str) -> str:
    return "% points" if outcome == LEADER else "VP"
