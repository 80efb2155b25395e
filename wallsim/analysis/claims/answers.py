"""One answer to each claim, over all the cells in which it was played: does it hold, and on what does it depend?

A claim may be answered in these ways, each a statement with a p-value of its own:

- *holds*: in every cell. An intersection-union test (Berger 1982): each cell is judged at the whole level.
- *fails*: in every cell the opposite holds.
- *depends*: it is known to hold in some cell and to fail in some cell. Each of both is one of as many tests as there
  are cells (Bonferroni), since the cells are chosen by what was found there.
- *never worse*: in no cell does the outcome lie on the other side by as much as the margin of the claim. That is no
  knowledge of the claim itself, so it is counted apart. A margin is fixed before the games that it judges, and counts
  only where it is at most a third of the mean effect.

All statements about all claims are corrected together (Holm 1979), so that all answers together are right with the
stated level. A claim for which no statement is shown is *not known*.

Cells that were given more games in stages have p-values that hold whatever decided on the games (`stats.stages`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import inf
from statistics import NormalDist, fmean
from typing import NamedTuple, TypeVar

import numpy as np

from wallsim.analysis.claims.cells import Cell, varying
from wallsim.analysis.claims.verdicts import Claim
from wallsim.stats.blocks import Known, Measurement
from wallsim.stats.intervals import LEVEL, NO_ERROR
from wallsim.stats.screening import holm
from wallsim.stats.stages import SHARES, Staged, students_tails

HOLDS, FAILS, DEPENDS, NEVER_WORSE, UNKNOWN = "holds", "fails", "depends", "never worse", "not known"
STATEMENTS = (HOLDS, FAILS, DEPENDS, NEVER_WORSE)  # where several are shown, the first is said
LEAST_EFFECT = 3.0  # margins, from which on the mean effect may be excused by one
_PRECISE = 1e-7  # of a variance

Key = TypeVar("Key", bound=Hashable)


class Factor(NamedTuple):
    """How much of the differences between cells a factor explains, from 0 to 1, errors of games taken off."""

    name: str
    share: float


@dataclass(frozen=True)
class Answer:
    """The answer to a claim, with the p-value of each statement before correction.

    `holds_in` and `fails_in` are the cells in which it is known to hold and to fail, `factors` what the differences
    between cells depend on, the largest first. `miss` is the p-value at which a claim that is not known would get an
    answer; 0 where it has one. `margin` is None where none counts.
    """

    claim: Claim
    word: str
    statements: Mapping[str, float]
    holds_in: tuple[Cell, ...]
    fails_in: tuple[Cell, ...]
    factors: tuple[Factor, ...]
    miss: float
    margin: float | None = None


def answers(
    claims: Mapping[Key, Claim],
    cells: Mapping[Key, Mapping[Cell, Known]],
    margins: Mapping[Key, float],
    level: float = LEVEL,
) -> dict[Key, Answer]:
    """Answer all claims together by the estimates of their cells and the margins of some, all by some key.

    A cell without an error, because its blocks do not differ, counts as known exactly, one without a value as not
    known. ValueError for a claim without a cell.
    """
    counting = {key: _counting(claim, cells[key], margins.get(key)) for key, claim in claims.items()}
    found = {key: _statements(claim, cells[key], counting[key]) for key, claim in claims.items()}
    shown, limit = _shown(found, 1.0 - level)
    result = {}
    for key, claim in claims.items():
        words = [word for word in STATEMENTS if (key, word) in shown]
        alone = (1.0 - level) / len(cells[key])
        sides = {cell: tails_of(known, claim.above) for cell, known in cells[key].items()}
        result[key] = Answer(
            claim, words[0] if words else UNKNOWN, found[key],
            tuple(cell for cell, (above, _) in sides.items() if above <= alone),
            tuple(cell for cell, (_, below) in sides.items() if below <= alone),
            factors_of(cells[key]),
            0.0 if words else limit,
            counting[key],
        )  # fmt: skip
    return result


def _counting(claim: Claim, cells: Mapping[Cell, Known], margin: float | None) -> float | None:
    """The margin of a claim if its mean effect, over kinds of bots, is large enough for it; else None."""
    if margin is None or not cells:
        return None
    effect = fmean(kind.value for kind in kinds_of_bots(cells).values()) - claim.above
    return margin if effect >= LEAST_EFFECT * margin else None


def kinds_of_bots(cells: Mapping[Cell, Known]) -> dict[str, Known]:
    """The mean of the cells of each play, with equal weights.

    Its standard error is the mean of theirs: it is no larger, however the errors of cells go together.
    """
    kinds: dict[str, list[Known]] = {}
    for cell, each in cells.items():
        kinds.setdefault(cell.play, []).append(each)
    return {
        play: Measurement(fmean(each.value for each in of), fmean(each.error for each in of),
                          min(each.blocks for each in of)) for play, of in kinds.items()
    }  # fmt: skip


def _statements(claim: Claim, cells: Mapping[Cell, Known], margin: float | None) -> dict[str, float]:
    """The p-value of each statement about every cell."""
    if not cells:
        raise ValueError(f"{claim.outcome}: there is no cell to answer the claim by")
    above, below = (
        np.array(side) for side in zip(*(tails_of(each, claim.above) for each in cells.values()), strict=True)
    )
    found = {
        HOLDS: float(above.max()),
        FAILS: float(below.max()),
        DEPENDS: min(1.0, len(cells) * max(float(above.min()), float(below.min()))),
    }
    if margin is not None:
        found[NEVER_WORSE] = max(tails_of(each, claim.above - margin)[0] for each in cells.values())
    return found


def tails_of(known: Known, limit: float) -> tuple[float, float]:
    """The one-sided p-values that the outcome is above a limit and below it; both are 1 where it is not known."""
    if isinstance(known, Staged):
        return known.tails(limit)
    return students_tails(known.value, known.error, known.blocks, limit)


def _shown(found: Mapping[Key, Mapping[str, float]], miss: float) -> tuple[set[tuple[Key, str]], float]:
    """The statements that are shown, by key and word, and the level of the first one that is not."""
    every = [(key, word) for key, p_values in found.items() for word in p_values]
    adjusted = holm([found[key][word] for key, word in every])
    shown = {statement for statement, p_value in zip(every, adjusted.tolist(), strict=True) if p_value <= miss}
    return shown, miss / max(1, len(every) - len(shown))


def factors_of(cells: Mapping[Cell, Known]) -> tuple[Factor, ...]:
    """What the differences between cells depend on: main effects of play, tower and set-up, the largest first.

    Each is the variance between the means of its levels, less what errors alone would make of it, as a share of all
    differences between cells, treated alike.
    """
    values = np.array([each.value for each in cells.values()])
    noise = np.array([each.error**2 for each in cells.values()])
    if len(cells) < 2 or np.isnan(values).any():
        return ()
    whole = float(values.var()) - float(noise.mean()) * (1.0 - 1.0 / len(values))
    found = []
    for field in varying(cells):
        levels = [getattr(cell, field) for cell in cells]
        groups = [np.array([level == each for each in levels]) for level in dict.fromkeys(levels)]
        shares = np.array([group.mean() for group in groups])
        means = np.array([values[group].mean() for group in groups])
        errors = np.array([noise[group].mean() / group.sum() for group in groups])
        between = float((shares * (means - values.mean()) ** 2).sum() - (shares * errors * (1.0 - shares)).sum())
        found.append(Factor(field, min(1.0, max(0.0, between / whole)) if whole > 0.0 else 0.0))
    return tuple(sorted(found, key=lambda factor: -factor.share))


POWER = 0.8  # the chance with which more games should decide
LEAST = 1.5  # times as many games, for any cell that needs more
Needs = dict[Cell, float]  # by cell: how many times as many games it needs, 1 for no more, `inf` for no number


def needs_of(claim: Claim, cells: Mapping[Cell, Known], margin: float | None, miss: float) -> dict[str, Needs]:
    """What each statement needs in each cell to be shown with a p-value of `miss`.

    *Depends* needs two cells alone, the nearest to being known on each side. *Never worse* needs a `margin`.
    """
    values = nearer(cells)

    def times(limit: float, side: int, miss: float) -> Needs:
        return {cell: _times(each, values[cell], limit, side, miss) for cell, each in cells.items()}

    some = miss / len(cells)  # where a statement chooses the cell (Bonferroni)
    depends = _both(_nearest(times(claim.above, 1, some)), _nearest(times(claim.above, -1, some)))
    result = {HOLDS: times(claim.above, 1, miss), FAILS: times(claim.above, -1, miss), DEPENDS: depends}
    return result if margin is None else {**result, NEVER_WORSE: times(claim.above - margin, 1, miss)}


def nearer(cells: Mapping[Cell, Known]) -> dict[Cell, float]:
    """The values of cells, each nearer to the mean of all by as much as its error suggests; nan where not known."""
    known = {cell: each for cell, each in cells.items() if each.error > NO_ERROR}
    if len(known) < 2:
        return {cell: each.value for cell, each in cells.items()}
    mean, between = spread_of(*(np.array([getattr(each, field) for each in known.values()])
                                for field in ("value", "error")))  # fmt: skip
    result = {}
    for cell, each in cells.items():
        kept = between / (between + each.error**2) if cell in known else 1.0
        result[cell] = mean + kept * (each.value - mean)
    return result


def spread_of(values: np.ndarray, errors: np.ndarray) -> tuple[float, float]:
    """Mean and variance of the true values of at least two cells, by Paule and Mandel's equation (1982).

    True values are taken for draws from a normal distribution; `values` and their standard errors are [cells].
    """

    def fitted(between: float) -> tuple[float, float]:
        weights = 1.0 / (errors**2 + between)
        mean = float((weights * values).sum() / weights.sum())
        return mean, float((weights * (values - mean) ** 2).sum())  # Cochran's Q

    low, high = 0.0, float(values.var(ddof=1))  # no error is taken off at the upper end, so Q is too low there
    if fitted(low)[1] <= len(values) - 1:
        return fitted(low)[0], 0.0
    while high - low > _PRECISE * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if fitted(middle)[1] > len(values) - 1 else (low, middle)
    return fitted(high)[0], high


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
