"""The picture of the study `price`: victory points against Thalers, a line a moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from wallsim.report.figures.style import FAINT, INK, half_width, new_axes, styled
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import Confidence

_MARKS = ("o", "s", "^", "D", "v", "P", "X")
_SHIFT = 0.06  # of a Thaler between lines, so that bars do not hide each other


@styled
def points_by_gift(lines: Mapping[str, Sequence[tuple[int, Measured]]], sure: Confidence, title: str = "") -> Figure:
    """Victory points against Thalers given, a line a moment with its name, and the diagonal of one point a Thaler."""
    axes = new_axes(7.4, 4.6)
    doses = [dose for dose, _ in next(iter(lines.values()))]
    ends = [min(doses), max(doses)]
    axes.plot(ends, ends, linestyle="--", color=FAINT, linewidth=1.4, label="1 VP a Thaler", zorder=1)
    axes.axhline(0, color=FAINT, linewidth=0.8, zorder=1)
    shades = plt.get_cmap("viridis")
    ends_of_bars = [0.0]
    for number, (moment, points) in enumerate(lines.items()):
        colour = shades(number / max(1, len(lines) - 1) * 0.92)
        shift = _SHIFT * (number - (len(lines) - 1) / 2)
        line = sorted([(0, 0.0, 0.0), *((dose, one.value, half_width(one, sure)) for dose, one in points)])
        axes.errorbar(
            [dose + (shift if dose else 0) for dose, _, _ in line], [value for _, value, _ in line],
            yerr=[half for _, _, half in line], label=moment, color=colour, linewidth=1.4,
            marker=_MARKS[number % len(_MARKS)], markersize=5, capsize=2, elinewidth=1, zorder=2,
        )  # fmt: skip
        ends_of_bars += [value + sign * half for _, value, half in line for sign in (-1, 1)]
    axes.set_ylim(min(ends_of_bars) - 0.2, max(ends_of_bars) + 0.2)
    axes.set_xticks(sorted({0, *doses}))
    axes.set_xlabel("Thalers given")
    axes.set_ylabel("victory points at the end")
    axes.legend(loc="upper left", title="before")
    axes.set_title(title, fontsize=9, fontweight="normal", color=INK)
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure
