"""One answer to each claim, over all the cells in which it was played: does it hold, and on what does it depend?

A claim may be answered in these ways, each a statement with a p-value of its own:

- *holds*: in every cell. An intersection-union test (Berger 1982): each cell is judged at the whole level.
- *depends*: it is known to hold in some cell and to fail in some cell. Each of both is one of as many tests as there
  are cells (Bonferroni), since the cells are chosen by what was found there.
- *no difference that matters*: in every cell the outcome is within a margin of the claimed number (two one-sided
  tests).
- *holds, size varies*: for fewer than a twentieth of all such kinds of bots the outcome lies on the other side, if
  kinds of bots are taken for draws from a normal distribution; and no cell is known to be there.
- *holds or too small to matter*: in no cell does the outcome lie on the other side by as much as the margin, and it is
  known to hold in some cell (Bonferroni over cells).

*Fails* is said where the opposite of the claim holds in every cell. All statements about all claims are corrected
together (Holm 1979), so that all answers together are right with the stated level. A claim for which no statement is
shown is *not known*.

Kinds of bots are the draws, since settings of tower and set-up are chosen, and cells of one kind of bots differ little.
The errors of the draws may go together in any way, as where the same numbers of games are played: the statement holds
for errors that they share in full, and so for any others.

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
from wallsim.stats.heterogeneity import chance_of_share, spread_of
from wallsim.stats.intervals import LEVEL, NO_ERROR
from wallsim.stats.screening import holm
from wallsim.stats.stages import SHARES, Staged, students_tails

HOLDS, VARIES, LITTLE, DEPENDS, SAME, FAILS, UNKNOWN = (
    "holds", "holds, size varies", "holds or too small to matter", "depends", "no difference that matters", "fails",
    "not known",
)  # fmt: skip
STATEMENTS = (HOLDS, FAILS, DEPENDS, SAME, VARIES, LITTLE)  # where several are shown, the first is said
MARGINS = {"VP": 0.25, "%": 1.0, "% points": 1.0, "counts a round": 0.05}  # by unit: what matters at a table
OTHER_SIDE = 0.05  # the share of cells on the other side below which a claim holds, though its size varies

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
    answer; 0 where it has one.
    """

    claim: Claim
    word: str
    statements: Mapping[str, float]
    holds_in: tuple[Cell, ...]
    fails_in: tuple[Cell, ...]
    factors: tuple[Factor, ...]
    miss: float


def answers(
    claims: Mapping[Key, Claim],
    cells: Mapping[Key, Mapping[Cell, Known]],
    units: Mapping[Key, str],
    level: float = LEVEL,
) -> dict[Key, Answer]:
    """Answer all claims together by the estimates of their cells, all by some key; `units` say what margin matters.

    A cell without an error, because its blocks do not differ, counts as known exactly, one without a value as not
    known. ValueError for a claim without a cell.
    """
    found = {
        key: {
            **_statements(claim, cells[key], MARGINS.get(units[key])), VARIES: _varies(claim, cells[key], level),
        }
        for key, claim in claims.items()
    }  # fmt: skip
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
        )  # fmt: skip
    return result


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
    sides = [tails_of(each, claim.above) for each in cells.values()]
    above, below = (np.array(side) for side in zip(*sides, strict=True))
    count = len(cells)
    within = little = 1.0
    if margin is not None:
        low = [tails_of(each, claim.above - margin)[0] for each in cells.values()]
        high = [tails_of(each, claim.above + margin)[1] for each in cells.values()]
        within = max(*low, *high)
        little = max(*low, min(1.0, count * float(above.min())))
    return {
        HOLDS: float(above.max()),
        FAILS: float(below.max()),
        DEPENDS: min(1.0, count * max(float(above.min()), float(below.min()))),
        SAME: within,
        LITTLE: little,
    }


def _varies(claim: Claim, cells: Mapping[Cell, Known], level: float) -> float:
    """The p-value of the statement that few kinds of bots are on the other side; 1 where a cell is known to be."""
    draws = list(kinds_of_bots(cells).values())
    values, errors = (np.array([getattr(each, field) for each in draws]) for field in ("value", "error"))
    if len(draws) < 2 or np.isnan(values).any() or np.isnan(errors).any():
        return 1.0
    if len(cells) * min(tails_of(each, claim.above)[1] for each in cells.values()) <= 1.0 - level:
        return 1.0
    # No error is taken off the differences, and the mean has that of errors which are the same in all draws.
    exact = np.full(len(draws), NO_ERROR)
    return float(chance_of_share(values, exact, claim.above, OTHER_SIDE, float(errors.mean()) ** 2))


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
