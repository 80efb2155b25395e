"""ADVICE: what a searching policy has beside its own weights: those of other policies, and a learned value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wallsim.policies.kinds import MAX_ADVISERS
from wallsim.policies.value.model import VALUES
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import ROUNDS

if TYPE_CHECKING:
    from wallsim.policies.policy import Policy
    from wallsim.policies.value.value_file import Value

ADVICE = np.dtype(
    (
        np.record,
        [
            ("advisers", np.int64),
            ("phase_weight", np.float64, (MAX_ADVISERS, ROUNDS, len(WEIGHTS))),
            ("correction", np.int64, (MAX_ADVISERS,)),  # the addresses of their corrections, 0 for none
            ("valued", np.int64),  # 1: `values` holds a learned value
            ("values", VALUES),
        ],
    ),
    align=True,
)
_PACKED: dict[str, np.ndarray] = {}  # never freed, since minds hold addresses


def advice_of(policy: Policy) -> int:
    """The address of a policy's ADVICE, which stays in memory as long as the process runs."""
    key = repr(policy.identity())
    packed = _PACKED.get(key)
    if packed is None:
        packed = _PACKED.setdefault(key, _packed(policy))  # of threads that pack it at once, the first one's is used
    return int(packed.ctypes.data)


def advice_of_value(value: Value) -> np.ndarray:
    """An ADVICE array of one element with a learned value alone."""
    packed = np.zeros(1, ADVICE)
    packed[0].valued = 1
    packed[0].values = value.packed()[0]
    return packed


def _packed(policy: Policy) -> np.ndarray:
    if policy.value is None and policy.search is not None and policy.search.value:
        raise ValueError(f"{policy.name}: the value {policy.search.value!r} that its search names was not loaded")
    packed = np.zeros(1, ADVICE)
    advice = packed[0]
    advice.advisers = len(policy.advisers)
    for place, adviser in enumerate(policy.advisers):
        if adviser.correction is not None:
            advice.correction[place] = adviser.correction.address()
        for number in range(ROUNDS):
            values = adviser.weights_in(number)
            advice.phase_weight[place, number] = [values.get(weight.name, 0.0) for weight in WEIGHTS]
    if policy.value is not None:
        advice.valued = 1
        advice.values = policy.value.packed()[0]
    return packed
