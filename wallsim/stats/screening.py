"""P-values of estimates, and their adjustment where a table of many is a screen for those that differ from zero.

Holm's method bounds the probability of even one false finding, whatever the dependence; Benjamini and Hochberg's bounds
the expected share of false ones among the findings, for independent or positively dependent estimates. A p-value of
nan is that of no test: it stays nan and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtr

from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence


def p_value(estimate: Estimate, confidence: Confidence) -> float:
    """The two-sided p-value of Student's t test that an estimate is zero; nan where `confidence` gives no interval."""
    if estimate.interval(confidence) is None:
        return float("nan")
    return students_p_value(estimate.value, estimate.error, estimate.blocks)


def students_p_value(value: float, error: float, blocks: int) -> float:
    """The two-sided p-value of `value` with standard error `error` > 0, with blocks - 1 degrees of freedom."""
    return float(2 * stdtr(blocks - 1, -abs(value) / error))


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """P-values adjusted by Holm's step-down method (1979), float64 [p_values], in the order given.

    Those of at most 0.05 are the findings of a screen in which any is false with probability 0.05 at most.
    """
    adjusted, tested = _tested(p_values)
    order = np.argsort(adjusted[tested])
    raised = adjusted[tested][order] * np.arange(len(order), 0, -1)
    ranked = np.empty(len(order))
    ranked[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    adjusted[tested] = ranked
    return adjusted


def benjamini_hochberg(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """P-values adjusted by Benjamini and Hochberg's step-up method (1995), float64 [p_values], in the order given.

    Of those of at most 0.05, a share of 0.05 at most is false in expectation.
    """
    from scipy.stats import false_discovery_control  # its import takes a second

    adjusted, tested = _tested(p_values)
    if tested.any():
        adjusted[tested] = false_discovery_control(adjusted[tested], method="bh")
    return adjusted


def _tested(p_values: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values = np.array(p_values, dtype=np.float64)
    tested = ~np.isnan(values)
    if ((values[tested] < 0) | (values[tested] > 1)).any():
        raise ValueError("p-values lie between 0 and 1")
    return values, tested
