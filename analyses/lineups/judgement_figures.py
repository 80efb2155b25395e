"""The figures of line-up A against C, said in skill, in the register."""

from __future__ import annotations

from typing import Any

from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import LINEUP, Rows

from .estimates import HEAD_SIZE, Design, Lineups, plays_at_home
from .judgement import BETTER, ERRORS, OUTCOMES, POINTS, WEAKER, WORSE, level_errors, tables_of

GAP = {outcome: f"{BETTER} less {WORSE} in {outcome}" for outcome in OUTCOMES}
LEVEL_ERRORS = {outcome: f"errors that level {BETTER} and {WORSE} in {outcome}" for outcome in OUTCOMES}
WEAKER_PLAYER = "by the next weaker play"
_UNITS = {POINTS: "VP"}


def with_errors(error: float) -> str:
    """The item of the errors of line-up A's player."""
    return f"with errors of {error:g} VP"


def sure_of_gaps(design: Design) -> Confidence:
    """The confidence of the gaps: by play, outcome and player of line-up A; the errors that level both belong to it."""
    plays = tables_of(plays_at_home(design))
    return Confidence(LEVEL, max(1, len(plays)) * len(OUTCOMES) * (len(ERRORS) + 2))


def add_gaps(result: Lineups, rows: Rows) -> None:
    """Add what line-up A has more than C by who plays it, and the errors that make both level."""
    sure, tower = sure_of_gaps(result.design), result.design.towers[0]
    tables = tables_of(plays_at_home(result.design))
    for play, gaps in result.gaps.items():
        at: dict[str, Any] = {"players": HEAD_SIZE, "play": play, "tower": tower, "setup": LINEUP}
        at["seed"] = tables[play].seed
        for outcome in OUTCOMES:
            unit = _UNITS.get(outcome, "% points")
            what = f"{outcome} of line-up {BETTER} less those of {WORSE} at one table"
            for error, gap in zip(ERRORS, gaps.errors[outcome], strict=True):
                words = f"{what}, {BETTER}'s player with added errors of {error:g} VP in judging every option"
                rows.estimate(GAP[outcome], with_errors(error), gap, sure, words=words, unit=unit, null=0.0, **at)
            words = f"{what}, {BETTER} played by {WEAKER[play]} play"
            rows.estimate(
                GAP[outcome], WEAKER_PLAYER, gaps.weaker[outcome], sure, words=words, unit=unit, null=0.0, **at
            )
            value, interval = level_errors(gaps.errors[outcome], sure)
            words = f"added errors of {BETTER}'s player at which {BETTER} and {WORSE} have the same {outcome}"
            rows.number(
                LEVEL_ERRORS[outcome], "", value, interval, words=words, unit="VP", n=gaps.weaker[outcome].blocks,
                n_unit="blocks", sure=sure, **at,
            )  # fmt: skip
