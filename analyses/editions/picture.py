"""The figure of the study `editions`: the games that each setting changes, and what it does to points."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture

from wallsim.report.figures.forest import MARKS, forest, places
from wallsim.report.figures.style import COLOURS, FAINT, INK, styled
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures
from wallsim.studies.outcomes import POINTS
from wallsim.studies.scope import Scope

from .estimates import CHANGED, LIMITS, PLAYERS, variants

_LEAST = 0.01  # per cent; a share of 0 is drawn at the left edge of the logarithmic axis


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A row a setting: left the games that change, in per cent, right the change of a seat's points, a mark a play.

    The band on the right is the limit within which a change does not matter.
    """
    changed, points, plays = [], {}, [play.name for play in scope.plays]
    for variant in variants():
        shares = figures.cells("games", f"{variant.name} {CHANGED}", players=PLAYERS)
        shown = figures.cells("points-by-play", f"{variant.name} {POINTS}", players=PLAYERS)
        changed.append({cell.play: shares[cell].value for cell in shown})
        points[f"{variant.name}{variant.star}"] = {cell.play: each for cell, each in shown.items()}
    drawn, (left, right) = plt.subplots(1, 2, figsize=(10.4, 0.36 * len(points) + 1.9), sharey=True)
    title = "Games that each setting changes, and what it does to a seat's points\n"
    title += (
        f"Tower {scope.baseline_cell().tower}, line-ups, and for A3 the draft; * with all expansions; simultaneous "
    )
    drawn.suptitle(f"{title}{LEVEL:.0%} intervals", x=0.01, ha="left", fontsize=9)
    right.axvspan(-LIMITS[POINTS], LIMITS[POINTS], color=FAINT, alpha=0.25, linewidth=0)
    forest(right, points, plays)
    for number, play in enumerate(plays):
        heights = zip(places(len(points), number, len(plays)), changed, strict=True)
        there = [(max(_LEAST, shares[play]), height) for height, shares in heights if play in shares]
        style = {"marker": MARKS[number], "color": COLOURS[number], "linestyle": "none", "markersize": 4.5}
        left.plot([share for share, _ in there], [height for _, height in there], **style)
    left.set_xscale("log")
    left.set_xlim(_LEAST * 0.8, 130)
    left.set_xticks([0.01, 0.1, 1, 10, 100], ["0", "0.1", "1", "10", "100"])
    left.set_xlabel("games that change, %")
    left.tick_params(axis="y", labelcolor=INK)
    left.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    right.set_xlabel("change of a seat's VP")
    drawn.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=len(plays))
    return drawn
