"""One answer to each claim, over all the cells in which it was played: does it hold, and on what does it depend?

A claim may be answered in four ways, each a statement with a p-value of its own:

- *holds*: in every cell. An intersection-union test (Berger 1982): each cell is judged at the whole level.
- *depends*: it is known to hold in some cell and to fail in some cell. Each of both is one of as many tests as there
  are cells (Bonferroni), since the cells are chosen by what was found there.
- *no difference that matters*: in every cell the outcome is within a margin of the claimed number (two one-sided
  tests).
- *holds, size varies*: in fewer than a twentieth of all such cells the outcome lies on the other side, if cells are
  taken for draws from a normal distribution; and no cell is known to be there.

The p-values of a claim are multiplied by the number of statements, and claims are corrected among each other (Holm
1979), so that all answers together are right with the stated level. A claim for which no statement is borne is *not
known*. *Fails* is the answer where the opposite of the claim holds in every cell.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from math import inf
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from wallsim.analysis.claims.cells import Cell, varying
from wallsim.analysis.claims.verdicts import Claim
from wallsim.stats.heterogeneity import chance_of_share
from wallsim.stats.intervals import LEVEL, NO_ERROR
from wallsim.stats.students_t import quantile, tail

HOLDS, VARIES, DEPENDS, SAME, FAILS, UNKNOWN = (
    "holds", "holds, size varies", "depends", "no difference that matters", "fails", "not known",
)  # fmt: skip
STATEMENTS = (HOLDS, FAILS, DEPENDS, SAME, VARIES)  # where several are borne, the first is said
MARGINS = {"VP": 0.25, "%": 1.0}  # by unit: what matters at a table
OTHER_SIDE = 0.05  # the share of cells on the other side below which a claim holds, though its size varies

Key = TypeVar("Key", bound=Hashable)


class Known(Protocol):
    """What is known of an outcome in a cell: its value, standard error and number of blocks."""

    @property
    def value(self) -> float:
        """The number."""
        ...

    @property
    def error(self) -> float:
        """Its standard error."""
        ...

    @property
    def blocks(self) -> int:
        """The sample size."""
        ...


class Factor(NamedTuple):
    """How much of the differences between cells a factor explains, from 0 to 1, errors of games taken off."""

    name: str
    share: float


@dataclass(frozen=True)
class Answer:
    """The answer to a claim, with its p-value among all claims, and the p-value of each statement before correction.

    `holds_in` and `fails_in` are the cells in which it is known to hold and to fail, `factors` what the differences
    between cells depend on, the largest first, `times` how many times as many games would be likely to decide it,
    `inf` if that is not to be seen; 1 where it is decided.
    """

    claim: Claim
    word: str
    p: float
    statements: Mapping[str, float]
    holds_in: tuple[Cell, ...]
    fails_in: tuple[Cell, ...]
    factors: tuple[Factor, ...]
    times: float


def answers(
    claims: Mapping[Key, Claim],
    cells: Mapping[Key, Mapping[Cell, Known]],
    units: Mapping[Key, str],
    level: float = LEVEL,
) -> dict[Key, Answer]:
    """Answer all claims together by the estimates of their cells, all by some key; `units` say what margin matters.

    A cell without an error, because its blocks do not differ, counts as known exactly. ValueError for a claim without a
    cell.
    """
    by_key = {key: _statements(claim, cells[key], MARGINS.get(units[key])) for key, claim in claims.items()}
    best = {key: min(1.0, len(STATEMENTS) * min(found.values())) for key, found in by_key.items()}
    limits = _holm(best, 1.0 - level)
    result = {}
    for key, claim in claims.items():
        found, limit = by_key[key], limits[key]
        borne = [word for word in STATEMENTS if len(STATEMENTS) * found[word] <= limit]
        alone = (1.0 - level) / len(cells[key])
        sides = {cell: _tails(known, claim.above) for cell, known in cells[key].items()}
        result[key] = Answer(
            claim, borne[0] if borne else UNKNOWN, best[key], found,
            tuple(cell for cell, (above, _) in sides.items() if above <= alone),
            tuple(cell for cell, (_, below) in sides.items() if below <= alone),
            factors_of(cells[key]),
            1.0 if borne else _times(claim, cells[key], MARGINS.get(units[key]), limit / len(STATEMENTS)),
        )  # fmt: skip
    return result


def _statements(claim: Claim, cells: Mapping[Cell, Known], margin: float | None) -> dict[str, float]:
    """The p-value of each statement."""
    if not cells:
        raise ValueError(f"{claim.outcome}: there is no cell to answer the claim by")
    above, below = (
        np.array(side) for side in zip(*(_tails(each, claim.above) for each in cells.values()), strict=True)
    )
    count = len(cells)
    within = 1.0
    if margin is not None:
        low = [_tails(each, claim.above - margin)[0] for each in cells.values()]
        high = [_tails(each, claim.above + margin)[1] for each in cells.values()]
        within = max(*low, *high)
    varies = 1.0
    if count > 1 and count * float(below.min()) > 1.0 - LEVEL:
        values, errors = (np.array([getattr(each, field) for each in cells.values()]) for field in ("value", "error"))
        varies = chance_of_share(values, np.maximum(errors, NO_ERROR), claim.above, OTHER_SIDE)
    return {
        HOLDS: float(above.max()),
        FAILS: float(below.max()),
        DEPENDS: min(1.0, count * max(float(above.min()), float(below.min()))),
        SAME: within,
        VARIES: varies,
    }


def _tails(known: Known, limit: float) -> tuple[float, float]:
    """The one-sided p-values that the outcome is above a limit and below it."""
    if not known.error > NO_ERROR:
        return float(known.value <= limit), float(known.value >= limit)
    upper = tail((known.value - limit) / known.error, known.blocks - 1)
    return upper, 1.0 - upper


def _holm(best: Mapping[Key, float], miss: float) -> dict[Key, float]:
    """The level of each claim: the smallest p-value of all is held against miss / claims, the next less strictly.

    Once a claim misses its level, all later ones have the level 0.
    """
    limits, stopped = {}, False
    for place, key in enumerate(sorted(best, key=lambda key: best[key])):
        limit = miss / (len(best) - place)
        stopped = stopped or best[key] > limit
        limits[key] = 0.0 if stopped else limit
    return limits


def factors_of(cells: Mapping[Cell, Known]) -> tuple[Factor, ...]:
    """What the differences between cells depend on: main effects of play, tower and set-up, the largest first.

    Each is the variance between the means of its levels, less what errors alone would make of it, as a share of all
    differences between cells, treated alike.
    """
    values = np.array([each.value for each in cells.values()])
    noise = np.array([each.error**2 for each in cells.values()])
    if len(cells) < 2:
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


def _times(claim: Claim, cells: Mapping[Cell, Known], margin: float | None, miss: float) -> float:
    """How many times as many games would be likely to bear a statement about all cells, if values stay as they are."""
    miss = miss if miss > 0.0 else (1.0 - LEVEL) / len(STATEMENTS)
    needed = {cell: quantile(1.0 - miss, each.blocks - 1) * each.error for cell, each in cells.items()}

    def ratio(distances: Mapping[Cell, float]) -> float:
        return max((needed[cell] / gap) ** 2 if gap > 0.0 else inf for cell, gap in distances.items())

    away = {cell: each.value - claim.above for cell, each in cells.items()}
    ways = [ratio(away), ratio({cell: -gap for cell, gap in away.items()})]
    if margin is not None:
        ways.append(ratio({cell: margin - abs(gap) for cell, gap in away.items()}))
    return max(1.0, min(ways))
