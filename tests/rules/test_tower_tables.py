"""The alias tables of the tower against the exact binomial distributions."""

from fractions import Fraction

import numpy as np
import pytest

from tests.naive.rng import binomial_distribution
from wallsim.rules.tower import Independent, load_tower, tower_presets
from wallsim.rules.tower_tables import FEW_CUBES, binomial_alias_table, joint_alias_table

FULL = 1 << 58
MODELS = [
    model for model in (load_tower(name).parameters for name in tower_presets()) if isinstance(model, Independent)
]
RATES = sorted({rate for model in MODELS for rate in (model.p, model.q)})


def outcome_weights(row) -> list[Fraction]:
    """The chance of every outcome, added column by column as a kernel draws it."""
    chances = [Fraction(0)] * 64
    for column, entry in enumerate(map(int, row)):
        threshold, alias = entry >> 6, entry & 63
        # 58-bit words below the threshold keep the column, the others go to its alias.
        chances[column] += Fraction(threshold, FULL * len(row))
        chances[alias] += Fraction(FULL - threshold, FULL * len(row))
    return chances


@pytest.mark.parametrize("chance", [*RATES, 0.0, 1e-9, 0.5, 1 - 1e-9, 1.0])
def test_alias_tables_hold_the_binomial_laws_to_the_last_digits(chance):
    table = binomial_alias_table(chance)
    assert table.shape == (63, 64)
    assert table.dtype == np.uint64
    for cubes in range(63):
        weights, chances = outcome_weights(table[cubes]), binomial_distribution(cubes, chance)
        assert sum(weights) == 1
        assert not any(weights[cubes + 1 :]), "more cubes fell than were thrown"
        assert max(abs(w - p) for w, p in zip(weights, chances, strict=False)) < Fraction(5, 10**15)


@pytest.mark.parametrize(("p", "q"), [(model.p, model.q) for model in MODELS])
def test_joint_tables_hold_the_sum_of_thrown_and_loosened_cubes(p, q):
    table = joint_alias_table(p, q)
    assert table.shape == (8, 8, 16)
    for thrown in range(FEW_CUBES):
        for inside in range(FEW_CUBES):
            chances = [Fraction(0)] * (thrown + inside + 1)
            for i, a in enumerate(binomial_distribution(thrown, p)):
                for j, b in enumerate(binomial_distribution(inside, q)):
                    chances[i + j] += Fraction(a) * Fraction(b)
            weights = outcome_weights(table[thrown, inside])
            assert sum(weights) == 1
            assert not any(weights[thrown + inside + 1 :]), "more cubes fell than there were"
            assert max(abs(w - p) for w, p in zip(weights, chances, strict=False)) < Fraction(5, 10**15)


@pytest.mark.parametrize("cubes", [0, 1, 7, 15, 16, 62])
def test_sure_and_impossible_falls_are_sure_and_impossible(cubes):
    assert outcome_weights(binomial_alias_table(1.0)[cubes])[cubes] == 1
    assert outcome_weights(binomial_alias_table(0.0)[cubes])[0] == 1
