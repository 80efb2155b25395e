"""Boards of the study `robustness`: the printed one, and those with other figures in place of assumed ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from wallsim.rules.board_lineups import ASSUMED
from wallsim.rules.files import data_folder
from wallsim.runs.folder.commit import write_whole

from ..expansions.boards import Boards, Row
from .sources import Source, sources

BORDER, UNSURE = "borders.csv", "Altmark,Vorpommern"
ILLEGIBLE, NEXT_GUESS = "Anhalt", "Altmark"  # the ninth county of line-up A with three players
PRINTED, THREE = "as printed", "3 players, as printed"
AS_PRINTED = "as-printed"
NO_BORDER = "no border Altmark–Vorpommern"
OTHER_COUNTY = f"3 players, {NEXT_GUESS} for {ILLEGIBLE}"
_OF_THREE = ("price", "tiles", "lineups")  # studies judged with three players
FAVORS = ("amounts halved", "amounts doubled", "amounts alike")  # as the study `expansions` calls them


class Case(NamedTuple):
    """A board, and what is played on it: `against` names the case that it is compared with, itself for none.

    `quantity` is that of its figures.
    """

    name: str
    quantity: str
    against: str
    players: int
    studies: tuple[str, ...] | None = None  # whose claims are judged; None for all
    write: Callable[[AssumedBoards], Path] | None = None

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources whose claims are judged."""
        return tuple(each for each in sources() if self.studies is None or each.name in self.studies)


class AssumedBoards(Boards):
    """The boards in a folder, each written when it is first asked for."""

    def without_border(self) -> Path:
        """The board without the border that is least sure."""
        place = self._written("no-border", BORDER, _same)
        text = (data_folder("board") / BORDER).read_text("utf-8")
        write_whole(place / BORDER, text.replace(f"{UNSURE}\n", "").encode())
        return place

    def with_next_guess(self) -> Path:
        """The board whose assumed county of a line-up is the next guess."""

        def change_row(row: Row) -> Row:
            return {**row, "county": NEXT_GUESS} if row["provenance"] == ASSUMED else row

        return self._written("next-guess", "lineups.csv", change_row)


def _same(row: Row) -> Row:
    return row


def _favors(name: str) -> Case:
    quantity = name.replace("amounts ", "favors-")
    return Case(f"favors: {name}", quantity, PRINTED, 4, ("expansions",), lambda boards: boards.with_favors(name))


CASES = (
    Case(PRINTED, AS_PRINTED, PRINTED, 4),
    Case(NO_BORDER, "no-border", PRINTED, 4, None, AssumedBoards.without_border),
    Case(THREE, AS_PRINTED, THREE, 3, _OF_THREE),
    Case(OTHER_COUNTY, f"{NEXT_GUESS}-for-{ILLEGIBLE}", THREE, 3, _OF_THREE, AssumedBoards.with_next_guess),
    *(_favors(name) for name in FAVORS),
)
