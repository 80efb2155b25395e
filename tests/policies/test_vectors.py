"""Loops of models and of the assignment fill vector registers: their machine code takes no numbers one by one."""

import platform
import re

import numba
import numpy as np
import pytest

from tests.naive.rng import JIT
from wallsim.compile_cache.linking import Kernel
from wallsim.policies.balanced import assignment
from wallsim.policies.correction import attack_features as attacks
from wallsim.policies.correction import model as correction
from wallsim.policies.correction.features import COUNTY_FEATURES, INPUTS, MAX_UNITS, OUTPUTS, TABLE_FEATURES
from wallsim.policies.record import COLUMNS, LANES
from wallsim.policies.value import model as value

reading = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64") or not JIT or bool(numba.config.BOUNDSCHECK),
    reason="reads instructions of x86-64 without bounds checks",
)
_PACKED, _SINGLE = re.compile(r"\bv?(mulps|fn?m\w+ps)\b"), re.compile(r"\bv?(mulss|fn?m\w+ss)\b")

_PACKED_LEAST, _SINGLE_LEAST = re.compile(r"\bv?p(mins|cmpn?(gt|lt|le))q\b"), re.compile(r"\bcmov")


def machine_code(caller, *arrays):
    """The assembly of a function with all kernels that it calls, compiled for this machine and not cached."""
    compiled = Kernel(caller, targetoptions={"nopython": True, "error_model": "numpy"})
    compiled(*arrays)
    return next(iter(compiled.inspect_asm().values()))


def numbers(*shape):
    return np.ones(shape, np.float32)


def sums_of_counties(first, second, third, layer, facts):
    correction._add_products_of_three(first, second, third, layer, facts, correction.WIDTH, correction._BEFORE_MONEY)


def sums_of_choices(first, second, third, layer, facts):
    correction._add_products_of_three(first, second, third, layer, facts, attacks.WIDTH, attacks.SHARED)


def sums_of_the_table(total, start, layer, facts):
    correction._sum_products(total, start, layer, facts, len(facts))


def sums_of_a_situation(total, start, layer, facts):
    correction._sum_rows(total, start, layer, facts, attacks.SITUATION)


def units(outputs, active, outward):
    correction._add_units(outputs, active, outward)


def sums_of_a_standing(column, layer, inputs):
    value._sum_products(column, layer, inputs)


def test_features_of_choices_fill_whole_sums():
    """What is left over would not be added, or the rows behind would."""
    shared = attacks.OF_THE_SITUATION - attacks.SHARED
    assert (attacks.SHARED % 4, shared % 8, attacks.SITUATION % 8) == (0, 0, 0)


SUM, LAYER = numbers(correction.WIDTH), numbers(INPUTS, correction.WIDTH)
CHOICE, CHOICE_LAYER = numbers(attacks.WIDTH), numbers(attacks.INPUTS, attacks.WIDTH)
CHOICE_FACTS = numbers(3, attacks.OF_THE_SITUATION)
STANDING_LAYER = numbers(value.INPUTS, value.COLUMNS)
LOOPS = {
    "counties": (sums_of_counties, (SUM, SUM.copy(), SUM.copy(), LAYER, numbers(3, len(COUNTY_FEATURES)))),
    "the table": (sums_of_the_table, (SUM, SUM.copy(), LAYER, numbers(len(TABLE_FEATURES)))),
    "choices": (sums_of_choices, (CHOICE, CHOICE.copy(), CHOICE.copy(), CHOICE_LAYER, CHOICE_FACTS)),
    "a situation": (sums_of_a_situation, (CHOICE, CHOICE.copy(), CHOICE_LAYER, numbers(attacks.SITUATION))),
    "units": (units, (numbers(OUTPUTS), numbers(MAX_UNITS), numbers(MAX_UNITS, OUTPUTS))),
    "a standing": (sums_of_a_standing, (numbers(value.COLUMNS), STANDING_LAYER, numbers(value.INPUTS))),
}


@reading
@pytest.mark.parametrize("loop", LOOPS)
def test_sums_are_vectors(loop):
    caller, arrays = LOOPS[loop]
    code = machine_code(caller, *arrays)
    assert _PACKED.search(code)
    assert not _SINGLE.search(code)


def least_costs(cost, lies, dist, short):
    assignment._offer(cost, lies, 20, dist, short)


def shorter_ways(row, dist, short):
    assignment._move(row, dist, short, 0)


def whole(*shape):
    return np.zeros(shape, np.int64)


@reading
@pytest.mark.parametrize(
    ("caller", "arrays"),
    [
        (least_costs, (whole(COLUMNS, LANES), whole(COLUMNS), whole(LANES), whole(LANES))),
        (shorter_ways, (whole(LANES, LANES), whole(LANES), whole(LANES))),
    ],
)
def test_least_ways_of_the_assignment_are_vectors(caller, arrays):
    code = machine_code(caller, *arrays)
    assert _PACKED_LEAST.search(code)
    assert not _SINGLE_LEAST.search(code)


@reading
def test_a_loop_that_is_unrolled_before_it_is_seen_is_found():
    def unrolled(outputs, active, outward):
        for unit in range(MAX_UNITS):
            for output in range(OUTPUTS):
                outputs[output] += max(active[unit], np.float32(0.0)) * outward[unit, output]

    assert _SINGLE.search(machine_code(unrolled, *LOOPS["units"][1]))
