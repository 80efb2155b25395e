"""A claim, and cells of known values and errors without the games that they would come from."""

from dataclasses import dataclass

import numpy as np

from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, NEVER_WORSE, UNKNOWN
from wallsim.analysis.claims.verdicts import Claim
from wallsim.stats.blocks import Measurement

CLAIM = Claim("It is more.", "it", 0.0)
MARGIN = 0.25


@dataclass(frozen=True)
class Known(Measurement):
    """A value whose error is known."""

    blocks: int = 2_000


def planted(cells, values, error=0.1):
    """The cells with these values, one for all or one each."""
    values = np.broadcast_to(values, len(cells))
    return {cell: Known(float(value), error) for cell, value in zip(cells, values, strict=True)}


def true_answers(truths, margin=MARGIN):
    """Which answers are right where these are the true values of the cells, by word."""
    truths = np.asarray(truths)
    above, below = truths > 0, truths < 0
    return {
        HOLDS: above.all(), FAILS: below.all(), DEPENDS: above.any() and below.any(), UNKNOWN: True,
        NEVER_WORSE: (truths > -margin).all(),
    }  # fmt: skip
