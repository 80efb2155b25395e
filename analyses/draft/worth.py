"""The worth of counties as picks: least squares on dealt games, and what the printed numbers say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import Estimate
from wallsim.stats.least_squares import Design, Fit, mean_fit
from wallsim.stats.shrinkage import Shrunken, shrunken
from wallsim.studies.study import Storage

from .cells import DEAL, PLAYERS, Scope, in_cell
from .deals import BORDER, NEIGHBOURS, OWN_PAIR, Deals, Ground, deals_of, played_points, regressors

# What a regression counts, each with all before it; the last is the one that gives the worths.
STEPS = COUNTIES, ARMIES, OWN, ALL = (
    "counties", "and their armies", "and own neighbours", "and others' neighbours, regions",
)  # fmt: skip


class PickTable(NamedTuple):
    """The numbers that a drafter goes by: shrunken worths by county, and what each of NEIGHBOURS is worth."""

    counties: Mapping[str, float]
    neighbours: Mapping[str, float]


@dataclass(frozen=True)
class Worths:
    """The fits of all regressors by cell, each relative to the table's mean, with games as blocks.

    `points` are the victory points of every cell, float64 [games, seats].
    """

    ground: Ground
    deals: Deals
    points: dict[Cell, np.ndarray]
    fits: dict[Cell, Fit]

    @property
    def count(self) -> int:
        """How many counties are in play."""
        return len(self.ground.counties)

    @cached_property
    def pooled(self) -> Fit:
        """The mean over all cells, which play the same deals."""
        return mean_fit(list(self.fits.values()))

    def of_play(self, play: str) -> Fit:
        """The mean over the towers of a play."""
        return mean_fit([fit for cell, fit in self.fits.items() if cell.play == play])

    def of_tower(self, tower: str) -> Fit:
        """The mean over the plays under a tower."""
        return mean_fit([fit for cell, fit in self.fits.items() if cell.tower == tower])

    def county(self, fit: Fit, name: str, armies: bool = False) -> Estimate:
        """The worth of a county, VP of its owner above the table's mean; or of an army more there than in the mean."""
        return fit.estimates[self.ground.names.index(name) + (self.count if armies else 0)]

    def region(self, fit: Fit, number: int, armies: bool = False) -> Estimate:
        """The mean worth of a region's counties in play, or of an army more in them."""
        board, shift = self.ground.board, self.count if armies else 0
        weights = np.zeros(len(fit.values))
        weights[shift : shift + self.count] = board.region[self.ground.counties] == number
        return fit.of(weights / weights.sum())

    def neighbour(self, fit: Fit, name: str) -> Estimate:
        """The worth of one of NEIGHBOURS more."""
        return fit.estimates[2 * self.count + NEIGHBOURS.index(name)]

    def instead(self, fit: Fit) -> Estimate:
        """What it is worth to hold a county's neighbour oneself rather than leave it to another seat."""
        return self.neighbour(fit, OWN_PAIR) - self.neighbour(fit, BORDER)

    def shrunk(self, fit: Fit, facts: Sequence[str] | None = None) -> Shrunken:
        """The worths shrunken towards what the printed numbers say; `facts` are some of `printed`, by default all."""
        kept, known = slice(0, self.count), printed(self.ground)
        chosen = [each for name, values in known.items() if facts is None or name in facts for each in values]
        return shrunken(fit.values[kept], fit.covariance(kept), np.array(chosen).T)

    def table(self, fit: Fit) -> PickTable:
        """What a drafter needs of a fit, of all regressors or of those of an earlier one of STEPS."""
        counts = [*map(float, fit.values[2 * self.count :]), 0.0, 0.0, 0.0]
        worths = zip(self.ground.names, map(float, self.shrunk(fit).values), strict=True)
        return PickTable(dict(worths), dict(zip(NEIGHBOURS, counts, strict=False)))


def printed(ground: Ground) -> dict[str, list[np.ndarray]]:
    """What the board says about each county in play, each float64 [in play]; regions as a number for all but one."""
    board, there = ground.board, ground.counties
    return {
        "tax": [board.tax[there].astype(float)],
        "grain": [board.grain[there].astype(float)],
        "sites": [board.sites[there].astype(float)],
        "number of neighbours": [ground.borders.sum(axis=1)],
        "region": [(board.region[there] == number).astype(float) for number in range(1, len(board.regions))],
    }


def worths(scope: Scope, players: int, storage: Storage) -> Worths:
    """Play dealt games and estimate; with other than four players only under the first tower."""
    cells = [cell for cell in scope.cells(DEAL) if players == PLAYERS or cell.tower == scope.towers[0]]
    experiments = {cell: in_cell(cell, players) for cell in cells}
    deals = deals_of(experiments[cells[0]], scope.deals, storage)
    points = {cell: played_points(each, scope.deals, storage) for cell, each in experiments.items()}
    return estimated(Ground(experiments[cells[0]]), deals, points)


def estimated(ground: Ground, deals: Deals, points: Mapping[Cell, np.ndarray]) -> Worths:
    """The worths by the points of dealt games, float64 [games, seats] by cell."""
    design = Design(regressors(deals, ground))
    return Worths(ground, deals, dict(points), {cell: design.fit(each) for cell, each in points.items()})


def steps(result: Worths, points: Mapping[str, np.ndarray]) -> dict[str, dict[str, Fit]]:
    """The fits of each of STEPS to each of some outcomes."""
    known, count = regressors(result.deals, result.ground), result.count
    last = {COUNTIES: count, ARMIES: 2 * count, OWN: 2 * count + 1, ALL: known.shape[2]}
    designs = {step: Design(known[:, :, : last[step]]) for step in STEPS}
    return {step: {name: design.fit(each) for name, each in points.items()} for step, design in designs.items()}
