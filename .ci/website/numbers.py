"""Numbers in the sentences that people write around figures: each must be a figure of the register."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isnan

from wallsim.studies.figure import Figure

_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^<!-- .*?^<!-- /[^\n]*-->$", re.MULTILINE | re.DOTALL)  # written from the register
_UNITS = r"VP|Thalers?|points?|percentage|%|per cent"
# A number with decimals, or a whole number with a unit, that is no part of a name such as B5.8 or 2e.
_NUMBER = re.compile(rf"(?<![\w.,/])(?:\d+\.\d+|\d[\d,]*(?=\s*(?:{_UNITS})(?!\w)))(?![\w/])")
_LEVELS = {"95", "99"}  # of intervals and tests, in per cent


def number_errors(text: str, figures: Mapping[str, Figure]) -> list[str]:
    """The numbers of a page's own sentences that are no figure: not the value, an end or the half-width of any."""
    sentences = _CODE.sub(" ", _BLOCK.sub(" ", text))
    known: dict[int, set[str]] = {}
    errors = []
    for result in _NUMBER.finditer(sentences):
        number = result[0].replace(",", "")
        decimals = len(number.partition(".")[2])
        if decimals not in known:
            known[decimals] = {shown for figure in figures.values() for shown in _shown(figure, decimals)}
        if number not in known[decimals] and number not in _LEVELS:
            around = " ".join(sentences[max(0, result.start() - 30) : result.end() + 20].split())
            errors.append(f"{result[0]} is no figure of the register: ... {around} ...")
    return errors


def _shown(figure: Figure, decimals: int) -> set[str]:
    numbers = [figure.value, figure.low, figure.high, (figure.high - figure.low) / 2]
    return {f"{abs(number):.{decimals}f}" for number in numbers if not isnan(number)}
