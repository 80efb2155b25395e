"""Figures of studies: one outcome in every cell of play and tower."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wallsim.report.figures.style import DIVERGING, new_axes, styled


@styled
def first_look(shares: pl.DataFrame, points: pl.DataFrame, cells: Mapping[str, pl.DataFrame], title: str) -> Figure:
    """Above, wins and points by source in one cell; below, a heat map for each outcome over all cells.

    `shares` is as in `shares_by_group`, `points` as in `points_by_source`; `cells` has a frame by the title of its heat
    map, with columns play, tower, value and level, the value in per cent that makes no difference.
    """
    from wallsim.report.figures.run import points_by_source, shares_by_group  # imports seaborn, which takes seconds

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
    axes.imshow(values, cmap=DIVERGING, vmin=-far, vmax=far, aspect="auto")
    axes.set_xticks(range(len(plays)), [play.replace(" ", "\n") for play in plays])
    axes.set_yticks(range(len(towers)), towers)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return axes
