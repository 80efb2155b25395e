"""The figure of the study `editions`: the games that each setting changes, and what it does to points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from wallsim.report.figures.forest import MARKS, Shown, forest, places
from wallsim.report.figures.style import COLOURS, FAINT, INK, styled

_LEAST = 0.01  # per cent; a share of 0 is drawn at the left edge of the logarithmic axis


@styled
def switches_at_a_glance(
    changed: Mapping[str, Mapping[str, float]],
    points: Mapping[str, Mapping[str, Shown]],
    plays: Sequence[str],
    limit: float,
    title: str = "",
) -> Figure:
    """A row a setting: left the games that change, in per cent, right the change of a seat's points, a mark a play.

    The band on the right is the limit within which a change does not matter.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.4, 0.36 * len(points) + 1.9), sharey=True)
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    right.axvspan(-limit, limit, color=FAINT, alpha=0.25, linewidth=0)
    forest(right, points, plays)
    for number, play in enumerate(plays):
        heights = zip(places(len(changed), number, len(plays)), changed.values(), strict=True)
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
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=len(plays))
    return figure
