"""The alias tables of the tower against the exact binomial laws."""

from fractions import Fraction

import numpy as np
import pytest

from tests.naive.chance import binomial_law
from wallsim.rules.tower import (
    NARROW_ROWS,
    TABLE_SIZE,
    WIDE_OFFSET,
    binomial_alias_table,
    load_tower,
    tower_presets,
)

FULL = 1 << 58
RATES = sorted({rate for name in tower_presets() for rate in (load_tower(name).p, load_tower(name).q)})


def row_of(table, cubes: int):
    """The columns of one law: 16 for few cubes, else 64."""
    if cubes < NARROW_ROWS:
        return table[16 * cubes : 16 * (cubes + 1)]
    return table[64 * cubes - WIDE_OFFSET : 64 * (cubes + 1) - WIDE_OFFSET]


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
    assert table.shape == (TABLE_SIZE,)
    assert table.dtype == np.uint64
    for cubes in range(63):
        row = row_of(table, cubes)
        assert len(row) in (16, 64)
        assert len(row) > cubes
        weights, law = outcome_weights(row), binomial_law(cubes, chance)
        assert sum(weights) == 1
        assert not any(weights[cubes + 1 :]), "more cubes fell than were thrown"
        assert max(abs(w - p) for w, p in zip(weights, law, strict=False)) < Fraction(5, 10**15)


@pytest.mark.parametrize("cubes", [0, 1, 7, 15, 16, 62])
def test_sure_and_impossible_falls_are_sure_and_impossible(cubes):
    assert outcome_weights(row_of(binomial_alias_table(1.0), cubes))[cubes] == 1
    assert outcome_weights(row_of(binomial_alias_table(0.0), cubes))[0] == 1
