"""Elementary functions: near the exact values, and the same bits compiled, as plain Python and on every system."""

import hashlib
import importlib.util
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf, isqrt, ldexp, nan, ulp

import numpy as np
import pytest

from tests.golden_digests import assert_recorded
from tests.naive.rng import JIT
from wallsim.state import elementary

DIGITS = 45
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
SMALLEST, LARGEST = ldexp(1, -1074), ldexp(2 - ldexp(1, -52), 1023)
RNG = random.Random(50)  # what it draws is the same on every system


def uniform(low, high, count=200):
    return [low + (high - low) * RNG.random() for _ in range(count)]


def magnitudes(low, high, count=200):
    """Numbers from about 2**low to 2**high, as many of every size."""
    return [ldexp(1 + RNG.random(), RNG.randrange(low, high)) for _ in range(count)]


def sum_of(term, following):
    """A series: its first term, and what makes the n-th of the one before."""
    total, n = Decimal(0), 0
    while abs(term) > Decimal(10) ** -DIGITS:
        total, n = total + term, n + 1
        term = following(term, n)
    return total


def exact_cosine(turns):
    x = 2 * PI * (Decimal(turns) % 1)
    return sum_of(Decimal(1), lambda term, n: -term * x * x / (2 * n * (2 * n - 1)))


def exact_erf(x):
    """exp(-x * x) times a series without differences (Abramowitz and Stegun 7.1.6), which begins with 1."""
    x = Decimal(x)
    series = sum_of(Decimal(1), lambda term, n: term * 2 * x * x / (2 * n + 1))
    return 2 * x / PI.sqrt() * (-x * x).exp() * series


NEAR_1 = [1 + sign * size for sign in (1, -1) for size in magnitudes(-52, -1, 100)]
CASES = {
    "exp": (lambda x: Decimal(x).exp(), 1, [
        0.0, 709.78, -708.3, -745.1, *uniform(-708, 709), *uniform(-2, 2), *uniform(-745, -708, 50),
        *magnitudes(-60, 0), *(-x for x in magnitudes(-60, 0)),
    ]),
    "log": (lambda x: Decimal(x).ln(), 1, [
        SMALLEST, LARGEST, 1.0, *magnitudes(-1074, 1023), *uniform(0.5, 2), *NEAR_1,
        *(isqrt(n << 104) / (1 << 52) for n in (2, 8)), *(isqrt(n << 103) / (1 << 52) for n in (1, 4)),
    ]),
    "cos_of_turns": (exact_cosine, 2, [
        0.0, 0.125, 0.375, 0.625, 0.875, *uniform(0, 1), *magnitudes(-60, 0, 50), *uniform(0, 1000, 50), -0.3,
        *(quarter + sign * size for quarter in (0.25, 0.75) for sign in (1, -1) for size in magnitudes(-50, -4, 25)),
    ]),
    "erf": (exact_erf, 2, [
        SMALLEST, -0.7, *uniform(0, 6), *uniform(0, 0.25), *magnitudes(-60, 0), *(n / 16 for n in range(97)),
    ]),
}  # fmt: skip
EDGES = {
    "exp": {-745.2: 0.0, -inf: 0.0, 709.79: inf, inf: inf, nan: nan, 0.0: 1.0},
    "log": {0.0: -inf, -1.0: nan, -inf: nan, inf: inf, nan: nan, 1.0: 0.0},
    "cos_of_turns": {0.0: 1.0, 0.25: 0.0, 0.5: -1.0, 0.75: 0.0, 1.0: 1.0, -0.5: -1.0},
    "erf": {0.0: 0.0, 6.0: 1.0, inf: 1.0, -6.0: -1.0, -inf: -1.0, nan: nan},
}


@pytest.mark.parametrize("name", CASES)
def test_values_are_as_near_to_the_exact_ones_as_is_said(name):
    exact, bound, numbers = CASES[name]
    with localcontext() as context:
        context.prec = DIGITS
        errors = {x: _ulps(getattr(elementary, name)(x), exact(x)) for x in numbers}
    assert max(errors.values()) <= bound, max(errors, key=errors.__getitem__)


def _ulps(value, exact):
    return abs(Decimal(float(value)) - exact) / Decimal(ulp(float(exact)))


@pytest.mark.parametrize("name", EDGES)
def test_values_at_the_edges(name):
    assert [getattr(elementary, name)(x) for x in EDGES[name]] == pytest.approx(
        [*EDGES[name].values()], rel=0, abs=0, nan_ok=True
    )


@pytest.mark.parametrize("base", [0.0, 1 / 3, 0.999, 1.0, 3.0, -0.7])
def test_whole_powers_are_those_of_repeated_multiplication(base):
    for exponent in range(70):
        exact = Fraction(base) ** exponent
        assert abs(Fraction(float(elementary.whole_power(base, exponent))) - exact) <= exponent * abs(exact) / 2**53


def as_plain_python(monkeypatch):
    """The module again, with kernels that are not compiled."""
    with monkeypatch.context() as patch:
        patch.setattr("wallsim.jit.kernel", lambda function: function)
        spec = importlib.util.spec_from_file_location("elementary_plain", elementary.__file__)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def bits_of(module, name):
    """What a function of a module answers to all arguments above, in bytes, without the signs of NaNs."""
    arguments = [*CASES[name][2], *EDGES[name]]
    answers = np.array([getattr(module, name)(x) for x in arguments])
    return np.where(np.isnan(answers), np.nan, answers).tobytes()


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize("name", CASES)
def test_compiled_functions_answer_as_plain_python_does(monkeypatch, name):
    assert bits_of(elementary, name) == bits_of(as_plain_python(monkeypatch), name)


@pytest.mark.parametrize("name", CASES)
def test_the_bits_are_those_of_other_systems(name):
    assert_recorded("elementary", {name: hashlib.sha256(bits_of(elementary, name)).hexdigest()[:16]})
