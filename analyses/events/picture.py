"""The picture of the study `events`: a heat table of the cards with guessed signs, and points by winter loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from wallsim.report.figures.style import COLOURS, DIVERGING, FAINT, half_width, styled
from wallsim.report.tables.estimates import number as number_in_words
from wallsim.rules.event_words import event_words
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

_MARKS = ("o", "s", "^", "D", "v", "P", "X")


class HeatTable(NamedTuple):
    """Changes and guessed signs by row, in the order of the columns' names, and the confidence of the intervals."""

    values: Mapping[str, Sequence[Measured]]
    signs: Mapping[str, Sequence[str]]
    outcomes: Sequence[str]
    sure: Confidence


@styled
def events_at_a_glance(
    table: HeatTable,
    losses: Mapping[str, Sequence[tuple[int, Measured]]],
    sure: Confidence,
    title: str = "",
    note: str = "",
) -> Figure:
    """A heat table, a row a card and a column an outcome; below it points by the grain that a winter's card takes.

    A cell has the change and in brackets the guessed sign, and is coloured by its share of the column's largest change
    where its interval excludes 0. `losses` has for each winter the loss and the estimate of every card, with the
    confidence `sure`.
    """
    figure, (above, below) = plt.subplots(2, 1, figsize=(11.0, 9.4), height_ratios=(2.1, 1))
    figure.suptitle(title, x=0.01, ha="left")
    figure.supxlabel(note, x=0.01, ha="left", fontsize=8)
    numbers = np.array([[one.value for one in row] for row in table.values.values()])
    known = np.array([[_excludes_zero(one, table.sure) for one in row] for row in table.values.values()])
    largest = np.abs(numbers).max(axis=0)
    shares = np.where(known, numbers / np.where(largest > 0, largest, 1.0), 0.0)
    above.imshow(shares, cmap=DIVERGING, vmin=-1, vmax=1, aspect="auto")
    for row, name in enumerate(table.values):
        for column, one in enumerate(table.values[name]):
            sign = table.signs[name][column]
            text = number_in_words(one.value, 2, "+") + (f" ({sign})" if sign else "")
            above.text(column, row, text, ha="center", va="center", fontsize=8.5)
    above.set_xticks(range(len(table.outcomes)), [_wrapped(name) for name in table.outcomes], fontsize=8.5)
    above.set_yticks(range(len(table.values)), [event_words(card) for card in table.values])
    above.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    for side in above.spines.values():
        side.set_visible(False)
    for number, (winter, points) in enumerate(losses.items()):
        below.errorbar(
            [loss + 0.12 * (2 * number - 1) for loss, _ in points], [one.value for _, one in points],
            yerr=[half_width(one, sure) for _, one in points], fmt=_MARKS[number], color=COLOURS[number],
            label=winter, markersize=5, capsize=2, elinewidth=1,
        )  # fmt: skip
    below.set_title("As the winter's loss")
    below.axhline(0, color=FAINT, linewidth=0.8)
    below.set_xlabel("grain that the winter's card takes from each player")
    below.set_ylabel("VP of a seat\nagainst the mean card")
    below.legend()
    return figure


def _excludes_zero(estimate: Measured, sure: Confidence) -> bool:
    interval = estimate.interval(sure)
    return interval is not None and not interval[0] <= 0 <= interval[1]


def _wrapped(words: str) -> str:
    """Two lines, broken at the blank nearest to the middle."""
    blanks = [place for place, letter in enumerate(words) if letter == " "]
    if not blanks:
        return words
    place = min(blanks, key=lambda at: abs(at - len(words) / 2))
    return f"{words[:place]}\n{words[place + 1 :]}"
