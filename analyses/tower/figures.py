"""The figures of the study `tower` in the register."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figures, Rows

from .estimates import ARM_PAIRS, CLAIMS, OUTCOMES, Estimates, of_pair

PLAYERS = 4  # players
OUTCOME, DIFFERENCE, TO_DRAFT = "outcome", "difference", "draft-less-line-ups"
BASELINE = "spielbyweb"
_ABOVE = {claim.outcome: claim.above for claim in CLAIMS}


def confidence(cells: int) -> Confidence:
    """The confidence of all intervals: of so many outcomes in cells, and of their differences by tower and set-up."""
    return Confidence(LEVEL, cells + len(OUTCOMES) * (len(ARM_PAIRS) + 1))


def sure_of(figures: Figures) -> Confidence:
    """The same by the figures of the register."""
    return confidence(sum(len(figures.cells(OUTCOME, outcome, players=PLAYERS)) for outcome in OUTCOMES))


def home(outcome: str, tower: str, setup: str = "lineup") -> Cell:
    """The cell of middling play, or of an outcome's pair of policies, under a tower."""
    return Cell(of_pair(outcome) or MIDDLING, tower, setup)


def pair(outcome: str, one: str, other: str) -> str:
    """The item of the difference of an outcome between two towers."""
    return f"{outcome} {one} less {other}"


def add_figures(result: Estimates, rows: Rows) -> None:
    """Add every outcome in every cell, its differences between towers, and from line-ups to the draft."""
    sure = confidence(sum(map(len, result.values())))
    for outcome, (unit, _, meaning) in OUTCOMES.items():
        arms = result[outcome]
        for cell, arm in arms.items():
            rows.estimate(
                OUTCOME, outcome, arm, sure, words=f"{outcome}: {meaning}", unit=unit, players=PLAYERS, cell=cell,
                null=_ABOVE.get(outcome, float("nan")),
            )  # fmt: skip
        for one, other in ARM_PAIRS:
            first, second = home(outcome, one), home(outcome, other)
            if first in arms and second in arms:
                words = f"{outcome} under {one} less that under {other}, line-ups"
                rows.estimate(
                    DIFFERENCE, pair(outcome, one, other), arms[first] - arms[second], sure, words=words, unit=unit,
                    players=PLAYERS, play=first.play, null=0.0,
                )  # fmt: skip
        drafted, printed = home(outcome, BASELINE, "draft"), home(outcome, BASELINE)
        if drafted in arms and printed in arms:
            words = f"{outcome} in the draft less that with line-ups"
            rows.estimate(
                TO_DRAFT, outcome, arms[drafted] - arms[printed], sure, words=words, unit=unit, players=PLAYERS,
                play=drafted.play, tower=BASELINE, null=0.0,
            )  # fmt: skip
