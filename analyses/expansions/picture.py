"""The figure of the study `expansions`: main effects and interactions on points and spread, and which styles gain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, half_width, styled
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

_MARKS = ("o", "s", "^", "D", "v", "P")
_COLOURS = (COLOURS[9], ACCENT, INK)  # of the expansions, unlike those of the plays
_GAP = 0.13  # of a row between the marks of one row
Rows = Mapping[str, Mapping[str, Measured]]


@styled
def expansions_at_a_glance(
    panels: Mapping[str, Rows],
    plays: Sequence[str],
    styles: Rows,
    sure: Confidence,
    sure_of_styles: Confidence,
    title: str = "",
) -> Figure:
    """A panel an outcome with a row an effect and a mark a play; at the right a row a style and a mark an expansion.

    `panels` has the effects by outcome, name of the effect and play, `styles` the effects on the share of wins, in
    percentage points, by style and expansion.
    """
    figure, axes = plt.subplots(1, len(panels) + 1, figsize=(3.7 * (len(panels) + 1) + 0.6, 5.4))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    for number, (outcome, rows) in enumerate(panels.items()):
        _draw(axes[number], rows, plays, sure, COLOURS)
        axes[number].set_xlabel(f"effect on {outcome}")
        if number:
            axes[number].tick_params(labelleft=False)
    _draw(axes[-1], styles, list(next(iter(styles.values()))), sure_of_styles, _COLOURS)
    axes[-1].set_xlabel("effect on wins of a style, % points")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=len(plays))
    axes[-1].legend(
        loc="lower right", bbox_to_anchor=(1.02, 1.0), ncols=3, columnspacing=0.8, handletextpad=0.2, borderaxespad=0.0
    )
    return figure


def _draw(axes: Axes, rows: Rows, names: Sequence[str], sure: Confidence, colours: Sequence[Any]) -> None:
    axes.axvline(0, color=FAINT, linewidth=0.8)
    for number, name in enumerate(names):
        shift = _GAP * (number - (len(names) - 1) / 2)
        axes.errorbar(
            [each[name].value for each in rows.values()], [place + shift for place in range(len(rows))],
            xerr=[half_width(each[name], sure) for each in rows.values()], label=name, linestyle="none",
            marker=_MARKS[number], color=colours[number], markersize=4.5, capsize=1.5,
            elinewidth=0.9,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), list(rows))
    axes.tick_params(axis="y", labelcolor=INK)
    axes.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    axes.invert_yaxis()
