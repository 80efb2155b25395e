"""The figure of the study `editions`: the games that each setting changes, and what it does to points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from wallsim.report.figures.style import COLOURS, FAINT, INK, half_width, styled
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

_MARKS = ("o", "s", "^", "D", "v")
_LEAST = 0.01  # per cent; a share of 0 is drawn at the left edge of the logarithmic axis


class Row(NamedTuple):
    """A setting: its name, and by play the share of games that change, in per cent, and the change of points."""

    name: str
    changed: Mapping[str, float]
    points: Mapping[str, Measured]


@styled
def switches_at_a_glance(
    rows: Sequence[Row], plays: Sequence[str], limit: float, sure: Confidence, title: str = ""
) -> Figure:
    """A row a setting: left the games that change, right the change of a seat's points, a mark for each play.

    The band on the right is the limit within which a change does not matter.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 0.36 * len(rows) + 1.9), sharey=True)
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    right.axvspan(-limit, limit, color=FAINT, alpha=0.25, linewidth=0)
    right.axvline(0, color=FAINT, linewidth=0.8)
    for number, play in enumerate(plays):
        shift = 0.13 * (number - (len(plays) - 1) / 2)
        there = [(place + shift, row) for place, row in enumerate(rows) if play in row.changed]
        style = {"marker": _MARKS[number], "color": COLOURS[number], "linestyle": "none", "markersize": 4.5}
        left.plot([max(_LEAST, row.changed[play]) for _, row in there], [place for place, _ in there], **style)
        right.errorbar(
            [row.points[play].value for _, row in there], [place for place, _ in there],
            xerr=[half_width(row.points[play], sure) for _, row in there],
            label=play, capsize=1.5, elinewidth=0.9, **style,
        )  # fmt: skip
    left.set_xscale("log")
    left.set_xlim(_LEAST * 0.8, 130)
    left.set_xticks([0.01, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
    left.set_xlabel("games that change, %")
    left.set_yticks(range(len(rows)), [row.name for row in rows])
    left.invert_yaxis()
    left.tick_params(axis="y", labelcolor=INK)
    for axes in (left, right):
        axes.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    right.set_xlabel("change of a seat's VP")
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=len(plays))
    return figure
