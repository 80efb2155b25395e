"""Figures of studies: outcomes by tower, and one outcome in every cell of play and tower."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from wallsim.report.figures.run import points_by_source, shares_by_group
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, new_axes, styled

_DIVERGING = sns.blend_palette(("#d98b5f", "#ffffff", "#6fa3cf"), as_cmap=True)  # dark text is readable on all of it
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


@styled
def first_look(shares: pl.DataFrame, points: pl.DataFrame, cells: Mapping[str, pl.DataFrame], title: str) -> Figure:
    """Above, wins and points by source in one cell; below, a heat map for each outcome over all cells.

    `shares` is as in `shares_by_group`, `points` as in `points_by_source`; `cells` has a frame by the title of its heat
    map, with columns play, tower, value and level, the value in per cent that makes no difference.
    """
    figure = plt.figure(figsize=(10.4, 7.6))
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    halves: Any = figure.subfigures(2, 1, height_ratios=(3.9, 3.7))
    above, below = halves
    left, right = above.subplots(1, 2, width_ratios=(5, 6))
    shares_by_group(shares, 0.25, "line-up", left).set_title("Who wins")
    points_by_source(points, right).set_title("Where the points come from")
    panels = below.subplots(1, len(cells), sharey=True, squeeze=False)[0]
    for axes, (name, frame) in zip(panels, cells.items(), strict=True):
        heat_map(frame, axes).set_title(name)
    return figure


@styled
def heat_map(cells: pl.DataFrame, axes: Axes | None = None) -> Axes:
    """One row per tower, one column per play: the value of each cell, coloured by its distance from the level.

    `cells`: columns play, tower, value, level, in the order to draw them; the colour scale is symmetric around the
    level.
    """
    axes = axes or new_axes()
    towers, plays = (cells[name].unique(maintain_order=True).to_list() for name in ("tower", "play"))
    far = max(1.0, float((cells["value"] - cells["level"]).abs().max()))  # type: ignore[arg-type]
    values = np.full((len(towers), len(plays)), np.nan)
    for row in cells.iter_rows(named=True):
        place = towers.index(row["tower"]), plays.index(row["play"])
        values[place] = row["value"] - row["level"]
        shown = f"{round(row['value']) + 0:d}".replace("-", "−")
        axes.annotate(shown, place[::-1], ha="center", va="center", fontsize=8.5)
    axes.imshow(values, cmap=_DIVERGING, vmin=-far, vmax=far, aspect="auto")
    axes.set_xticks(range(len(plays)), [play.replace(" ", "\n") for play in plays])
    axes.set_yticks(range(len(towers)), towers)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return axes
