"""Whether a conclusion is robust to a change of assumptions: claims, judged in every cell of play, tower and set-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from wallsim.analysis.claims.cells import Cell, Play, checked_plays, grouped, unjudged
from wallsim.errors import InputError
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence, side_of

Side = Literal["holds", "fails", "open"]
_SIDES: dict[int, Side] = {1: "holds", -1: "fails", 0: "open"}


@dataclass(frozen=True)
class Claim:
    """A sentence claiming that an outcome is above a number, in the unit of the outcome.

    A `check` restates a rule or arithmetic, so it is no finding and is counted apart.
    """

    words: str
    outcome: str
    above: float
    check: bool = False


@dataclass(frozen=True)
class Verdict:
    """In which cells a claim holds, fails, or is open because the interval includes the number.

    `sides` has the result by cell, in the order of the cells. `limit` names in words what the cells do not cover, such
    as a kind of play; it may be empty.
    """

    claim: Claim
    sides: Mapping[Cell, Side]
    limit: str = ""

    def where(self, side: Side) -> tuple[Cell, ...]:
        """The cells in which the claim holds, fails or is open."""
        return tuple(cell for cell, side_of_cell in self.sides.items() if side_of_cell == side)

    @property
    def robust(self) -> bool:
        """Whether the claim holds in every cell, and the cells cover all that is needed."""
        return set(self.sides.values()) == {"holds"} and not self.limit

    def in_words(self) -> str:
        """The verdict as text: robust, or in which of how many cells the claim fails or is open."""
        count = len(self.sides)
        if self.robust:
            return f"robust: holds in all {count} cells"
        limit = f"; {self.limit}" if self.limit else ""
        if set(self.sides.values()) == {"fails"}:
            return f"false: fails in all {count} cells{limit}"
        if set(self.sides.values()) == {"holds"}:
            return f"holds in all {count} cells{limit}"
        parts = [f"holds in {len(self.where('holds'))} of {count} cells"]
        for cells, word in ((self.where("fails"), "fails"), (self.where("open"), "is open")):
            if cells:
                where = f" ({grouped(cells, tuple(self.sides))})" if len(cells) < count else ""
                parts.append(f"{word} in {len(cells)}{where}")
        return "not robust: " + "; ".join(parts) + limit


def judge(claim: Claim, cells: Mapping[Cell, Measured], confidence: Confidence, limit: str = "") -> Verdict:
    """Judge a claim by the estimates of its outcome in every cell, with the intervals of `confidence`.

    An estimate without an interval leaves the claim open. For simultaneous verdicts `confidence` must count all their
    intervals. ValueError without a cell, since every claim would hold.
    """
    if not cells:
        raise ValueError(f"{claim.outcome}: there is no cell to judge the claim in")
    intervals = {cell: estimate.interval(confidence) for cell, estimate in cells.items()}
    return Verdict(claim, {cell: _SIDES[side_of(each, claim.above)] for cell, each in intervals.items()}, limit)


@dataclass(frozen=True)
class Robustness:
    """The verdict on every claim, and the estimates behind it, by outcome and then by cell.

    The intervals of `confidence` hold simultaneously for all outcomes that are claimed, each in all of its cells.
    """

    verdicts: tuple[Verdict, ...]
    estimates: dict[str, dict[Cell, Measured]]
    confidence: Confidence


def robustness(
    claims: Sequence[Claim],
    cells: Mapping[Cell, Mapping[str, Measured]],
    plays: Sequence[Play],
    *,
    confidence: Confidence | None = None,
) -> Robustness:
    """Judge claims in every cell by the cell's estimates, which are keyed by outcome.

    A claim is judged in the cells that have its outcome; a draft, for example, has no outcome about line-ups. The
    blocks of the cells may differ. By default the intervals of all outcomes and cells hold together. A claim that holds
    everywhere is robust only if the plays of its cells include weak, casual, middling and two independent lines of
    strong play. InputError for fewer than two cells, without claims, for a claim of an outcome that no cell has, for a
    cell of an unknown play, and for bad plays.
    """
    known = {play.name: play for play in checked_plays(plays)}
    if len(cells) < 2 or not claims:
        raise InputError(f"cells, claims: {len(cells)} and {len(claims)}; at least two cells and one claim are needed")
    strange = sorted({cell.play for cell in cells} - set(known))
    if strange:
        raise InputError(f"cells: play {', '.join(strange)} is not one of {', '.join(known)}")
    by_outcome_and_cell = {
        claim.outcome: {
            cell: by_outcome[claim.outcome] for cell, by_outcome in cells.items() if claim.outcome in by_outcome
        }
        for claim in claims
    }
    missing = [outcome for outcome, judged in by_outcome_and_cell.items() if not judged]
    if missing:
        outcomes = dict.fromkeys(outcome for by_outcome in cells.values() for outcome in by_outcome)
        raise InputError(f"claims: no cell has an outcome {', '.join(missing)}; they have {', '.join(outcomes)}")
    if confidence is None:
        confidence = Confidence(LEVEL, sum(len(judged) for judged in by_outcome_and_cell.values()))
    verdicts = []
    for claim in claims:
        judged = by_outcome_and_cell[claim.outcome]
        limit = unjudged(known[name] for name in dict.fromkeys(cell.play for cell in judged))
        verdicts.append(judge(claim, judged, confidence, limit))
    return Robustness(tuple(verdicts), by_outcome_and_cell, confidence)
