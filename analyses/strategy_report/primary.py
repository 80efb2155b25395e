"""The primary figures of a question: those of the casual and of the experienced table, by one rule.

A question is asked by figures whose ids differ in play, tower and set-up alone. Of the figures of casual play, and of
those of strong play, the primary one is that of the default tower and of the set-up of the table: printed line-ups for
casual players, a draft for experienced ones, or the other set-up if that was not played. Where neither
was played it is the figure of no play. All others are other true values of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from wallsim.analysis.claims.plays import CASUAL, STRONG
from wallsim.studies.figure import LINEUP, Figure, Figures
from wallsim.studies.scope import BASELINE_TOWER, CASUAL_TABLE, EXPERIENCED_TABLE

_TABLES = {CASUAL: CASUAL_TABLE, STRONG: EXPERIENCED_TABLE}


def head_of(key: str) -> str:
    """The part of an id before cell and moment."""
    return re.split("[/@]", key, maxsplit=1)[0]


def question_of(key: str) -> str:
    """The question of an id: the id without its cell; a moment is a part of the question."""
    head = head_of(key)
    _, at, moment = key.partition("@")
    return f"{head}{at}{moment}"


def same_question(figure: Figure, figures: Figures) -> list[Figure]:
    """The figures of a study that answer the same question as this one, in any play, tower and set-up."""
    return [each for each in figures.headed(head_of(figure.id)) if each.moment == figure.moment]


def place_of(figure: Figure) -> str:
    """The cell of a figure in words, as its id has it; empty for one of no cell."""
    return figure.id.partition("@")[0].partition("/")[2]


def primary_ids(figures: Iterable[Figure]) -> list[str]:
    """The ids of the primary figures among those of one question, casual before experienced."""
    figures = list(figures)
    result = []
    for play, table in _TABLES.items():
        fitting = [each for each in figures if each.play == play and each.tower in ("", BASELINE_TOWER)]
        fitting.sort(key=lambda each: ((each.setup or LINEUP) != table.setup, each.tower == ""))
        result += [figure.id for figure in fitting[:1]]
    return result or [figure.id for figure in figures if not figure.play]
