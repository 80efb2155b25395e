"""The figure of casual play: points by place and bids by the order of choosing, of policies and as people report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wallsim.report.figures.style import COLOURS, INK, styled

_MARKS = ("o", "s", "^", "D", "v", "P")
Lines = Mapping[str, Sequence[float]]


@styled
def as_people_report(points: Lines, bids: Lines, people: str, title: str = "") -> Figure:
    """Two panels: victory points by place, and Thalers bid by the order of choosing; one line for each name.

    `points` and `bids` have the values by name, from the first place or choice on; the line of `people` is black.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.9))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    _draw(left, points, people, "Victory points at the end", "place")
    _draw(right, bids, people, "Thalers bid", "order of choosing")
    right.legend()
    return figure


def _draw(axes: Axes, lines: Lines, people: str, label: str, below: str) -> None:
    for number, name in enumerate(sorted(lines, key=people.__eq__)):  # that of people last, on top
        values, is_people = lines[name], name == people
        axes.plot(
            range(1, len(values) + 1), values, label=name,
            color=INK if is_people else COLOURS[number % len(COLOURS)],
            linewidth=2.6 if is_people else 1.4, linestyle="--" if is_people else "-",
            marker=_MARKS[number % len(_MARKS)], markersize=5,
        )  # fmt: skip
    axes.set_xticks(range(1, len(lines[people]) + 1))
    axes.set_xlabel(below)
    axes.set_title(label)
