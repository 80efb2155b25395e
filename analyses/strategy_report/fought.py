"""What the report says of counties that are fought for: attacks on them, and how often their owners lose them."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.rules.board import load_board
from wallsim.studies.grids import estimate
from wallsim.studies.running import Result

from ..play.changes import PLAYERS, TABLES
from ..play.study import ATTACKED, LOST


class Fought(NamedTuple):
    """A county at a table: attacks of players on its owners in a game, and owners that lose it in per cent.

    Both as numbers and in words.
    """

    attacks: float
    lost: float
    attacks_words: str
    lost_words: str


def fought(play: Result) -> dict[str, dict[str, Fought]]:
    """All counties by kind of play and name, at tables of four. InputError if a figure is missing."""
    figures = play.figures
    result: dict[str, dict[str, Fought]] = {}
    try:
        for table in TABLES:
            for county in load_board().counties:
                attacks, lost = (figures.of(what, county, players=PLAYERS, cell=table) for what in (ATTACKED, LOST))
                result.setdefault(table.play, {})[county] = Fought(
                    attacks.value, lost.value, estimate(2)(attacks), estimate(0, top=100.0)(lost)
                )
    except KeyError as error:
        raise InputError(f"data/figures/play.csv: has no {error}") from None
    return result
