"""Figures of what interventions do: points by gift, worth by round, and what events change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.figure import Figure

from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, new_axes, styled
from wallsim.report.tables.estimates import number as number_in_words
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence

_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_DIVERGING = sns.blend_palette(("#d98b5f", "#ffffff", "#6fa3cf"), as_cmap=True)  # dark text is readable on all of it
_SHIFT = 0.06  # of a Thaler between lines, so that bars do not hide each other


@styled
def points_by_gift(lines: Mapping[str, Sequence[tuple[int, Estimate]]], sure: Confidence, title: str = "") -> Figure:
    """Victory points against Thalers given, a line a moment with its name, and the diagonal of one point a Thaler."""
    axes = new_axes(7.4, 4.6)
    doses = [dose for dose, _ in next(iter(lines.values()))]
    ends = [min(doses), max(doses)]
    axes.plot(ends, ends, linestyle="--", color=FAINT, linewidth=1.4, label="1 VP a Thaler", zorder=1)
    axes.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
    shades = plt.get_cmap("viridis")
    ends_of_bars = [0.0]
    for number, (moment, points) in enumerate(lines.items()):
        colour = shades(number / max(1, len(lines) - 1) * 0.92)
        shift = _SHIFT * (number - (len(lines) - 1) / 2)
        line = sorted([(0, 0.0, 0.0), *((dose, one.value, half_width(one, sure)) for dose, one in points)])
        axes.errorbar(
            [dose + (shift if dose else 0) for dose, _, _ in line], [value for _, value, _ in line],
            yerr=[half for _, _, half in line], label=moment, color=colour, linewidth=1.4,
            marker=_MARKS[number % len(_MARKS)], markersize=5, capsize=2, elinewidth=1, zorder=2,
        )  # fmt: skip
        ends_of_bars += [value + sign * half for _, value, half in line for sign in (-1, 1)]
    axes.set_ylim(min(ends_of_bars) - 0.2, max(ends_of_bars) + 0.2)
    axes.set_xticks(sorted({0, *doses}))
    axes.set_xlabel("Thalers given")
    axes.set_ylabel("victory points at the end")
    axes.legend(loc="upper left", title="before")
    axes.set_title(title, fontsize=9, fontweight="normal", color=INK)
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


def half_width(estimate: Estimate, sure: Confidence) -> float:
    """The half-width of an interval; 0, so that no bar is drawn, where there is none."""
    interval = estimate.interval(sure)
    return 0.0 if interval is None else (interval[1] - interval[0]) / 2


@styled
def worth_by_round(
    bars: Mapping[str, Sequence[Estimate]],
    rounds: Sequence[str],
    pairs: Mapping[str, tuple[Estimate, Estimate]],
    sure: Confidence,
    title: str = "",
) -> Figure:
    """A bar for each name in each round; beside it for each name what was given and what was held, as two dots."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.2), width_ratios=(2.2, 1))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    width = 0.8 / len(bars)
    for number, (name, values) in enumerate(bars.items()):
        places = [place + (number - (len(bars) - 1) / 2) * width for place in range(len(rounds))]
        left.bar(places, [one.value for one in values], width * 0.92, label=_words(name), color=COLOURS[number])
        left.errorbar(
            places, [one.value for one in values], yerr=[half_width(one, sure) for one in values],
            fmt="none", ecolor=INK, elinewidth=0.9, capsize=1.5,
        )  # fmt: skip
    left.axhline(0, color=FAINT, linewidth=0.8)
    left.set_xticks(range(len(rounds)), list(rounds))
    left.set_ylabel("victory points")
    left.set_title("The tile against none")
    left.legend(ncols=len(bars), loc="upper center", bbox_to_anchor=(0.5, -0.1), columnspacing=1.0, handlelength=1.2)
    for which, (label, colour, marker) in enumerate((("given by the study", INK, "o"), ("held in play", ACCENT, "s"))):
        places = [place + 0.12 * (2 * which - 1) for place in range(len(pairs))]
        right.errorbar(
            [pair[which].value for pair in pairs.values()], places,
            xerr=[half_width(pair[which], sure) for pair in pairs.values()], fmt=marker, color=colour, label=label,
            markersize=5, capsize=2, elinewidth=1,
        )  # fmt: skip
    right.axvline(0, color=FAINT, linewidth=0.8)
    right.set_yticks(range(len(pairs)), [_words(name) for name in pairs])
    right.invert_yaxis()
    right.set_title("Against the mean, VP")
    right.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=2, columnspacing=1.0, handletextpad=0.3)
    return figure


def _words(name: str) -> str:
    return name.replace("_", " ")


class HeatTable(NamedTuple):
    """Changes and guessed signs by row, in the order of the columns' names, and the confidence of the intervals."""

    values: Mapping[str, Sequence[Estimate]]
    signs: Mapping[str, Sequence[str]]
    outcomes: Sequence[str]
    sure: Confidence


@styled
def events_at_a_glance(
    table: HeatTable, losses: Mapping[str, Sequence[tuple[int, Estimate]]], sure: Confidence, title: str = ""
) -> Figure:
    """A heat table, a row a card and a column an outcome; below it points by the grain that a winter's card takes.

    A cell has the change and in brackets the guessed sign, and is coloured by its share of the column's largest change
    where its interval excludes 0. `losses` has for each winter the loss and the estimate of every card, with the
    confidence `sure`.
    """
    figure, (above, below) = plt.subplots(2, 1, figsize=(11.0, 9.4), height_ratios=(2.1, 1))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    numbers = np.array([[one.value for one in row] for row in table.values.values()])
    known = np.array([[_excludes_zero(one, table.sure) for one in row] for row in table.values.values()])
    largest = np.abs(numbers).max(axis=0)
    shares = np.where(known, numbers / np.where(largest > 0, largest, 1.0), 0.0)
    above.imshow(shares, cmap=_DIVERGING, vmin=-1, vmax=1, aspect="auto")
    for row, name in enumerate(table.values):
        for column, one in enumerate(table.values[name]):
            sign = table.signs[name][column]
            text = number_in_words(one.value, 2, "+") + (f" ({sign})" if sign else "")
            above.text(column, row, text, ha="center", va="center", fontsize=8.5)
    above.set_xticks(range(len(table.outcomes)), [_wrapped(name) for name in table.outcomes], fontsize=8.5)
    above.set_yticks(range(len(table.values)), [_words(name) for name in table.values])
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


def _excludes_zero(estimate: Estimate, sure: Confidence) -> bool:
    interval = estimate.interval(sure)
    return interval is not None and not interval[0] <= 0 <= interval[1]


def _wrapped(words: str) -> str:
    """Two lines, broken at the blank nearest to the middle."""
    blanks = [place for place, letter in enumerate(words) if letter == " "]
    if not blanks:
        return words
    place = min(blanks, key=lambda at: abs(at - len(words) / 2))
    return f"{words[:place]}\n{words[place + 1 :]}"
