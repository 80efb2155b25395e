"""How many more games would decide a claim: for each statement, in which cells and how many times as many.

The lowest and highest of many values are partly luck, so true values are taken to be nearer to the mean of all cells
than what was found: by empirical Bayes, for a normal distribution of true values. Then a statement is shown with a
chance of POWER. These numbers plan games and are shown beside claims that are not known; no answer depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from statistics import NormalDist

import numpy as np

from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, LITTLE, SAME, Known, tails_of
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.stats.heterogeneity import spread_of
from wallsim.stats.intervals import NO_ERROR
from wallsim.stats.stages import SHARES

POWER = 0.8  # the chance with which more games should decide
LEAST = 1.5  # times as many games, for any cell that needs more
Needs = dict[Cell, float]  # by cell: how many times as many games it needs, 1 for no more, `inf` for no number


def needs_of(claim: Claim, cells: Mapping[Cell, Known], margin: float | None, miss: float) -> dict[str, Needs]:
    """What each statement needs in each cell to be shown with a p-value of `miss`.

    *Depends* needs two cells alone, the nearest to being known on each side; *holds or too small to matter* one that is
    known to hold, and in all cells that they are not on the other side by the margin. Without a `margin` these and *no
    difference that matters* are left out.
    """
    values = nearer(cells)

    def times(limit: float, side: int, miss: float) -> Needs:
        return {cell: _times(each, values[cell], limit, side, miss) for cell, each in cells.items()}

    above, below = times(claim.above, 1, miss), times(claim.above, -1, miss)
    some = miss / len(cells)  # where a statement chooses the cell (Bonferroni)
    known, against = _nearest(times(claim.above, 1, some)), _nearest(times(claim.above, -1, some))
    result = {HOLDS: above, FAILS: below, DEPENDS: _both(known, against)}
    if margin is not None:
        low, high = times(claim.above - margin, 1, miss), times(claim.above + margin, -1, miss)
        result |= {SAME: _both(low, high), LITTLE: _both(low, known)}
    return result


def nearer(cells: Mapping[Cell, Known]) -> dict[Cell, float]:
    """The values of cells, each nearer to the mean of all by as much as its error suggests; nan where not known."""
    known = {cell: each for cell, each in cells.items() if each.error > NO_ERROR}
    if len(known) < 2:
        return {cell: each.value for cell, each in cells.items()}
    spread = spread_of(*(np.array([getattr(each, field) for each in known.values()]) for field in ("value", "error")))
    result = {}
    for cell, each in cells.items():
        kept = spread.deviation**2 / (spread.deviation**2 + each.error**2) if cell in known else 1.0
        result[cell] = spread.mean + kept * (each.value - spread.mean)
    return result


def _times(known: Known, value: float, limit: float, side: int, miss: float) -> float:
    if tails_of(known, limit)[0 if side > 0 else 1] <= miss:
        return 1.0
    gap = side * (value - limit)
    if not (gap > 0.0 and known.error > NO_ERROR):
        return inf
    far = NormalDist().inv_cdf(1.0 - miss * SHARES[-1]) + NormalDist().inv_cdf(POWER)
    return max(LEAST, (far * known.error / gap) ** 2)


def _nearest(needs: Needs) -> Needs:
    cell = min(needs, key=needs.__getitem__)
    return {cell: needs[cell]}


def _both(one: Needs, other: Needs) -> Needs:
    return {cell: max(one.get(cell, 1.0), other.get(cell, 1.0)) for cell in {**one, **other}}
