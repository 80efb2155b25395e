"""Kernels of the package take indices as they are; those of others count negative ones from the end."""

import numpy as np
import pytest

from tests.naive.rng import JIT
from wallsim.jit import checking_bounds

pytestmark = pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")

SOURCE = """
from wallsim.jit import kernel

@kernel
def item(numbers, place):
    return numbers[place]

@kernel
def below(table, row, column):
    return table[row, column]

@kernel
def last(numbers):
    return numbers[-1]
"""
OF_PACKAGE, OF_OTHERS = "wallsim.engine.example", "wallsim_policy_example"
NUMBERS, TABLE = np.array([3, 5, 8]), np.arange(6).reshape(3, 2)


def kernels_of(module):
    """The kernels of SOURCE, with bounds checks, as a module of this name has them."""
    made = {"__name__": module}
    with checking_bounds():
        exec(SOURCE, made)
    return made


def test_a_negative_index_is_out_of_bounds_in_the_package():
    kernels = kernels_of(OF_PACKAGE)
    assert (kernels["item"](NUMBERS, 2), kernels["below"](TABLE, 2, 1)) == (8, 5)
    for negative in (-1, -3):
        with pytest.raises(IndexError):
            kernels["item"](NUMBERS, negative)
        with pytest.raises(IndexError):
            kernels["below"](TABLE, 0, negative)


def test_a_negative_constant_counts_from_the_end():
    assert kernels_of(OF_PACKAGE)["last"](NUMBERS) == 8


def test_functions_of_others_keep_indices_of_python():
    kernels = kernels_of(OF_OTHERS)
    assert (kernels["item"](NUMBERS, -1), kernels["item"](NUMBERS, -3), kernels["below"](TABLE, -1, -2)) == (8, 3, 4)
    with pytest.raises(IndexError):
        kernels["item"](NUMBERS, -4)
