"""The picture of the study `tower`: one panel per outcome with the nine towers."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, styled

_MARKS = ("o", "s", "^", "D")
_COLUMNS = 4
_PANEL = (2.9, 2.35)  # inches
_RANGE: Any = {"color": FAINT, "alpha": 0.35, "linewidth": 6, "solid_capstyle": "butt", "zorder": 1}
_GAP = 0.7  # rows between two groups


@styled
def outcomes_by_tower(
    outcomes: pl.DataFrame, baseline: str, claimed: Mapping[str, float] | None = None, title: str = ""
) -> Figure:
    """One panel per outcome, one row per tower: estimate and interval, a dashed line at the baseline tower's estimate.

    `outcomes`: columns outcome, unit, tower, calibration, model, value, low, high, lowest, highest, in the order in
    which to draw them; towers are grouped and coloured by calibration and marked by model, and are hollow without an
    interval. A pale bar from lowest to highest is the range over other play and set-ups. `claimed` has, by outcome,
    the number of a claim, drawn as a dotted line. ValueError without the baseline.
    """
    names = outcomes["outcome"].unique(maintain_order=True).to_list()
    towers = outcomes.unique("tower", maintain_order=True)
    if baseline not in towers["tower"]:
        raise ValueError(f"baseline: {baseline!r} is not one of the towers, {', '.join(towers['tower'])}")
    groups = towers["calibration"].unique(maintain_order=True).to_list()
    models = towers["model"].unique(maintain_order=True).to_list()
    colours, marks = dict(zip(groups, COLOURS, strict=False)), dict(zip(models, _MARKS, strict=False))
    places = {
        row["tower"]: place + _GAP * groups.index(row["calibration"])
        for place, row in enumerate(towers.iter_rows(named=True))
    }
    rows = -(-(len(names) + 1) // _COLUMNS)  # one panel more, for the legend
    size = (_COLUMNS * _PANEL[0] + 1.2, rows * _PANEL[1] + 0.4)
    figure, panels = plt.subplots(rows, _COLUMNS, figsize=size, sharey=True, squeeze=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    spots = list(panels.flat)
    for axes, name in zip(spots, names, strict=False):
        _draw_panel(axes, outcomes.filter(pl.col("outcome") == name), places, colours, marks, baseline)
        axes.set_title(name, fontsize=9.5)
        if claimed and name in claimed:
            axes.axvline(claimed[name], color=INK, linewidth=1.0, linestyle=":", zorder=1)
    spots[0].set_yticks(list(places.values()), list(places))
    spots[0].set_ylim(max(places.values()) + 0.6, -0.6)
    for axes in spots[len(names) :]:
        axes.axis("off")
    spots[len(names)].legend(handles=_legend(colours, marks, baseline, bool(claimed)), loc="center left")
    return figure


def _draw_panel(
    axes: Axes,
    rows: pl.DataFrame,
    places: Mapping[str, float],
    colours: Mapping[str, object],
    marks: Mapping[str, str],
    baseline: str,
) -> None:
    level = rows.filter(pl.col("tower") == baseline)["value"].item()
    if not isnan(level):
        axes.axvline(level, color=ACCENT, linewidth=1.0, linestyle="--", zorder=1)
    for row in rows.iter_rows(named=True):
        colour, known = colours[row["calibration"]], row["low"] is not None
        if row["lowest"] is not None:
            axes.plot((row["lowest"], row["highest"]), [places[row["tower"]]] * 2, **_RANGE)
        if known:
            ends = [[row["value"] - row["low"]], [row["high"] - row["value"]]]
            axes.errorbar(row["value"], places[row["tower"]], xerr=ends, color=colour, capsize=2, zorder=2)
        axes.plot(
            row["value"], places[row["tower"]], marks[row["model"]], color=colour, markersize=5, zorder=3,
            markerfacecolor=colour if known else "white",
        )  # fmt: skip
    axes.set_xlabel(rows["unit"][0], fontsize=8.5)
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.12)
    axes.grid(True, axis="y", color=FAINT, alpha=0.25)


def _legend(colours: Mapping[str, object], marks: Mapping[str, str], baseline: str, claims: bool) -> list[Line2D]:
    lines = [Line2D([], [], color=colour, linewidth=3, label=name) for name, colour in colours.items()]  # type: ignore[arg-type]
    lines += [
        Line2D([], [], color=INK, marker=mark, linestyle="", markersize=5, label=name) for name, mark in marks.items()
    ]
    lines.append(Line2D([], [], color=ACCENT, linestyle="--", linewidth=1.0, label=f"value under {baseline}"))
    lines.append(Line2D([], [], **_RANGE, label="range over play and set-ups"))
    if claims:
        lines.append(Line2D([], [], color=INK, linestyle=":", linewidth=1.0, label="threshold of a claim"))
    return lines
