"""The variety of openings as text: a sentence for pages and cells for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wallsim.report.tables.estimates import number, of_estimate
from wallsim.stats.intervals import Confidence

if TYPE_CHECKING:
    from wallsim.analysis.behaviour.tables import Openings

_BITS, _CHANCE = 2, 1  # decimals


def entropy_cell(openings: Openings, confidence: Confidence) -> str:
    """`5.01 ± 0.10` in bits, or the lower bound `> 9.9` where too few openings came up again."""
    if not openings.known:
        return f"> {number(openings.least - 0.05, 1)}"
    return of_estimate(openings.entropy, confidence, _BITS)


def repeated_cell(openings: Openings, confidence: Confidence) -> str:
    """`96.3 ± 0.8`: the chance in per cent to see an opening again."""
    return of_estimate(openings.repeated, confidence, _CHANCE, top=100.0)


def openings_words(openings: Openings) -> str:
    """How much the openings differ, in a sentence; each interval holds alone."""
    alone = Confidence()
    return (
        f"Openings: over {openings.entropy.blocks:,} games with the same line-up the first plan of a seat has "
        f"{entropy_cell(openings, alone)} bits of entropy (0: always the same), and opens a further game in "
        f"{repeated_cell(openings, alone)} % as in one of these."
    )
