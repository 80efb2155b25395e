"""Memory shows no chance to compiled code: new arrays are zeros, and their addresses are hidden."""

import numpy as np
import pytest
from numpy import empty as made

from tests.naive.rng import JIT
from wallsim.jit import NotCompiledError, entry_point, kernel

pytestmark = pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")


@kernel(apart=True)
def leave_ones(size):
    """What an array of this size finds where it is put next."""
    return np.ones(size).sum()


@kernel(apart=True)
def sum_of_empty(size):
    """Arrays that nothing was written to, however they are made."""
    table = np.empty((size // 2, 2))
    return table.sum() + made(size).sum() + np.empty_like(table).sum() + np.empty(size, np.int64).sum()


def test_an_array_that_nothing_was_written_to_is_zeros():
    for size in (6, 60, 600, 6000):
        for _ in range(20):
            assert leave_ones(size) == size
            assert sum_of_empty(size) == 0


def address(number):
    """Where an array lies."""
    return number + np.zeros(4).ctypes.data


def test_the_address_of_an_array_is_refused_with_its_line():
    line = address.__code__.co_firstlineno + 2
    with pytest.raises(NotCompiledError, match=r"ctypes: the address of an array differs in every process") as caught:
        entry_point(address, (), 1, True)
    assert f"line {line}" in str(caught.value)
