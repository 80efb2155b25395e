"""The picture of the study `tower`: one panel per outcome with the nine towers."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, styled
from wallsim.stats.intervals import Interval
from wallsim.studies.figure import Figure as Arm

_MARKS = ("o", "s", "^", "D")
_COLUMNS = 4
_PANEL = (2.9, 2.35)  # inches
_RANGE: Any = {"color": FAINT, "alpha": 0.35, "linewidth": 6, "solid_capstyle": "butt", "zorder": 1}
_GAP = 0.7  # rows between two groups


class Panel(NamedTuple):
    """An outcome: its unit, by tower its figure and the range over other play and set-ups, and a claim's number."""

    unit: str
    rows: Mapping[str, tuple[Arm, Interval | None]]
    claimed: float | None = None


@styled
def outcomes_by_tower(
    panels: Mapping[str, Panel], towers: Mapping[str, tuple[str, str]], baseline: str, title: str = ""
) -> Figure:
    """One panel per outcome, one row per tower: estimate and interval, a dashed line at the baseline tower's estimate.

    `towers` are grouped and coloured by calibration and marked by model, and are hollow without an interval. A pale bar
    is the range over other play and set-ups, a dotted line the number of a claim. ValueError without the baseline.
    """
    if baseline not in towers:
        raise ValueError(f"baseline: {baseline!r} is not one of the towers, {', '.join(towers)}")
    groups, models = (list(dict.fromkeys(kinds)) for kinds in zip(*towers.values(), strict=True))
    colours, marks = dict(zip(groups, COLOURS, strict=False)), dict(zip(models, _MARKS, strict=False))
    places = {name: place + _GAP * groups.index(kinds[0]) for place, (name, kinds) in enumerate(towers.items())}
    rows = -(-(len(panels) + 1) // _COLUMNS)  # one panel more, for the legend
    size = (_COLUMNS * _PANEL[0] + 1.2, rows * _PANEL[1] + 0.4)
    figure, grid = plt.subplots(rows, _COLUMNS, figsize=size, sharey=True, squeeze=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    spots = list(grid.flat)
    for axes, (name, panel) in zip(spots, panels.items(), strict=False):
        if not isnan(panel.rows[baseline][0].value):
            axes.axvline(panel.rows[baseline][0].value, color=ACCENT, linewidth=1.0, linestyle="--", zorder=1)
        for tower, row in panel.rows.items():
            _draw(axes, row, places[tower], colours[towers[tower][0]], marks[towers[tower][1]])
        axes.set_xlabel(panel.unit, fontsize=8.5)
        axes.tick_params(axis="y", length=0)
        axes.margins(x=0.12)
        axes.grid(True, axis="y", color=FAINT, alpha=0.25)
        axes.set_title(name, fontsize=9.5)
        if panel.claimed is not None:
            axes.axvline(panel.claimed, color=INK, linewidth=1.0, linestyle=":", zorder=1)
    spots[0].set_yticks(list(places.values()), list(places))
    spots[0].set_ylim(max(places.values()) + 0.6, -0.6)
    for axes in spots[len(panels) :]:
        axes.axis("off")
    lines = [Line2D([], [], color=colour, linewidth=3, label=name) for name, colour in colours.items()]
    lines += [Line2D([], [], color=INK, marker=m, linestyle="", markersize=5, label=name) for name, m in marks.items()]
    lines.append(Line2D([], [], color=ACCENT, linestyle="--", linewidth=1.0, label=f"value under {baseline}"))
    lines.append(Line2D([], [], **_RANGE, label="range over play and set-ups"))
    if any(panel.claimed is not None for panel in panels.values()):
        lines.append(Line2D([], [], color=INK, linestyle=":", linewidth=1.0, label="threshold of a claim"))
    spots[len(panels)].legend(handles=lines, loc="center left")
    return figure


def _draw(axes: Axes, row: tuple[Arm, Interval | None], height: float, colour: Any, mark: str) -> None:
    arm, span = row
    if span is not None:
        axes.plot(span, [height] * 2, **_RANGE)
    if arm.ends is not None:
        ends = [[arm.value - arm.ends[0]], [arm.ends[1] - arm.value]]
        axes.errorbar(arm.value, height, xerr=ends, color=colour, capsize=2, zorder=2)
    face = "white" if arm.ends is None else colour
    axes.plot(arm.value, height, mark, color=colour, markersize=5, zorder=3, markerfacecolor=face)
