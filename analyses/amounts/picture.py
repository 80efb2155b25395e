"""The figure of the study `amounts`: what turning a number does to the spread of points and to the tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from wallsim.report.figures.style import COLOURS, FAINT, INK, half_width, styled
from wallsim.rules.terms import TILES
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

_MARKS = ("o", "s", "^", "D", "v")


@styled
def amounts_at_a_glance(rows: Mapping[str, Sequence[Measured]], sure: Confidence, title: str = "") -> Figure:
    """A row a number, by its name with both values: left the change of the spread of points, right those of the tiles.

    Each has the change of the spread, and after it that of each tile's worth.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 0.4 * len(rows) + 1.9), sharey=True)
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    places, (spreads, *tiles) = list(range(len(rows))), zip(*rows.values(), strict=True)
    left.errorbar(
        [each.value for each in spreads], places, xerr=[half_width(each, sure) for each in spreads],
        marker="o", color=INK, linestyle="none", markersize=4.5, capsize=1.5, elinewidth=0.9,
    )  # fmt: skip
    for number, (tile, worths) in enumerate(zip(TILES, tiles, strict=True)):
        shift = 0.14 * (number - (len(TILES) - 1) / 2)
        right.errorbar(
            [each.value for each in worths], [place + shift for place in places],
            xerr=[half_width(each, sure) for each in worths], label=tile.replace("_", " "),
            marker=_MARKS[number], color=COLOURS[number], linestyle="none", markersize=4, capsize=1.5, elinewidth=0.9,
        )  # fmt: skip
    for axes in (left, right):
        axes.axvline(0, color=FAINT, linewidth=0.8)
        axes.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    left.set_yticks(places, list(rows))
    left.tick_params(axis="y", labelcolor=INK)
    left.invert_yaxis()
    left.set_xlabel("change of the spread of VP")
    right.set_xlabel("change of a tile's worth, VP a round")
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=len(TILES))
    return figure
