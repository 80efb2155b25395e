"""What the report says of line-ups: in every cell the wins of each as printed, and what makes them fairest."""

from __future__ import annotations

from functools import partial
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.report.html.svg import Dot, dots
from wallsim.rules.board import load_board
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.grids import estimate
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE

from ..lineups.finding import NAMES, nearest, spreads_by_table
from ..lineups.games import PRINTED, VERSIONS, adjustments_of, letters_of

SIZES = (3, 4, 5)
share_words = estimate(1, top=100.0)


def facts_of(result: Result) -> dict[str, Any]:
    """What `templates/lineups.html.j2` shows, and in `texts` all words with figures beyond those of advice."""
    figures, cells = result.figures, {players: result.design.cells(players) for players in SIZES}
    changes = {players: spreads_by_table(result.design, players).text(figures) for players in SIZES}
    words = [share_words(share) for players in SIZES for cell in cells[players]
             for share in shares_of(figures, players, cell).values()]  # fmt: skip
    return {
        "cells": cells, "first": (4, CASUAL_TABLE), "names": NAMES, "changes": changes,
        "texts": [*words, *changes.values()], "picture": partial(picture_of, figures),
        "advice": partial(advice_of, figures), "spreads": partial(spreads_of, figures),
    }  # fmt: skip


def shares_of(figures: Figures, players: int, cell: Cell) -> dict[str, Figure]:
    """The wins of each printed line-up in a cell, in per cent."""
    every = "wins-of-all-versions"
    return {letter: figures.of(every, letter, players=players, cell=cell) for letter in letters_of(players)}


def picture_of(figures: Figures, players: int, cell: Cell) -> str:
    """Wins of the printed line-ups in a cell, with intervals; it is narrow enough for a telephone."""
    rows = {letter: Dot(each.value, *(each.ends or (each.value, each.value)), share_words(each))
            for letter, each in shares_of(figures, players, cell).items()}  # fmt: skip
    title = f"Wins of the printed line-ups of {players} players, {cell.play} play, tower {cell.tower}"
    return dots(rows, 100 / players, title, "%")


def spreads_of(figures: Figures, players: int, cell: Cell) -> dict[str, str]:
    """The spread of wins in a cell with each change of the printed line-ups; the fairest first, none last."""
    spreads = {kind: figures.of("spread", kind, players=players, cell=cell) for kind in VERSIONS}
    order = sorted(spreads, key=lambda kind: (kind == PRINTED, spreads[kind].value))
    return {kind: estimate(1)(spreads[kind]) for kind in order}


def advice_of(figures: Figures, players: int, cell: Cell) -> str:
    """What to change so that wins are most even in a cell, in a sentence or two."""
    spreads, fairest = spreads_of(figures, players, cell), nearest(figures, [cell], players)
    spread = f"As printed, wins spread by {spreads[PRINTED]} percentage points around the fair share"
    if PRINTED in fairest:
        return f"{spread}. No change that was tried is known to make them more even."
    best, *others = fairest
    text = f"{spread}, with {NAMES[best]} by {spreads[best]}: {change_of(players, best)}."
    names = " and ".join(NAMES[kind] for kind in others)
    return f"{text} Not known to differ from it: {names}." if names else text


def change_of(players: int, kind: str) -> str:
    """What a version of the line-ups changes, in words."""
    return adjustments_of(players)[kind].in_words(load_board())


def fairer(figures: Figures, players: int) -> str:
    """The change with the least spread of wins at the casual table; none where none is known to be fairer."""
    best = nearest(figures, [CASUAL_TABLE], players)
    if PRINTED in best:
        return f"{NAMES[PRINTED]}; no change is known to be fairer"
    return f"{NAMES[best[0]]}: {change_of(players, best[0])}"
