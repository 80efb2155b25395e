"""The figure of the study `expansions`: main effects and interactions on points and spread, and which styles gain."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture

from wallsim.report.figures.forest import forest
from wallsim.report.figures.style import ACCENT, COLOURS, INK, styled
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures
from wallsim.studies.scope import Scope

from .effects import DRAWN, EFFECTS, PLAYERS, name_of_effect, plays_cells
from .skill import FIELDS, ZOO

_COLOURS = (COLOURS[9], ACCENT, INK)  # of the expansions, unlike those of the plays


@styled
def picture(figures: Figures, scope: Scope) -> Picture:
    """A panel an outcome with a row an effect and a mark a play; at the right a row a style and a mark an expansion."""
    nowhere, plays = scope.baseline_cell()._replace(play=""), [play.name for play in scope.plays]
    drawn, axes = plt.subplots(1, len(DRAWN) + 1, figsize=(3.7 * (len(DRAWN) + 1) + 0.6, 5.4))
    title = "What each expansion changes: points, their spread, and the wins of styles\n"
    title += f"Tower {nowhere.tower}, line-ups; strong: tuned with all three; {LEVEL:.0%} intervals, simultaneous for "
    drawn.suptitle(f"{title}effects and for styles", x=0.01, ha="left", fontsize=9)
    for number, outcome in enumerate(DRAWN):
        rows = {name: {cell.play: figures.of("picture", f"{name} {outcome}", players=PLAYERS, cell=cell)
                       for cell in plays_cells(scope)} for name in map(name_of_effect, EFFECTS)}  # fmt: skip
        forest(axes[number], rows, plays)
        axes[number].set_xlabel(f"effect on {outcome}")
        if number:
            axes[number].tick_params(labelleft=False)
    styles = {style: {name: figures.of("picture-of-wins", f"{ZOO} {style} {name}", players=PLAYERS, cell=nowhere)
                      for name in EXPANSIONS} for style in FIELDS[ZOO]}  # fmt: skip
    forest(axes[-1], styles, EXPANSIONS, _COLOURS)
    axes[-1].set_xlabel("effect on wins of a style, % points")
    drawn.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=len(plays))
    axes[-1].legend(
        loc="lower right", bbox_to_anchor=(1.02, 1.0), ncols=3, columnspacing=0.8, handletextpad=0.2, borderaxespad=0.0
    )
    return drawn
