"""Elementary functions of +, -, x and / alone: the same bits on every system, compiled or not.

IEEE 754 rounds these operations and the square root in one way only, while each C library rounds its own `exp` or
`cos`. LLVM neither reorders nor contracts operations unless a function is compiled with `fastmath`, which `kernel`
never sets. The methods are the textbook's (Muller 2016): take the argument apart without an error, into a part that a
table or a power of 2 answers and a small rest, and sum the Taylor series of the rest. Tables and constants are computed
below with whole numbers, in units of 2**-128, so they are rounded once. Errors are in units in the last place (ulp).
"""

from math import inf, isqrt, nan, sqrt

import numpy as np

from wallsim.jit import kernel

_ONE = 1 << 128
_LN_2 = sum((_ONE >> power) // power for power in range(1, 128))  # -log(1 - 1/2)
_LN_2_TOP = _LN_2 >> 95  # 33 bits: its products with whole numbers below 2**20 are exact
_LN_2_HIGH, _LN_2_LOW = _LN_2_TOP / 2**33, (_LN_2 - (_LN_2_TOP << 95)) / _ONE


def _inverse_tangent(divisor):
    """The inverse tangent of 1 / divisor, by its series."""
    total, power = 0, _ONE // divisor
    for odd in range(1, 60, 2):
        total += power // odd
        power = -power // (divisor * divisor)
    return total


_PI = 4 * (4 * _inverse_tangent(5) - _inverse_tangent(239))  # Machin's formula
_TWO_PI = 2 * _PI / _ONE

_ROOTS = 32  # of 2
_CELL_BITS, _EDGE, _TERMS = 3, 6, 12  # 2**3 pieces of `erf` in 1; it is 1 from 6 on; 12 coefficients a piece
_CELLS = 1 << _CELL_BITS


def _powers_of_root():
    """2 to the power of n / 32 for n = 0..31: the nearest float64 and what is left, [32, 2]."""
    root = 2 * _ONE
    for _ in range(_ROOTS.bit_length() - 1):
        root = isqrt(root * _ONE)
    power, table = _ONE, np.empty((_ROOTS, 2))
    for row in table:
        row[0] = power / _ONE
        row[1] = (power - int(row[0] * _ONE)) / _ONE
        power = power * root // _ONE
    return table


def _pieces_of_erf():
    """The Taylor coefficients of `erf` around n / 8 for n = 0..48, the highest first, [49, 12].

    The n-th of its derivative, d(n), follows from d' = -2 x d; the next piece begins with the sums of both series.
    """
    value, slope = 0, 2 * _ONE * _ONE // isqrt(_PI * _ONE)
    table = np.empty((_CELLS * _EDGE + 1, _TERMS))
    for centre, row in enumerate(table):
        slopes, values, before = [slope], [value, slope], 0
        for n in range(1, 30):
            before, slope = slope, -(centre * slope + _CELLS * before) * 2 // (_CELLS * n)
            slopes.append(slope)
            values.append(slope // (n + 1))
        row[:] = [each / _ONE for each in values[_TERMS - 1 :: -1]]
        value, slope = (sum(each >> _CELL_BITS * n for n, each in enumerate(series)) for series in (values, slopes))
    return table


_POWERS, _ERF = _powers_of_root(), _pieces_of_erf()
_ROUNDER = 1.5 * (1 << 52)  # adding and subtracting it rounds to a whole number
_LOWEST, _HIGHEST = -745.2, 709.782712893384  # where `exp` becomes 0 and infinite
_BITS, _BIAS = 52, 1023  # of the fraction of a float64; what its exponent is stored with
_SQRT_HALF = np.float64(sqrt(0.5)).view(np.int64)
_LEAST_NORMAL, _TO_NORMAL = 1 / (1 << 1022), 54  # the power of 2 that makes any smaller number a normal one


@kernel
def _power_of_2(exponent):
    return np.int64((exponent + _BIAS) << _BITS).view(np.float64)


@kernel
def exp(x):
    """e to the power of x, within 1 ulp."""
    if not _LOWEST < x < _HIGHEST:
        return (inf if x > 0.0 else 0.0) if x == x else x
    steps = (x * (_ROOTS / _LN_2_HIGH) + _ROUNDER) - _ROUNDER
    rest = (x - steps * (_LN_2_HIGH / _ROOTS)) - steps * (_LN_2_LOW / _ROOTS)  # at most log(2) / 64
    series = rest * rest * (1 / 2 + rest * (1 / 6 + rest * (1 / 24 + rest * (1 / 120 + rest * (1 / 720)))))
    step = np.int64(steps)
    power, left = _POWERS[step & (_ROOTS - 1), 0], _POWERS[step & (_ROOTS - 1), 1]
    exponent = step // _ROOTS
    half = exponent // 2  # twice a half, since the whole may be no exponent of a float64
    return (power + (left + power * (rest + series))) * _power_of_2(half) * _power_of_2(exponent - half)


@kernel
def log(x):
    """The natural logarithm, within 1 ulp; -inf of 0, NaN below."""
    if not 0.0 < x < inf:
        return -inf if x == 0.0 else x if x > 0.0 else nan
    shift = _TO_NORMAL if x < _LEAST_NORMAL else 0
    bits = np.float64(x * _power_of_2(shift)).view(np.int64)
    exponent = (bits - _SQRT_HALF) >> _BITS
    f = np.int64(bits - (exponent << _BITS)).view(np.float64) - 1.0  # from sqrt(1/2) to sqrt(2), less 1
    # log(1 + f) is the series of 2 artanh(s), and 2 s is f - f * f / 2 + s * f * f / 2
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = z * (2 / 3 + w * (2 / 7 + w * (2 / 11 + w * (2 / 15 + w * (2 / 19)))))
    even = w * (2 / 5 + w * (2 / 9 + w * (2 / 13 + w * (2 / 17 + w * (2 / 21)))))
    half, power = 0.5 * f * f, np.float64(exponent - shift)
    return power * _LN_2_HIGH - ((half - (s * (half + (odd + even)) + power * _LN_2_LOW)) - f)


@kernel
def cos_of_turns(turns):
    """The cosine of so many whole turns, below 2**50, within 2 ulp."""
    quarters = (4.0 * turns + _ROUNDER) - _ROUNDER
    x = (turns - 0.25 * quarters) * _TWO_PI  # at most pi / 4
    z = x * x
    w = z * z
    # each series in two halves, which do not wait for each other
    cosine = w * (1 / 24 + w * (1 / 40320 + w * (1 / 479001600 + w * (1 / 20922789888000))))
    cosine = 1.0 - (z * (1 / 2 + w * (1 / 720 + w * (1 / 3628800 + w * (1 / 87178291200)))) - cosine)
    sine = w * (1 / 120 + w * (1 / 362880 + w * (1 / 6227020800 + w * (1 / 355687428096000))))
    sine = x - x * (z * (1 / 6 + w * (1 / 5040 + w * (1 / 39916800 + w * (1 / 1307674368000)))) - sine)
    quarter = np.int64(quarters)
    value = sine if quarter & 1 else cosine
    return -value if (quarter + 1) & 2 else value


@kernel
def erf(x):
    """The error function, within 2 ulp."""
    size = abs(x)
    value = 1.0 if size >= _EDGE else x
    if size < _EDGE:
        piece = np.int64(size * _CELLS + 0.5)
        rest = size - piece * (1 / _CELLS)
        value = 0.0
        for place in range(_TERMS):
            value = value * rest + _ERF[piece, place]
    return -value if x < 0.0 else value


@kernel
def whole_power(base, exponent):
    """A number to the power of a whole one, not negative: repeated multiplication."""
    power = 1.0
    while exponent > 0:
        if exponent & 1:
            power *= base
        base *= base
        exponent >>= 1
    return power
