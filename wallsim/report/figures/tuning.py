"""The figure of a tuning: wins of the mean of the search in the games of the search, and in held-out games."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, styled

_SIZE = (7.6, 5.4)  # inches
_NUDGE = 0.012  # distance between the intervals of two opponents at one generation, as a share of the axis


@styled
def learning_curve(table: pl.DataFrame, opponents: Sequence[str], fair: float, title: str = "") -> Figure:
    """Two panels over the generations: shares of wins in held-out games with intervals, and against the pool.

    `table` as `wallsim.searches.tuning.outcome.curve` makes it; `opponents` are the opponents of the checks to draw.
    The dashed line is the fair share. Triangles below mark where a past version joined the pool. The lower band is one
    standard error of a generation, from as many games as one candidate has.
    """
    figure, panels = plt.subplots(2, 1, figsize=_SIZE, sharex=True, height_ratios=(1.25, 1))
    _draw_checks(panels[0], table, opponents, fair)
    _draw_pool(panels[1], table, fair)
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    panels[1].set_xlabel("generations of the search")
    panels[1].xaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in panels:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.set_ylabel("share of wins")
        axes.grid(True, axis="y", color=FAINT, alpha=0.25)
    return figure


def _draw_checks(axes: Axes, table: pl.DataFrame, opponents: Sequence[str], fair: float) -> None:
    axes.set_title("Held-out games: the mean in one seat, an opponent in all others")
    length = max(1, table.height - 1)
    known = [name for name in opponents if f"{name}_share" in table.columns]
    for place, name in enumerate(known):
        rows = table.filter(pl.col(f"{name}_share").is_not_null())
        share = rows[f"{name}_share"].to_numpy()
        ends = [share - rows[f"{name}_low"].to_numpy(), rows[f"{name}_high"].to_numpy() - share]
        at = rows["generation"].to_numpy() + (place - (len(known) - 1) / 2) * _NUDGE * length
        axes.errorbar(
            at, share, yerr=ends, color=COLOURS[place], marker="o", markersize=4, capsize=2, linewidth=1.2,
            label=f"against {name}, 95 %",
        )  # fmt: skip
    axes.axhline(fair, color=INK, linewidth=1.0, linestyle="--", label="fair share")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _draw_pool(axes: Axes, table: pl.DataFrame, fair: float) -> None:
    axes.set_title("Games of the search: the mean in one seat, the pool in all others")
    rows = table.filter(pl.col("share").is_not_null())
    at, share, error = (rows[name].to_numpy() for name in ("generation", "share", "error"))
    axes.fill_between(at, share - error, share + error, color=COLOURS[0], alpha=0.25, linewidth=0)
    axes.plot(at, share, color=COLOURS[0], linewidth=1.2, label="the mean ± 1 s.e.")
    axes.axhline(fair, color=INK, linewidth=1.0, linestyle="--")
    joined = rows.filter(pl.col("joined").cast(pl.Boolean))["generation"].to_numpy()
    if len(joined):
        axes.plot(
            joined, [0.03] * len(joined), "^", color=ACCENT, markersize=5, transform=axes.get_xaxis_transform(),
            label="joins the pool",
        )  # fmt: skip
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
