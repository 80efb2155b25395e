"""A forest of intervals: a row a thing that is compared, in it a mark with its interval for each name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from matplotlib.axes import Axes

from wallsim.report.figures.style import COLOURS, FAINT, INK
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
