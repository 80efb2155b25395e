"""The figure of the study `lineups`: wins by line-up as printed and with each adjustment, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from wallsim.report.figures.style import COLOURS, FAINT, INK, styled

_MARKS = ("o", "^", "D", "v")
_SHIFT = 0.7  # of a line-up's room, for the marks of its plays
_LINE = 18  # letters of a version in one line of a title


class Panel(NamedTuple):
    """One version of the line-ups: by line-up, then by play and tower, the wins in per cent."""

    title: str
    wins: Mapping[str, Mapping[tuple[str, str], float]]


@styled
def wins_by_version(
    rows: Sequence[Sequence[Panel]], plays: Sequence[str], towers: Sequence[str], near: float, title: str = ""
) -> Figure:
    """A row a number of players, a column a version; a mark for each play (colour) and tower (shape).

    The band is the fair share with `near` percentage points on either side.
    """
    size = len(rows), len(rows[0])
    figure, grid = plt.subplots(*size, figsize=(2.15 * size[1] + 0.6, 2.5 * size[0] + 1.1), sharey="row", squeeze=False)
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    for panels, row in zip(rows, grid, strict=True):
        for axes, panel in zip(row, panels, strict=True):
            fair = 100 / len(panel.wins)
            axes.axhspan(fair - near, fair + near, color=FAINT, alpha=0.3, linewidth=0)
            for place, cells in enumerate(panel.wins.values()):
                for (play, tower), wins in cells.items():
                    shift = _SHIFT / len(plays) * (plays.index(play) - (len(plays) - 1) / 2)
                    axes.plot(
                        place + shift, wins, marker=_MARKS[towers.index(tower)], color=COLOURS[plays.index(play)],
                        markersize=4, linestyle="none", alpha=0.85,
                    )  # fmt: skip
            axes.set_xticks(range(len(panel.wins)), list(panel.wins))
            axes.set_xlim(-0.5, len(panel.wins) - 0.5)
            axes.set_ylim(bottom=0)
            first, _, others = panel.title.partition(", ")
            axes.set_title("\n".join([first, *wrap(others, _LINE, break_on_hyphens=False)]), fontsize=8.5)
        row[0].set_ylabel("wins, %")
    handles = [
        Line2D([], [], marker="s", color=COLOURS[at], linestyle="none", label=name) for at, name in enumerate(plays)
    ]
    handles += [
        Line2D([], [], marker=_MARKS[at], color=INK, linestyle="none", markersize=4, label=f"tower {name}")
        for at, name in enumerate(towers)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 8))
    return figure
