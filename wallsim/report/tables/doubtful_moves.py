"""The table of doubtful moves: how often a policy makes moves that a player would question."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from wallsim.analysis.behaviour.doubtful_moves import DOUBTFUL_MOVES
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, share, share_ends
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence


def doubtful_section(name: str, estimates: Sequence[Estimate]) -> str:
    """What was counted over how many games, in sentences and a table."""
    confidence = Confidence(LEVEL, len(estimates))
    words = (
        f"{estimates[0].blocks:,} games of {code(name)} in all seats were recorded, and moves counted that a player "
        f"would question. A doubtful move need not be a bad one: what it costs is not measured here. All intervals "
        f"hold simultaneously with {LEVEL:.0%}."
    )
    rows = [
        [move.name, *_cells(estimate, confidence), move.cases, move.meaning]
        for move, estimate in zip(DOUBTFUL_MOVES, estimates, strict=True)
    ]
    heads = ["doubtful move", "%", "interval", "of", "doubtful if"]
    return f"{words}\n\n{markdown_table(heads, rows)}"


def _cells(estimate: Estimate, confidence: Confidence) -> list[str]:
    """The share and its interval; it has neither without a case."""
    if isnan(estimate.value):
        return [NOTHING, NOTHING]
    interval = estimate.interval(confidence)
    return [
        share(estimate.value / 100),
        share_ends(None if interval is None else (interval[0] / 100, interval[1] / 100)),
    ]
