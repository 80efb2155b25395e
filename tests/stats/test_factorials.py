"""The effects of a 2^k factorial are recovered from its scenarios."""

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.stats.blocks import block_mean, factorial_effects, factorial_weights
from wallsim.stats.intervals import Confidence

PLANTED = {
    ("a",): 2.0, ("b",): -1.0, ("c",): 0.5, ("a", "b"): 0.75, ("a", "c"): 0.0, ("b", "c"): -0.25, ("a", "b", "c"): 0.1,
}  # fmt: skip


def test_a_known_factorial_of_three_factors_is_recovered():
    rng, blocks = np.random.default_rng(31), 400
    luck = rng.normal(0, 3, blocks)
    scenarios = []
    for scenario in range(8):
        sign = {name: 1 if scenario >> place & 1 else -1 for place, name in enumerate("abc")}
        mean = 10 + sum(size / 2 * np.prod([sign[name] for name in effect]) for effect, size in PLANTED.items())
        scenarios.append(block_mean(mean + luck + rng.normal(0, 1, blocks)))
    result = factorial_effects("abc", scenarios)
    assert list(result) == list(PLANTED)
    confidence = Confidence(n_comparisons=len(PLANTED))
    for effect, size in PLANTED.items():
        low, high = result[effect].interval(confidence)
        assert low < size < high
        assert result[effect].error == pytest.approx(np.sqrt(8 / 16 / blocks), rel=0.15)  # the luck cancels


def test_the_weights_are_differences_of_means_and_orthogonal():
    weights = factorial_weights(["court", "leaders"])
    assert weights["court",].tolist() == [-0.5, 0.5, -0.5, 0.5]
    assert weights["leaders",].tolist() == [-0.5, -0.5, 0.5, 0.5]
    assert weights["court", "leaders"].tolist() == [0.5, -0.5, -0.5, 0.5]
    table = np.array(list(factorial_weights("abcd").values()))
    assert table @ table.T == pytest.approx(np.eye(15) / 4)


def test_factors_without_names_of_their_own_and_other_numbers_of_scenarios_are_refused():
    for names in ("aa", []):
        with refused("different names", by=ValueError):
            factorial_weights(names)
    with refused("2 factors", "4", by=ValueError):
        factorial_effects("ab", [block_mean(np.arange(40.0))] * 3)
