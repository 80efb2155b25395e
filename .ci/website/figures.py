"""Numbers on the pages of studies: every one must be a figure of the register, data/figures/NAME.csv.

The tables and sentences between marks must be what the register says, byte for byte. In the sentences around them a
number with decimals, or with a unit after it, must be the value, an end or the half-width of a figure. In the texts of
the strategy report numbers are ids of figures, and words that judge are those of a claim's verdict.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from math import isnan
from pathlib import Path

from wallsim.errors import InputError
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.figure import Figure
from wallsim.studies.publishing import PAGES, list_errors, page_errors, pages_of
from wallsim.studies.register import read_register
from website.pages import TEXTS

_texts, _readme = (import_module(f"wallsim.analyses.strategy_report.{name}") for name in ("texts", "readme"))


def figure_errors(root: Path) -> list[str]:
    """What on the pages of a checkout is no figure of its register, one line each."""
    errors = [*list_errors(root), *_readme.readme_errors(root)]
    for name in own_studies():
        study = load_study(name)
        try:
            errors += page_errors(study, root)
            figures = read_register(name, root / "data" / "figures" / f"{name}.csv")
            for page in (each for each in pages_of(study, root) if each.parent == root / PAGES):
                shown, text = page.relative_to(root).as_posix(), page.read_text("utf-8")
                errors += [f"{shown}: {problem}" for problem in number_errors(text, figures)]
        except InputError as error:
            errors.append(str(error))
    return [*errors, *_texts.report_errors(root / TEXTS)]


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
