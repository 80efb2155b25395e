"""What the page of a study says first: its finding as the title, a sentence for each kind of table, and a picture.

Everything here is made from the register, so that no number and no judging word on the first screen is typed by hand.
What is largest of many is named alone only where the same intervals know it from all others; else the group is named.
In a text of a study `{ID}` is a figure of it, with its half-width and one decimal. The id stands without the study's
name. After a bar: `+` for a sign, a number of decimals, `value` for no half-width, `null` for its fair value, as in
`{thaler.4p/casual/spielbyweb@fall-2|2 value}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import ge
from typing import NamedTuple, TypeVar

from wallsim.errors import InputError
from wallsim.report.tables.estimates import bounded, in_words
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figure, Figures

Name = TypeVar("Name")

CASUAL_BOTS, STRONG_BOTS = "Casual bots", "Strong bots"
BOTS = {"casual": "casual", "strong": "master", "second strong": "scholar"}  # the bots of plays, in sentences
RESTS_ON, OVER_TOWERS = "(four players, one tower)", "(four players, three towers)"  # the end of a title
MOST_ROWS = 12  # of the table below
MOST_NAMED = 3  # of a group in a sentence


def bots_of(play: str) -> str:
    """The bots of a kind of play, as pages call them."""
    return f"{BOTS.get(play, play)} bots"


class Finding(NamedTuple):
    """The first screen of a page.

    `title` is the finding in a sentence, with what it rests on. `casual` says what holds for casual bots with the
    printed line-ups, and `experienced` what holds for strong bots, master and scholar, who draft. `differs` says what
    holds for some bots or settings and fails for others, and `unknown` what is not known. `picture` is what the picture
    shows, in words. A sentence that a study cannot say is empty, and has no line.
    """

    title: str
    casual: str
    experienced: str
    unknown: str
    picture: str
    differs: str = ""

    def sentences(self) -> dict[str, str]:
        """The sentences of the box by their labels, those that there are."""
        labelled = {
            CASUAL_BOTS: self.casual,
            STRONG_BOTS: self.experienced,
            "Differs": self.differs,
            "Not known": self.unknown,
        }
        return {label: text for label, text in labelled.items() if text}

    def as_text(self, study: str, table: str) -> str:
        """The first screen as Markdown: title, box, the picture of the study, and its one table."""
        box = "\n".join(f"- **{label}:** {text}" for label, text in self.sentences().items())
        return f"# {self.title}\n\n{box}\n\n![{self.picture}]({study}.png)\n\n{table}"


def best_first(measured: Mapping[Name, Measured], sure: Confidence, *, largest: bool) -> list[Name]:
    """The name of the largest or the least value, and after it those whose intervals meet that of the best.

    A value without an interval counts as known exactly.
    """
    sign = 1 if largest else -1
    ends = {}
    for name, each in measured.items():
        low, high = each.interval(sure) or (each.value, each.value)
        ends[name] = (low, high) if largest else (-high, -low)
    first, *others = sorted(measured, key=lambda name: -sign * measured[name].value)
    return [first, *(name for name in others if ends[name][1] >= ends[first][0])]


def moving_most(changes: Mapping[Name, Sequence[Figure]]) -> list[Name]:
    """The name of the largest change, up or down, in the mean of some cells; after it those that may be as large.

    The latter are not known to be smaller in any of the cells. Without an interval a change is known exactly.
    """

    def sizes(each: Figure) -> tuple[float, float]:
        low, high = each.ends or (each.value, each.value)
        return max(0.0, low, -high), max(-low, high)

    means = {name: sum(abs(each.value) for each in found) / max(1, len(found)) for name, found in changes.items()}
    first, *others = sorted(means, key=lambda name: -means[name])
    least = [sizes(each)[0] for each in changes[first]]
    tops = {name: [sizes(each)[1] for each in changes[name]] for name in others}
    return [first, *(name for name in others if len(tops[name]) == len(least) and all(map(ge, tops[name], least)))]


def either(names: Sequence[str], what: str) -> str:
    """Names of which it is not known which is first: all of them, or how many of `what` they are."""
    return listed(names, "or") if len(names) <= MOST_NAMED else f"one of {len(names)} {what}"


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
