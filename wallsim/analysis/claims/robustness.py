"""Whether claims are robust: each is judged in every cell of weak to strong play, tower and set-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import Play, checked_plays, unjudged
from wallsim.analysis.claims.verdicts import Claim, Verdict, judge
from wallsim.errors import InputError
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence


@dataclass(frozen=True)
class Robustness:
    """The verdict on every claim, and the estimates behind it, by outcome and then by cell.

    The intervals of `confidence` hold simultaneously for all outcomes that are claimed, each in all of its cells.
    """

    verdicts: tuple[Verdict, ...]
    estimates: dict[str, dict[Cell, Measured]]
    confidence: Confidence

    @property
    def robust(self) -> bool:
        """Whether every claim holds in every cell, for weak, casual, middling and two lines of strong play."""
        return all(verdict.robust for verdict in self.verdicts)


def robustness(
    claims: Sequence[Claim],
    cells: Mapping[Cell, Mapping[str, Measured]],
    plays: Sequence[Play],
    *,
    level: float = LEVEL,
) -> Robustness:
    """Judge claims in every cell by the cell's estimates, which are keyed by outcome.

    A claim is judged in the cells that have its outcome; a draft, for example, has no outcome about line-ups. The
    blocks of the cells may differ. A claim that holds everywhere is robust only if the plays of its cells include
    weak, casual, middling and two independent lines of strong play. InputError for fewer than two cells, without
    claims, for a claim of an outcome that no cell has, for a cell of an unknown play, and for bad plays.
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
    confidence = Confidence(level, sum(len(judged) for judged in by_outcome_and_cell.values()))
    verdicts = []
    for claim in claims:
        judged = by_outcome_and_cell[claim.outcome]
        limit = unjudged(known[name] for name in dict.fromkeys(cell.play for cell in judged))
        verdicts.append(judge(claim, judged, confidence, limit))
    return Robustness(tuple(verdicts), by_outcome_and_cell, confidence)
