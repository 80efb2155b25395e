"""Forests of intervals: a row a thing that is compared, with a mark for each name; the changes of two runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import nan, sqrt
from textwrap import fill
from typing import Any, Protocol

from matplotlib.axes import Axes

from wallsim.analysis.contrasts.comparison import Comparison
from wallsim.analysis.contrasts.contrast import Contrast
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, draw_estimate, new_axes, styled
from wallsim.report.tables.contrasts import Line, lines_of
from wallsim.report.tables.estimates import NOTHING, how_many
from wallsim.stats.intervals import Interval

MARKS = ("o", "s", "^", "D", "v", "P")


class Shown(Protocol):
    """What is drawn: a value, and the ends of its interval if it has one."""

    @property
    def value(self) -> float:
        """The value."""
        ...

    @property
    def ends(self) -> Interval | None:
        """The interval."""
        ...


def places(rows: int, number: int, names: int, apart: float = 0.13) -> list[float]:
    """The heights of the marks of the `number`-th of some names, a little apart from those of the others."""
    return [row + apart * (number - (names - 1) / 2) for row in range(rows)]


def forest(
    axes: Axes, rows: Mapping[str, Mapping[str, Shown]], names: Sequence[str], colours: Sequence[Any] = COLOURS,
    *, apart: float = 0.13, size: float = 4.5, zero: float = 2.0,
) -> None:  # fmt: skip
    """Draw the rows from above, with a line at 0, whose zorder is `zero`; a row may lack names."""
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=zero)
    for number, name in enumerate(names):
        heights = places(len(rows), number, len(names), apart)
        there = [(height, row[name]) for height, row in zip(heights, rows.values(), strict=True) if name in row]
        ends = [each.ends or (0.0, 0.0) for _, each in there]
        axes.errorbar(
            [each.value for _, each in there], [height for height, _ in there],
            xerr=[(high - low) / 2 for low, high in ends], label=name, linestyle="none", marker=MARKS[number],
            color=colours[number], markersize=size, capsize=1.5, elinewidth=0.9,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), list(rows))
    axes.tick_params(axis="y", labelcolor=INK)
    axes.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()


_LINE = 0.24  # inches a line
_MARGINS = 1.3
_TITLE = 80  # characters of a line of the title


@styled
def changes(comparison: Comparison, axes: Axes | None = None) -> Axes:
    """Every change of B against A as a dot with its simultaneous interval, in the order of the table.

    Lines of one column are drawn in its own unit. Lines of several are drawn in standard deviations of A from game to
    game, so that they share a scale; the text beside each has its own unit. A change without an interval is hollow.
    """
    compared = lines_of(comparison)
    rows: list[str | Line] = []
    for section, lines in groupby(compared, key=lambda line: line.section):
        rows += [section, *lines]
    if axes is None:
        axes = new_axes(width=8.4, height=_MARGINS + _LINE * len(rows))
        title = f"What changed: {how_many(len(comparison.pairing.games), 'game')} in pairs"
        axes.set_title("\n".join([title, *(fill(line, _TITLE) for line in comparison.pairing.settings())]))
    same_column = len({each.column for each in comparison.contrasts}) == 1
    axes.axvline(0, color=ACCENT, linewidth=1.2, linestyle="--", zorder=1)
    for place, row in enumerate(rows):
        if isinstance(row, Line):
            _draw(axes, place, row, row.scale if same_column else 1 / _deviation(row.contrast))
    axes.set_yticks(range(len(rows)), [row.heading if isinstance(row, Line) else row for row in rows])
    for label, row in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_fontweight("normal" if isinstance(row, Line) else "bold")
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    unit = compared[0].heading if same_column else "standard deviations of A between games"
    axes.set_xlabel(f"change, B minus A: {unit}\n(simultaneous {comparison.level:.0%} intervals)")
    axes.grid(True, axis="x", color=FAINT, alpha=0.3)
    return axes


def _deviation(contrast: Contrast) -> float:
    # Of the mean of a game's cases in A; nan where games do not differ, so that nothing is drawn.
    deviation = contrast.first.error * sqrt(contrast.counted)
    return deviation if deviation > 0 else nan


def _draw(axes: Axes, place: int, line: Line, factor: float) -> None:
    interval = None if line.interval is None else (factor * line.interval[0], factor * line.interval[1])
    draw_estimate(axes, place, factor * line.contrast.change.value, interval)
    axes.annotate(  # beside the axes, where no line crosses it
        line.change if line.ends == NOTHING else f"{line.change} ({line.ends})", (1, place), (8, 0),
        xycoords=("axes fraction", "data"), textcoords="offset points", va="center", fontsize=8.5,
    )  # fmt: skip
