"""Only functions that are called from outside have machine code; what they call is linked into it."""

import pytest

from tests.naive.rng import JIT
from wallsim.jit import kernel

pytestmark = pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")


def kernels():
    """Four kernels, each of which calls those before it: lowest, left, right, top."""

    @kernel
    def lowest(number):
        return number * 3

    @kernel(apart=True)
    def left(number):
        return lowest(number) + 1

    @kernel
    def right(number):
        return lowest(number) + left(number)

    @kernel
    def top(number):
        return left(number) * 100 + right(number)

    return lowest, left, right, top


def test_a_kernel_that_only_kernels_call_has_no_machine_code():
    lowest, left, right, top = kernels()
    assert top(2) == 7 * 100 + 6 + 7
    assert [len(each._cache_misses) + len(each._cache_hits) for each in (lowest, left, right, top)] == [0, 0, 0, 1]
    assert not any(callable(each.entry_point) for below in (lowest, left, right) for each in below.overloads.values())


def test_a_linked_kernel_gets_machine_code_when_python_calls_it():
    lowest, left, right, top = kernels()
    assert top(5) == 16 * 100 + 15 + 16
    assert (left(5), left(6), lowest(5)) == (16, 19, 15)
    assert right(1) == 7, "what links it afterwards, too"


def test_constants_compile_a_kernel_once():
    @kernel(apart=True)
    def scaled(number, factor):
        return number * factor

    @kernel
    def both(number):
        return scaled(number, 2) + scaled(number, 3)

    assert both(10) == 50
    assert len(scaled.overloads) == 1
