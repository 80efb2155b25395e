"""The colours, colour bar and number texts of a map by the numbers it shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import matplotlib.pyplot as plt
from matplotlib.colors import Colormap, Normalize, to_rgb

from wallsim.errors import InputError
from wallsim.report.figures.style import INK
from wallsim.rules.suggestions import did_you_mean

ScaleName = Literal["sequential", "diverging"]
Colour = str | tuple[float, float, float]
_MAPS = {"sequential": "cividis", "diverging": "PuOr"}  # distinguishable in all three colour-blindnesses
_PAPER = "#ffffff"
_DIGITS = 3  # of the number farthest from 0


class Scale:
    """Colours for numbers from `low` to `high`: dark to light, or two hues away from 0."""

    def __init__(self, values: Sequence[float], name: str, limits: tuple[float, float] | None = None) -> None:
        """A scale for finite numbers, at least one; `limits` are its ends, by default those of the numbers.

        A diverging scale reaches equally far on both sides of 0. Numbers beyond the limits have the colour of the
        nearer end. InputError for an unknown name, and for limits that are not finite or not in order.
        """
        allowed = get_args(ScaleName)
        if name not in allowed:
            raise InputError(f"scale: {name!r} is not one of {', '.join(allowed)}{did_you_mean(name, allowed)}")
        if limits is not None and not (all(map(math.isfinite, limits)) and limits[0] < limits[1]):
            raise InputError(f"limits: {limits} are not allowed; they must be two finite numbers, the lower first")
        self.low, self.high = limits or (min(values), max(values))
        self.constant = self.low == self.high
        self.whole = all(value == round(value) for value in values) and max(values) > min(values) + 1
        self.only = self.low  # the one number where all are equal
        if name == "diverging":
            far = max(abs(self.low), abs(self.high)) or 1.0
            self.low, self.high = -far, far
        elif self.constant:  # one colour, that of the middle
            half = abs(self.low) / 2 or 1.0
            self.low, self.high = self.low - half, self.high + half
        self.signed = name == "diverging"
        self.below, self.above = min(values) < self.low, max(values) > self.high
        self.colours: Colormap = plt.get_cmap(_MAPS[name])
        self.norm = Normalize(self.low, self.high, clip=True)

    def colour(self, value: float) -> tuple[float, float, float]:
        """The colour of a number as red, green and blue from 0 to 1."""
        return to_rgb(self.colours(self.norm(value)))


def ink_on(colour: Colour) -> str:
    """The colour of letters on a ground: dark or white, whichever has the higher contrast (WCAG 2.2)."""
    ground = _luminance(to_rgb(colour))
    return max((INK, _PAPER), key=lambda ink: _contrast(_luminance(to_rgb(ink)), ground))


def _luminance(colour: tuple[float, float, float]) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def number_texts(values: Sequence[float], signed: bool) -> list[str]:
    """Finite numbers as short texts with the same decimals: whole numbers whole, others with three digits at most.

    `signed` numbers above 0 have a plus sign. Very large and very small ones are written with an exponent.
    """
    far = max(map(abs, values))
    sign = "+" if signed else ""
    if far >= 1e5 or 0 < far < 1e-3:
        form = f"{sign}.1e"
    elif all(value == round(value) for value in values):
        form = f"{sign}.0f"
    else:
        places = max(0, _DIGITS - 1 - math.floor(math.log10(far)))
        while places and all(round(value, places) == round(value, places - 1) for value in values):
            places -= 1  # nobody needs noughts at the end of all numbers
        form = f"{sign}.{places}f"
    return [_plain(format(value, form)) for value in values]


def _plain(text: str) -> str:
    if float(text) == 0:
        text = text.lstrip("+-")  # no sign before a nought
    return text.replace("-", "−")
