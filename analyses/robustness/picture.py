"""The figure of the study `robustness`: every claim in every cell that judges it, in one of three colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, product
from typing import NamedTuple

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from wallsim.report.figures.style import INK, styled

Place = tuple[str, str]  # a pool and a set-up, as they are labelled
# Apart in light and dark, and for colour-blind eyes.
COLOURS = {"fails": "#c8553d", "open": "#f0e2b6", "holds": "#4f8fc0"}
_LONGEST = 92  # letters of a claim


class Row(NamedTuple):
    """A claim: its study, its words, and the sides of its cells by pool and set-up, in the order of the towers."""

    study: str
    words: str
    sides: Mapping[Place, Sequence[str]]

    @property
    def label(self) -> str:
        """Study and claim, shortened."""
        text = self.words.rstrip(".")
        return f"{self.study}: {text if len(text) <= _LONGEST else f'{text[: _LONGEST - 1].rstrip()}…'}"


@styled
def verdicts_at_a_glance(rows: Sequence[Row], pools: Sequence[str], setups: Sequence[str], title: str = "") -> Figure:
    """A row a claim, a column a pool and a set-up: the cells that a claim has there divide the column evenly."""
    figure, axes = plt.subplots(figsize=(13.0, 0.2 * len(rows) + 1.9))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    columns = list(product(pools, setups))
    drawn = [
        (row, column + place / len(sides), 1 / len(sides), COLOURS[side])
        for row, claim in enumerate(rows)
        for column, sides in enumerate(claim.sides.get(each, ()) for each in columns)
        for place, side in enumerate(sides)
    ]
    heights, lefts, widths, colours = zip(*drawn, strict=True)
    axes.barh(heights, widths, 1.0, lefts, color=colours, edgecolor="#ffffff", linewidth=0.4, align="center")
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks([place + 0.5 for place in range(len(columns))], [*setups] * len(pools), fontsize=7.5, rotation=0)
    axes.tick_params(length=0)
    above = axes.secondary_xaxis("top")
    middles = [len(setups) * (place + 0.5) for place in range(len(pools))]
    above.set_xticks(middles, [pool.replace(" ", "\n", 1) for pool in pools])
    above.tick_params(length=0)
    above.spines["top"].set_visible(False)
    for place in range(0, len(columns) + 1, len(setups)):
        axes.axvline(place, color=INK, linewidth=1.2)
    end = 0
    for _, of_study in groupby(rows, lambda row: row.study):
        end += len(list(of_study))
        if end < len(rows):
            axes.axhline(end - 0.5, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [row.label for row in rows], fontsize=7.5)
    for side in axes.spines.values():
        side.set_visible(False)
    marks = [Patch(facecolor=colour, edgecolor=INK, linewidth=0.4, label=label)
             for label, colour in {**COLOURS, "not judged there": "#ffffff"}.items()]  # fmt: skip
    figure.legend(handles=marks, loc="outside lower center", ncols=len(marks))
    return figure
