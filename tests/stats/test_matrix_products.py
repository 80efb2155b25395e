"""A product in pieces is the product."""

import numpy as np
import pytest

from wallsim.stats.matrix_products import column_products


@pytest.mark.parametrize("rows", [0, 1, 399, 401, 5000])
def test_a_product_in_pieces_is_the_product(rows):
    one, other = (np.random.default_rng(k).normal(size=(rows, columns)) for k, columns in ((1, 20), (2, 30)))
    assert column_products(one, other) == pytest.approx(one.T @ other)


def test_very_wide_matrices_are_multiplied_row_by_row():
    one = np.random.default_rng(1).normal(size=(3, 500))
    assert column_products(one, one) == pytest.approx(one.T @ one)
