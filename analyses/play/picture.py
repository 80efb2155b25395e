"""The picture of the study `play`: what each changed habit brings, at each table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from wallsim.report.figures.style import COLOURS, FAINT, INK, half_width, new_axes, styled
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

_MARKS = ("o", "s", "D")
_APART = 0.24  # of a row between the tables


@styled
def points_by_habit(
    rows: Mapping[str, Sequence[Measured]], tables: Sequence[str], sure: Confidence, title: str = ""
) -> Figure:
    """A row per habit with a mark per table, the change of points with its interval, and a line at no change."""
    axes = new_axes(7.6, 0.42 * len(rows) + 1.6)
    axes.axvline(0, color=FAINT, linewidth=1.0, zorder=1)
    for place, name in enumerate(tables):
        heights = [-row + _APART * (1 - place) for row in range(len(rows))]
        each = [measured[place] for measured in rows.values()]
        axes.errorbar(
            [one.value for one in each], heights, xerr=[half_width(one, sure) for one in each], label=name,
            color=COLOURS[place], marker=_MARKS[place % len(_MARKS)], markersize=5, linestyle="none", capsize=2,
        )  # fmt: skip
    axes.set_yticks([-row for row in range(len(rows))], list(rows))
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.set_xlabel("change of the seat's victory points")
    axes.legend(loc="upper center", bbox_to_anchor=(0.35, -0.1))
    axes.set_title(title, fontsize=9, fontweight="normal", color=INK)
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure
