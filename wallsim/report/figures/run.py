"""Figures of a run. Each function takes aggregated numbers, draws on the given or on new axes, and returns the axes."""

from __future__ import annotations

import polars as pl
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from wallsim.analysis.games.summary import SeatFinding, Summary
from wallsim.report.figures.style import ACCENT, COLOURS, draw_estimate, new_axes, styled, with_settings
from wallsim.report.tables.estimates import how_many, share, share_ends

_IN_ROUNDS = "R"  # the label of the bar of points gained in rounds, not in winters


@styled
def win_shares(summary: Summary, axes: Axes | None = None) -> Axes:
    """The share of wins of each seat with its interval (simultaneous for all seats), and the fair share as a line.

    With too few games for intervals only the points are drawn.
    """
    if axes is None:
        axes = new_axes(width=7.2, height=1.3 + 0.5 * len(summary.seats))
        # In the centre, where matplotlib puts another title that is set later, in place of this one.
        title = f"Who wins: {how_many(summary.games, 'game')} of {len(summary.seats)} players"
        axes.set_title(with_settings(title, summary.settings, width=7.2), loc="center")
    places = range(len(summary.seats))
    axes.axvline(100 * summary.fair, color=ACCENT, linewidth=1.2, linestyle="--", zorder=1)
    axes.annotate(  # inside the axes, where no title that is set later can overprint it
        f"fair share {100 * summary.fair:.3g} %", (100 * summary.fair, 1), (4, -2), color=ACCENT, fontsize=9,
        xycoords=("data", "axes fraction"), textcoords="offset points", ha="left", va="top",
    )  # fmt: skip
    for place, finding in zip(places, summary.seats, strict=True):
        wins, label = 100 * finding.share, f"{share(finding.share)} %"
        interval = None
        if finding.share_interval is not None:
            low, high = (100 * end for end in finding.share_interval)
            interval = low, high
            label = f"{share(finding.share)} ({share_ends(finding.share_interval, between='–')})"
        draw_estimate(axes, place, wins, interval, caps=4, hollow=False)
        axes.annotate(  # beside the axes, where no line crosses it
            label, (1, place), (8, 0), xycoords=("axes fraction", "data"), textcoords="offset points", va="center",
            fontsize=9,
        )  # fmt: skip
    axes.set_yticks(list(places), [_seat_label(finding) for finding in summary.seats])
    axes.set_ylim(len(summary.seats) - 0.5, -0.9)
    axes.set_xlim(0, 125 * max(summary.fair, *(finding.share for finding in summary.seats)))
    axes.set_xlabel(f"share of wins, % (simultaneous {summary.level:.0%} intervals)")
    return axes


@styled
def points_by_source(points: pl.DataFrame, axes: Axes | None = None) -> Axes:
    """Mean victory points by source, stacked; two bars per player, one for each winter.

    `points`: columns player, year, source, vp, as `points_by_source` returns them. Where expansions bring points
    outside the winters (year is null) there is a third bar for them.
    """
    axes = axes or new_axes(height=3.8)
    players = points["player"].unique(maintain_order=True).to_list()
    years = points["year"].unique(maintain_order=True).to_list()
    sources = points["source"].unique(maintain_order=True).to_list()
    step = len(years) + 0.5
    places = {(player, year): step * k + place for k, player in enumerate(players) for place, year in enumerate(years)}
    height = dict.fromkeys(places, 0.0)
    for colour, source in zip(COLOURS, sources, strict=False):
        for row in points.filter(pl.col("source") == source).iter_rows(named=True):
            bar = (row["player"], row["year"])
            axes.bar(places[bar], row["vp"], 0.92, bottom=height[bar], color=colour, edgecolor="white", linewidth=0.6)
            height[bar] += row["vp"]
    size = 8 if len(places) <= 12 else 6  # so that neighbouring numbers do not touch
    for bar, top in height.items():
        axes.annotate(f"{top:.1f}", (places[bar], top), (0, 2), textcoords="offset points", ha="center", fontsize=size)
    axes.set_xticks(
        list(places.values()), [_IN_ROUNDS if year is None else str(year) for _, year in places], fontsize=8
    )
    names = [player if " " in player else f"line-up {player}" for player in players]
    middle = (len(years) - 1) / 2
    axes.xaxis.remove_overlapping_locs = False  # with three bars a player's name is below the tick of the second
    axes.set_xticks([step * k + middle for k in range(len(players))], [f"\n{name}" for name in names], minor=True)
    axes.tick_params(axis="x", which="both", length=0)
    axes.set_xlabel("winters of year 1 and 2" + (f"; {_IN_ROUNDS}: in the rounds of both" if None in years else ""))
    axes.set_ylabel("mean victory points")
    patches = [Patch(color=colour, label=source) for colour, source in zip(COLOURS, sources, strict=False)]
    axes.legend(handles=patches[::-1], loc="center left", bbox_to_anchor=(1, 0.5))
    return axes


@styled
def shares_by_group(shares: pl.DataFrame, fair: float, label: str, axes: Axes | None = None) -> Axes:
    """A mean with its interval for each group, in per cent, and a line at the fair share.

    `shares`: columns group, mean, low, high, as `wallsim.stats.group_means.mean_by_group` returns them; groups
    without an interval are drawn hollow. `label` says what the groups are.
    """
    axes = axes or new_axes()
    names = [str(group) for group in shares["group"]]
    axes.axhline(100 * fair, color=ACCENT, linewidth=1.2, linestyle="--", zorder=1)
    for place, row in enumerate(shares.iter_rows(named=True)):
        interval = None if row["low"] is None else (100 * row["low"], 100 * row["high"])
        draw_estimate(axes, place, 100 * row["mean"], interval, upright=True, caps=4)
    axes.annotate(
        f"fair share\n{100 * fair:.3g} %", (1, 100 * fair), (6, 0), xycoords=("axes fraction", "data"),
        textcoords="offset points", ha="left", va="center", color=ACCENT, fontsize=9,
    )  # fmt: skip
    axes.set_xticks(range(len(names)), names)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(label)
    axes.set_ylabel("share of wins, %")
    return axes


def _seat_label(finding: SeatFinding) -> str:
    start = f"line-up {finding.lineup}" if finding.lineup else f"seat {finding.seat}"
    detail = f"seat {finding.seat}, {finding.policy}" if finding.lineup else finding.policy
    return f"{start}\n({detail})"
