"""What the page of a study says first: its finding as the title, a sentence for each kind of table, and a picture.

Everything here is made from the register, so that no number and no judging word on the first screen is typed by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

Name = TypeVar("Name")

CASUAL_BOTS, STRONG_BOTS = "Casual bots", "Strong bots"
BOTS = {"casual": "casual", "strong": "expert", "second strong": "scholar"}  # the bots of plays, in sentences
RESTS_ON = "(four players, one tower)"  # the end of a title that rests on no more
MOST_ROWS = 12  # of the table below


def bots_of(play: str) -> str:
    """The bots of a kind of play, as pages call them."""
    return f"{BOTS.get(play, play)} bots"


class Finding(NamedTuple):
    """The first screen of a page.

    `title` is the finding in a sentence, with what it rests on. `casual` says what holds for casual bots with the
    printed line-ups, and `experienced` what holds for strong bots, expert and scholar, who draft. `differs` says what
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
