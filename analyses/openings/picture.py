"""The picture of the study `openings`: how many first plans have a county on each box, at each table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from wallsim.report.figures.style import COLOURS, FAINT, INK, half_width, new_axes, styled
from wallsim.studies.figure import Figure as Published
from wallsim.studies.grids import sure_of

_MARKS = ("o", "s", "D")
_APART = 0.22  # of a row between the tables


@styled
def laid_by_box(rows: Mapping[str, Sequence[Published]], tables: Sequence[str], title: str = "") -> Figure:
    """A row per box with a mark per table: the plans that use the box, in per cent, with intervals."""
    axes = new_axes(7.6, 0.4 * len(rows) + 1.6)
    heights = [-row for row in range(len(rows))]
    axes.hlines(heights, 0, 100, color=FAINT, linewidth=0.8, zorder=1)
    for place, name in enumerate(tables):
        each = [measured[place] for measured in rows.values()]
        axes.errorbar(
            [one.value for one in each], [height + _APART * (1 - place) for height in heights],
            xerr=[half_width(one, sure_of(each)) for one in each], label=name, color=COLOURS[place],
            marker=_MARKS[place % len(_MARKS)], markersize=5, linestyle="none", capsize=2,
        )  # fmt: skip
    axes.set_yticks(heights, list(rows))
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    axes.set_xlim(-3, 103)
    axes.set_xlabel("first plans that use the box, %")
    axes.legend(loc="upper center", bbox_to_anchor=(0.35, -0.12))
    axes.set_title(title, fontsize=9, fontweight="normal", color=INK)
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure
