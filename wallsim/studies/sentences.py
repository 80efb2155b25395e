"""Sentences with figures: in a text of a study `{ID}` is a figure of it, with its half-width and one decimal.

The id stands without the study's name. After a bar: `+` for a sign, a number of decimals, `value` for no half-width,
`null` for its fair value, as in `{thaler.4p/casual/spielbyweb@fall-2|2 value}`. So no number on a page is typed by
hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wallsim.errors import InputError
from wallsim.report.tables.estimates import bounded, in_words
from wallsim.studies.figure import Figure, Figures

TOKEN = re.compile(r"\{([^{}]*)\}")
_OPTIONS = re.compile(r"(?:\+|value|null|[0-6])")


def in_a_sentence(figure: Figure, options: str = "") -> str:
    """A figure as the words after the bar of its token ask for. InputError for other words."""
    asked = options.split()
    for option in asked:
        if not _OPTIONS.fullmatch(option):
            raise InputError(f"{option!r} is not one of +, value, null and a number of decimals from 0 to 6")
    sign = "+" if "+" in asked else ""
    decimals = next((int(option) for option in asked if option.isdigit()), 1)
    if "null" in asked:
        return bounded(figure.null, decimals)
    if "value" in asked:
        return bounded(figure.value, decimals, sign=sign)
    return in_words(figure.value, figure.ends, decimals, sign)


def listed(names: Sequence[str], word: str = "and") -> str:
    """Names as a sentence has them; empty without any."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def said(text: str, figures: Figures) -> str:
    """A text with the figures of its tokens. KeyError with the id of a figure that there is not."""

    def shown(found: re.Match[str]) -> str:
        key, _, options = found[1].partition("|")
        return in_a_sentence(figures[f"{figures.study}.{key.strip()}"], options)

    return TOKEN.sub(shown, text)
