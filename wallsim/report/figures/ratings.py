"""Figures of a tournament: the ladder and the pay-off matrix."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from wallsim.analysis.tournament.payoffs import Cycle, Payoffs
from wallsim.analysis.tournament.ratings import Ratings
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, draw_estimate, draw_heading, styled
from wallsim.report.tables.estimates import how_many, share
from wallsim.stats.plackett_luce import win_chance

_ROW = 0.3  # inches per policy
_CHANCES = (1, 2, 5, 10, 15, 20, 25, 33, 40, 50, 60, 70, 80, 90, 95, 98, 99)  # per cent, marked where they fit
_ROOM = 0.055  # the least distance between two marks, as a share of the axis
_MAX_CYCLES = 6  # named in the figure
_DIVERGING = LinearSegmentedColormap.from_list("before", [COLOURS[3], "white", COLOURS[0]])


@styled
def ladder(ratings: Ratings, settings: str = "") -> Figure:
    """One row per policy, the strongest on top: strength with its interval, and the chance to win that it implies.

    `settings` is a line of the title on what is not the default.

    The upper axis shows the chance to win at a table whose other policies are all of average strength; the dashed line
    is the mean of the policies that results bound on both sides, at the fair share. A strength without an interval is
    hollow; a strength that results bound on one side only has an arrow. The title names the sample and the method of
    the intervals.
    """
    count, size = len(ratings.ladder), round(1 / ratings.fair)
    figure, axes = plt.subplots(figsize=(7.4, 1.9 + _ROW * count))
    ends = [end for rating in ratings.ladder for end in (rating.interval or (rating.strength,))]
    room = 0.06 * max(max(ends) - min(ends), 0.5)
    axes.set_xlim(min(*ends, 0) - room, max(*ends, 0) + room)
    for place, rating in enumerate(ratings.ladder):
        if rating.open:
            tip = rating.strength + room * (0.9 if rating.open == "upwards" else -0.9)
            arrow = {"arrowstyle": "->", "color": INK}
            axes.annotate("", (tip, place), (rating.strength, place), arrowprops=arrow)
        draw_estimate(axes, place, rating.strength, rating.interval, size=5)
    axes.axvline(0, color=ACCENT, linewidth=1.2, linestyle="--", zorder=1)
    axes.set_yticks(range(count), ratings.policies)
    axes.set_ylim(count - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(True, color=FAINT, alpha=0.25)
    arrows = any(rating.open for rating in ratings.ladder)
    zero = "the mean of those without an arrow" if arrows else "the average policy"
    axes.set_xlabel(f"strength, log units (0: {zero})")
    above = axes.twiny()
    above.spines["top"].set_visible(True)
    above.set_xlim(axes.get_xlim())
    places = _chance_marks(size, axes)
    above.set_xticks(list(places.values()), [f"{chance:.3g}" for chance in places])
    above.set_xlabel(f"chance to win at a table of {size} with average opponents, % (dashed: fair share)")
    lines = [f"Ladder of {count} policies: {_basis(ratings)}", *filter(None, [settings]), _precision(ratings)]
    if arrows:
        lines.append("Arrow: the games do not bound that strength; the position of the point is a convention.")
    draw_heading(figure, lines, 9.5)
    return figure


@styled
def payoff_heatmap(payoffs: Payoffs, ratings: Ratings, cycles: Sequence[Cycle] = (), settings: str = "") -> Figure:
    """How often, in per cent, the policy of a row finishes before that of a column at one table; white is even.

    Rows and columns are in the order of `payoffs`, which must be the ladder's. Bold numbers have an interval that
    excludes 50. Bold cells that contradict the ladder are framed: those below 50 above the diagonal, and those above 50
    below it. Cells of `cycles` have a dot, and the title names the cycles. `settings` is a line of the title on what is
    not the default.
    """
    count = len(payoffs.policies)
    size = 2.6 + 0.44 * count
    figure, axes = plt.subplots(figsize=(max(6.6, size + 0.7), size))
    shares = 100 * payoffs.before
    spread = max(10.0, float(np.nanmax(np.abs(shares - 50))) if (payoffs.games > 0).any() else 10.0)
    image = axes.imshow(shares, cmap=_DIVERGING, vmin=50 - spread, vmax=50 + spread)
    ringed = {
        (payoffs.policies.index(one), payoffs.policies.index(other))
        for cycle in cycles
        for one, other in zip(cycle.policies, (*cycle.policies[1:], cycle.policies[0]), strict=True)
    }
    known = payoffs.beats | payoffs.beats.T
    for i in range(count):
        for j in range(count):
            if i == j:
                axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="#e6e8ea", linewidth=0))
                continue
            if not payoffs.games[i, j]:
                axes.text(j, i, "–", ha="center", va="center", color=FAINT, fontsize=8.5)
                continue
            deep = abs(shares[i, j] - 50) > 0.7 * spread
            axes.text(
                j, i, share(float(payoffs.before[i, j]), 0), ha="center", va="center", fontsize=8.5,
                color="white" if deep else INK, fontweight="bold" if known[i, j] else "normal",
            )  # fmt: skip
            if known[i, j] and (shares[i, j] > 50) == (i > j):
                axes.add_patch(Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, fill=False, edgecolor=INK, linewidth=1.5))
            if (i, j) in ringed:
                axes.plot(j + 0.33, i - 0.33, "o", color=INK, markersize=3.5)
    axes.set_xticks(range(count), payoffs.policies, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(count), [f"{name}  {place}" for place, name in enumerate(payoffs.policies, 1)])
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_ylabel("finishes before the column")
    bar = figure.colorbar(image, ax=axes, shrink=0.6, aspect=25)
    bar.set_label("finishes before, % (50: even)")
    bar.outline.set_visible(False)
    met = payoffs.games[np.triu(payoffs.games > 0, 1)]
    each = f"{met.min():,}" if met.min() == met.max() else f"{met.min():,} to {met.max():,}"
    lines = [f"Who finishes before whom, in per cent, by rank on the ladder: {_basis(ratings)}, {each} per pair"]
    lines += filter(None, [settings])
    has_intervals = np.isfinite(payoffs.before_low).any()
    if has_intervals:
        whose = (
            f"simultaneous {payoffs.level:.0%} interval of {payoffs.pairs} pairs"
            if payoffs.pairs > 1
            else f"{payoffs.level:.0%} interval"
        )
        lines.append(f"Bold: the {whose}, over blocks, excludes 50. Framed: bold, and contradicts the ladder.")
    else:
        lines.append("Too few blocks for intervals.")
    if cycles:
        named = "; ".join(" > ".join((*cycle.policies, cycle.policies[0])) for cycle in cycles[:_MAX_CYCLES])
        more = f"; and {len(cycles) - _MAX_CYCLES} more" if len(cycles) > _MAX_CYCLES else ""
        lines.append(f"Dots: cycles of three, {named}{more}.")
    elif has_intervals and count > 2:
        lines.append("No cycle of three policies is confirmed by these intervals.")
    draw_heading(figure, lines, 9.5)
    return figure


def _chance_marks(players: int, axes: Axes) -> dict[float, float]:
    """Chances in per cent that fit above the axis, each with its strength; the fair share comes first."""
    low, high = axes.get_xlim()
    marks: dict[float, float] = {}
    for chance in sorted(_CHANCES, key=lambda each: (abs(each - 100 / players) > 1, abs(each - 100 / players))):
        exact = 100 / players if abs(chance - 100 / players) <= 1 else chance
        place = float(np.log(exact / 100 * (players - 1) / (1 - exact / 100)))
        assert abs(100 * win_chance(place, players) - exact) < 1e-6
        if low <= place <= high and all(abs(place - other) > _ROOM * (high - low) for other in marks.values()):
            marks[exact] = place
    return marks


def _basis(ratings: Ratings) -> str:
    sizes = " and ".join(map(str, ratings.players))
    return f"{how_many(ratings.games, 'game')} of {sizes} players in {how_many(ratings.blocks, 'block')}"


def _precision(ratings: Ratings) -> str:
    if ratings.blocks < ratings.confidence.min_blocks:
        return f"Too few blocks for intervals: they need at least {ratings.confidence.min_blocks}."
    return (
        f"Simultaneous {ratings.level:.0%} intervals of all policies, by {ratings.resamples:,} bootstrap resamples of "
        f"the blocks (seed {ratings.seed})."
    )
