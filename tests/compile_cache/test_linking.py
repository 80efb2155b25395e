"""Only functions that are called from outside have machine code; what they call is linked into it."""

import pytest

from tests.naive.rng import JIT
from wallsim.jit import kernel

pytestmark = pytest.mark.skipif(not JIT, reason="there is machine code only with the compiler")


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


def test_a_kernel_that_only_kernels_call_has_no_machine_code():
    assert top(2) == 7 * 100 + 6 + 7
    assert not callable(left.overloads[left.signatures[0]].entry_point)
    assert [len(each._cache_misses) + len(each._cache_hits) for each in (top, right, left, lowest)] == [1, 0, 0, 0]


def test_a_linked_kernel_gets_machine_code_when_python_calls_it():
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
