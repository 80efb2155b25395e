"""What compiled code may do: indices, memory without chance, and machine code only where Python calls it."""

import numpy as np
import pytest
from numpy import empty as made

from tests.naive.rng import JIT
from tests.refusals import refused
from wallsim.jit import NotCompiledError, checking_bounds, entry_point, kernel

pytestmark = pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")

# ------------------------------------------------------------------------------------------------- indices

INDICES = """
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
NUMBERS, TABLE = np.array([3, 5, 8]), np.arange(6).reshape(3, 2)


def kernels_of(module):
    """The kernels of INDICES, with bounds checks, as a module of this name has them."""
    space = {"__name__": module}
    with checking_bounds():
        exec(INDICES, space)
    return space["item"], space["below"], space["last"]


def test_a_negative_index_is_out_of_bounds_in_the_package_but_for_constants_and_not_in_functions_of_others():
    item, below, last = kernels_of("wallsim.engine.example")
    assert (item(NUMBERS, 2), below(TABLE, 2, 1), last(NUMBERS)) == (8, 5, 8)
    item_of_others, below_of_others, _ = kernels_of("wallsim_policy_example")
    assert (item_of_others(NUMBERS, -1), item_of_others(NUMBERS, -3), below_of_others(TABLE, -1, -2)) == (8, 3, 4)
    for bad in ((item, NUMBERS, -1), (below, TABLE, 0, -1), (item_of_others, NUMBERS, -4)):
        with pytest.raises(IndexError):
            bad[0](*bad[1:])


# -------------------------------------------------------------------------------------------------- memory


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
    """Where an array lies, which differs in every process."""
    return number + np.zeros(4).ctypes.data


def test_the_address_of_an_array_is_refused_with_its_line():
    with refused("ctypes", "address", f"line {address.__code__.co_firstlineno + 2}", by=NotCompiledError):
        entry_point(address, (), 1, True)


# ------------------------------------------------------------------------------------------------- linking


def test_a_kernel_that_only_kernels_call_gets_machine_code_when_python_calls_it():
    @kernel
    def lowest(number):
        return number * 3

    @kernel(apart=True)
    def left(number, more):
        return lowest(number) + more

    @kernel
    def right(number):
        return lowest(number) + left(number, 1)

    @kernel
    def top(number):
        return left(number, 2) * 100 + right(number)

    assert top(2) == 8 * 100 + 6 + 7
    assert [len(each._cache_misses) + len(each._cache_hits) for each in (lowest, left, right, top)] == [0, 0, 0, 1]
    assert not any(callable(each.entry_point) for below in (lowest, left, right) for each in below.overloads.values())
    assert len(left.overloads) == 1, "constants compile a kernel once"
    assert (left(5, 1), left(6, 1), lowest(5)) == (16, 19, 15)
    assert right(1) == 7, "what links it afterwards, too"
