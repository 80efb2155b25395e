"""The figures of the study `editions` in the register."""

from __future__ import annotations

from functools import cache

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.changes import Change
from wallsim.studies.figure import Rows
from wallsim.studies.outcomes import LEADER, MARGIN, OUTCOMES, POINTS
from wallsim.studies.scope import Scope

from .estimates import CHANGED, LIMITS, Editions, Variant, cells_for, variants

PLAYERS = 4  # players
SHOWN, HEADLINE, VERDICT, GAMES, SEAT, PICTURE = "change", "headline", "verdict", "games", "seat", "points-by-play"
BY_CELL = "by-cell"  # of the outcome that has no verdict


def item(variant: Variant, outcome: str) -> str:
    """The item of an outcome of a variant."""
    return f"{variant.name} {outcome}"


def seat(variant: Variant, number: int) -> str:
    """The item of a seat's wins under a variant."""
    return f"{variant.name} seat {number}"


def sure_of_changes() -> Confidence:
    """The confidence of the table of changes in the shown cells."""
    return Confidence(LEVEL, len(variants()) * (1 + len(OUTCOMES)))


def sure_of_headline() -> Confidence:
    """The confidence of the answer's intervals."""
    return Confidence(LEVEL, len(variants()) * len(OUTCOMES))


def sure_of_seats() -> Confidence:
    """The confidence of the table of wins by seat."""
    return Confidence(LEVEL, PLAYERS * len(variants()))


def sure_of_verdicts(scope: Scope) -> Confidence:
    """The confidence of the intervals behind the verdicts."""
    return Confidence(LEVEL, len(LIMITS) * _played(scope))


def sure_of_games(scope: Scope) -> Confidence:
    """The confidence of the shares of games that change, and of an outcome without a verdict, in all cells."""
    return Confidence(LEVEL, _played(scope))


def sure_of_picture(scope: Scope) -> Confidence:
    """The confidence of the picture's intervals: every variant in every play, with the tower and set-up shown."""
    return Confidence(LEVEL, sum(len(plays_shown(scope, variant)) for variant in variants()))


def plays_shown(scope: Scope, variant: Variant) -> list[str]:
    """The plays of a variant in the tower and set-up of its shown cell."""
    cells = cells_for(scope, variant)
    return [cell.play for cell in cells if cell[1:] == cells[0][1:]]


@cache
def _played(scope: Scope) -> int:
    return sum(len(cells_for(scope, variant)) for variant in variants())


def add_figures(result: Editions, rows: Rows) -> None:
    """Add every figure: changes of every variant in every cell, and of wins by seat in the shown cell alone."""
    scope = result.scope
    of_games, of_verdicts, of_picture = sure_of_games(scope), sure_of_verdicts(scope), sure_of_picture(scope)
    for variant in variants():
        cells = cells_for(scope, variant)
        here = result.changes[cells[0]][variant.name]
        for outcome in (CHANGED, *OUTCOMES):
            families = [(SHOWN, sure_of_changes())] + ([(HEADLINE, sure_of_headline())] if outcome in OUTCOMES else [])
            for quantity, sure in families:
                _add(rows, quantity, variant, outcome, here[outcome], sure, cells[0])
        for cell in cells:
            changes = result.changes[cell][variant.name]
            _add(rows, GAMES, variant, CHANGED, changes[CHANGED], of_games, cell)
            for outcome in LIMITS:
                _add(rows, VERDICT, variant, outcome, changes[outcome], of_verdicts, cell)
            _add(rows, BY_CELL, variant, MARGIN, changes[MARGIN], of_games, cell)
            if cell[1:] == cells[0][1:]:
                _add(rows, PICTURE, variant, POINTS, changes[POINTS], of_picture, cell)
        for number, each in enumerate(result.seats[variant.name]):
            rows.estimate(
                SEAT, seat(variant, number), each.estimate, sure_of_seats(),
                words=f"change of the wins of seat {number}: {variant.name} against {variant.base}", unit="% points",
                players=PLAYERS, cell=cells[0], null=0.0, pairing=each.gain,
            )  # fmt: skip


def _add(rows: Rows, quantity: str, variant: Variant, outcome: str, each: Change, sure: Confidence, cell: Cell) -> None:
    unit = "%" if outcome == CHANGED else "% points" if outcome == LEADER else "VP"
    what = "games that change" if outcome == CHANGED else f"change of the {outcome.removesuffix(', % points')}"
    rows.estimate(
        quantity, item(variant, outcome), each.estimate, sure, words=f"{what}: {variant.name} against {variant.base}",
        unit=unit, players=PLAYERS, cell=cell, null=0.0, pairing=each.gain,
    )  # fmt: skip
