"""The figure of the study `expansions`: main effects and interactions on points and spread, and which styles gain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from wallsim.report.figures.forest import Shown, forest
from wallsim.report.figures.style import ACCENT, COLOURS, INK, styled

_COLOURS = (COLOURS[9], ACCENT, INK)  # of the expansions, unlike those of the plays
Rows = Mapping[str, Mapping[str, Shown]]


@styled
def expansions_at_a_glance(panels: Mapping[str, Rows], plays: Sequence[str], styles: Rows, title: str = "") -> Figure:
    """A panel an outcome with a row an effect and a mark a play; at the right a row a style and a mark an expansion.

    `panels` has the effects by outcome, name of the effect and play, `styles` the effects on the share of wins, in
    percentage points, by style and expansion.
    """
    figure, axes = plt.subplots(1, len(panels) + 1, figsize=(3.7 * (len(panels) + 1) + 0.6, 5.4))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    for number, (outcome, rows) in enumerate(panels.items()):
        forest(axes[number], rows, plays)
        axes[number].set_xlabel(f"effect on {outcome}")
        if number:
            axes[number].tick_params(labelleft=False)
    forest(axes[-1], styles, list(next(iter(styles.values()))), _COLOURS)
    axes[-1].set_xlabel("effect on wins of a style, % points")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=len(plays))
    axes[-1].legend(
        loc="lower right", bbox_to_anchor=(1.02, 1.0), ncols=3, columnspacing=0.8, handletextpad=0.2, borderaxespad=0.0
    )
    return figure
