"""Figures of skill and luck: components of the variance between seats, and wins by strength gap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from wallsim.analysis.tournament.effects import BOTH, CARDS, CHANCE, LINEUP, POLICY, SEAT, SUITS
from wallsim.analysis.tournament.gaps import GapBin
from wallsim.analysis.tournament.skill import Decomposed
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK
from wallsim.report.tables.ratings import part_share
from wallsim.stats.plackett_luce import win_chance

_CHARACTERS = 12.6  # of a heading per inch
PAINTS = {
    POLICY: COLOURS[0], SUITS: COLOURS[9], LINEUP: COLOURS[1], BOTH: COLOURS[4], SEAT: COLOURS[8], CARDS: COLOURS[2],
    CHANCE: "#c9cdd2",
}  # fmt: skip
_DARK = (POLICY, CARDS)  # components whose colour is dark, so that numbers on it are white
_SEEN = 0.002  # smaller shares are invisible in a bar
_WRITTEN = 0.025  # smaller shares have no room for their number
_BESIDE = 14.0  # per cent of a compact bar needed for number and half-width


def draw_bar(axes: Axes, place: float, skill: Decomposed, *, compact: bool = False) -> None:
    """Draw the shares of one field as a bar at `place`, 100 long, with the number of each share that has room for it.

    The half-width of an interval is written below the number, numbers without room below the bar. `compact` is for
    many low bars: the half-width is written beside the number if it has room, and numbers without room are left out.
    """
    left, small = 0.0, []
    parts = {part.name: part for part in skill.parts}
    room = sum(max(0.0, part.share) for part in skill.parts)
    for name in [name for name in PAINTS if name in parts]:
        part = parts[name]
        width = 100 * max(0.0, part.share) / room
        words, _, half = part_share(part, " ±").partition(" ±")
        axes.barh(place, width, 0.8 if compact else 0.52, left=left, color=PAINTS[name], edgecolor="white", lw=0.8)
        reach = f"±{half}" if half else ""
        if width > 100 * _WRITTEN * (2 if reach or compact else 1):
            if reach and not compact:
                words += f"\n{reach}"
            elif reach and width > _BESIDE:
                words += f" {reach}"
            ink = "white" if name in _DARK else INK
            size = 7.5 if compact else 8
            axes.text(left + width / 2, place, words, ha="center", va="center", fontsize=size, color=ink)
        else:
            small.append(f"{name} {words} {reach}".strip())
        left += width
    if not compact:
        axes.text(0, place + 0.31, ", ".join(small), va="top", fontsize=8, color=INK)


def legend_of(skills: Iterable[Decomposed]) -> list[Rectangle]:
    """One patch per component that is visible in some bar, in the order of the bars."""
    there = {part.name for each in skills for part in each.parts if part.share > _SEEN}
    return [Rectangle((0, 0), 1, 1, color=PAINTS[name], label=name) for name in PAINTS if name in there]


def draw_gaps(axes: Axes, players: int, fields: Mapping[str, Sequence[GapBin]], reach: np.ndarray) -> None:
    """Draw the wins of each named field by strength gap, with the model's curve over `reach` and the fair share.

    A broad pale line is the interval of the curve at a bin.
    """
    axes.plot(reach, 100 * win_chance(reach, players), color=COLOURS[0], linewidth=1.6, label="Plackett–Luce", zorder=2)
    axes.axhline(100 / players, color=ACCENT, linewidth=1.2, linestyle="--", label="fair share", zorder=1)
    band: str | None = "interval of the curve"
    for (name, of_field), colour, mark in zip(fields.items(), (INK, COLOURS[1]), ("o", "s"), strict=False):
        for each in of_field:
            share = 100 * each.observed
            if each.expected_interval is not None:
                low, high = (100 * end for end in each.expected_interval)
                axes.plot([each.gap] * 2, [low, high], color=COLOURS[0], linewidth=5, alpha=0.35, zorder=2, label=band)
                band = None
            if each.interval is not None:
                ends = [[share - 100 * each.interval[0]], [100 * each.interval[1] - share]]
                axes.errorbar(each.gap, share, yerr=ends, color=colour, capsize=3, zorder=3)
            face = "white" if each.interval is None else colour
            axes.plot(
                each.gap, share, mark, color=colour, markersize=5, markerfacecolor=face, zorder=4,
                label=name if each is of_field[0] else None,
            )  # fmt: skip
    axes.set_xlim(reach[0], reach[-1])
    axes.grid(True, color=FAINT, alpha=0.25)
