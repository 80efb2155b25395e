"""The figure of the study `robustness`: every claim in every cell, as a square of one of three colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from wallsim.report.figures.style import INK, styled

SIDES = {
    "fails": "#c8553d",
    "open": "#f0e2b6",
    "holds": "#4f8fc0",
}  # apart in light and dark, and for colour-blind eyes
_UNJUDGED = "#ffffff"
_LONGEST = 92  # letters of a claim


class Row(NamedTuple):
    """A claim: its study, its words, and its side in each column; empty where it is not judged."""

    study: str
    words: str
    sides: Sequence[str]


@styled
def verdicts_at_a_glance(rows: Sequence[Row], pools: Sequence[str], setups: Sequence[str], title: str = "") -> Figure:
    """A row a claim, a column a cell: first by pool, in it by set-up, in that by tower."""
    known = {side: number for number, side in enumerate(SIDES)}
    matrix = np.array([[known.get(side, np.nan) for side in row.sides] for row in rows], float)
    columns = matrix.shape[1]
    figure, axes = plt.subplots(figsize=(13.0, 0.2 * len(rows) + 1.9))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9)
    shades = ListedColormap(list(SIDES.values())).with_extremes(bad=_UNJUDGED)
    axes.imshow(np.ma.masked_invalid(matrix), cmap=shades, vmin=-0.5, vmax=2.5, aspect="auto", interpolation="nearest")
    whole, part = columns / len(pools), columns / len(pools) / len(setups)
    axes.set_xticks(
        [part * (place + 0.5) - 0.5 for place in range(len(pools) * len(setups))], [*setups] * len(pools),
        fontsize=7.5, rotation=0,
    )  # fmt: skip
    axes.tick_params(length=0)
    above = axes.secondary_xaxis("top")
    above.set_xticks([whole * (place + 0.5) - 0.5 for place in range(len(pools))], [_wrapped(pool) for pool in pools])
    above.tick_params(length=0)
    above.spines["top"].set_visible(False)
    for place in range(len(pools) * len(setups) + 1):
        edge = place % len(setups) == 0
        axes.axvline(part * place - 0.5, color=INK if edge else "#ffffff", linewidth=1.2 if edge else 1.0)
    studies = [row.study for row in rows]
    for place in range(1, len(rows)):
        if studies[place] != studies[place - 1]:
            axes.axhline(place - 0.5, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [f"{row.study}: {_shortened(row.words)}" for row in rows], fontsize=7.5)
    for side in axes.spines.values():
        side.set_visible(False)
    marks = [Patch(facecolor=colour, edgecolor=INK, linewidth=0.4, label=side) for side, colour in SIDES.items()]
    marks.append(Patch(facecolor=_UNJUDGED, edgecolor=INK, linewidth=0.4, label="not judged there"))
    figure.legend(handles=marks, loc="outside lower center", ncols=len(marks))
    return figure


def _shortened(words: str) -> str:
    text = words.rstrip(".")
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def _wrapped(words: str) -> str:
    return words.replace(" ", "\n", 1)
