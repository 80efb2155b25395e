"""Which numbers of the study `lineups` are shown together, and how many intervals hold simultaneously in each table."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.stats.intervals import LEVEL, Confidence

from .adjustments import PRINTED
from .estimates import CLAIMS, HEAD_SIZE, LEADER, Design, adjustments_of
from .neighbours import FEATURES


class Group(NamedTuple):
    """Cells whose mean is shown: those of a play, of a tower, one cell, or all where neither is named."""

    play: str
    tower: str
    cells: list[Cell]

    @property
    def name(self) -> str:
        """The group in words, as a row of a table begins."""
        if self.play and self.tower:
            return f"{self.play}, `{self.tower}`"
        if self.play:
            return f"{self.play} play"
        return f"tower `{self.tower}`" if self.tower else "all cells"


def groups(design: Design, players: int) -> list[Group]:
    """All cells together, those of each play and of each tower, and each cell alone."""
    cells = design.cells(players)
    result = [Group("", "", cells)]
    for play in dict.fromkeys(cell.play for cell in cells):
        result.append(Group(play, "", [cell for cell in cells if cell.play == play]))
    for tower in design.towers:
        result.append(Group("", tower, [cell for cell in cells if cell.tower == tower]))
    return result + [Group(cell.play, cell.tower, [cell]) for cell in cells]


def versions(players: int) -> tuple[str, ...]:
    """As printed, and all adjustments for a number of players."""
    return (PRINTED, *adjustments_of(players))


def claims(players: int) -> list[Claim]:
    """The claims judged with a number of players: that of line-up A with four players only."""
    return [claim for claim in CLAIMS if players == HEAD_SIZE or claim.outcome != LEADER]


def sure_of_answer(players: int) -> Confidence:
    """The confidence of the wins as printed in the answer about a number of players."""
    return Confidence(LEVEL, players)


def sure_of_versions(design: Design) -> Confidence:
    """The confidence of the wins of all versions, means of all cells."""
    return Confidence(LEVEL, sum(players * len(versions(players)) for players in design.sizes))


def sure_of_levels(design: Design) -> Confidence:
    """The confidence of the wins of all versions in all cells, which say whether a cell is level."""
    each = (players * len(versions(players)) * len(design.cells(players)) for players in design.sizes)
    return Confidence(LEVEL, sum(each))


def sure_of_spreads(design: Design) -> Confidence:
    """The confidence of the spreads of wins, means of three groups of cells."""
    return Confidence(LEVEL, 3 * sum(len(versions(players)) for players in design.sizes))


def sure_of_each_spread(design: Design) -> Confidence:
    """The confidence of the spreads of wins of all versions in all cells."""
    return Confidence(LEVEL, sum(len(versions(players)) * len(design.cells(players)) for players in design.sizes))


def sure_of_handicaps(design: Design) -> Confidence:
    """The confidence of the table of the handicap."""
    return Confidence(LEVEL, 4 * sum(design.sizes))


def sure_of_printed(design: Design, players: int) -> Confidence:
    """The confidence of a table of printed line-ups, of wins or of points."""
    return Confidence(LEVEL, len(groups(design, players)) * players)


def sure_of_seats(design: Design) -> Confidence:
    """The confidence of the table of seats, means of all cells."""
    return Confidence(LEVEL, 2 * sum(design.sizes))


def sure_of_seats_by_cell(design: Design) -> Confidence:
    """The confidence of the wins and points of seats in all cells."""
    return Confidence(LEVEL, 2 * sum(players * len(design.cells(players)) for players in design.sizes))


def sure_of_borders(design: Design) -> Confidence:
    """The confidence of the points in the table of borders; two line-ups of each size exchange counties."""
    return Confidence(LEVEL, sum(design.sizes) + 2 * len(design.sizes))


def sure_of_exchanged(design: Design) -> Confidence:
    """The confidence of the points of the line-ups that exchange counties in all cells."""
    return Confidence(LEVEL, 2 * sum(len(design.cells(players)) for players in design.sizes))


def sure_of_land(design: Design) -> Confidence:
    """The confidence of the worth of a line-up's land, by feature and play."""
    return Confidence(LEVEL, len(FEATURES) * len(design.plays_of(HEAD_SIZE)))
