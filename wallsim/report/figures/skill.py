"""Pictures of skill and luck: what the differences between seats go back to, and wins by strength gap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from wallsim.analysis.tournament.effects import BOTH, CARDS, CHANCE, LINEUP, POLICY, SEAT, SUITS
from wallsim.analysis.tournament.gaps import GapBin
from wallsim.analysis.tournament.skill import RESULTS, Skill
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, styled
from wallsim.report.tables.ratings import part_share
from wallsim.stats.plackett_luce import win_chance

_CHARACTERS = 12.6  # of a heading, an inch
PAINTS = {
    POLICY: COLOURS[0], SUITS: COLOURS[9], LINEUP: COLOURS[1], BOTH: COLOURS[4], SEAT: COLOURS[8], CARDS: COLOURS[2],
    CHANCE: "#c9cdd2",
}  # fmt: skip
_DARK = (POLICY, CARDS)  # paints on which numbers are white
_SEEN = 0.002  # shares above it can be seen in a bar
_WRITTEN = 0.025  # shares below it have no room for their number
_BESIDE = 14.0  # per cent of a compact bar that have room for the half-width too


@styled
def shares_of_skill(skills: Sequence[Skill]) -> Figure:
    """One bar per number of players: shares of the variance among the seats of a table, skill first and chance last.

    The number of a share has half the width of its simultaneous interval after it. A share below 0, which chance can
    bring where there is no influence, is drawn as 0 and written under the bar with those too small for a number.
    ValueError without any, and for several results or levels.
    """
    kinds = {(each.result, each.level) for each in skills}
    if len(kinds) != 1:
        raise ValueError(f"skills: {sorted(kinds)}; one result and level a picture is allowed")
    (result, level) = next(iter(kinds))
    figure, axes = plt.subplots(figsize=(8.4, 1.9 + 0.95 * len(skills)))
    for place, each in enumerate(skills):
        draw_bar(axes, place, each)
    axes.set_yticks(
        range(len(skills)),
        [f"{each.players} players\n{each.games:,} games\n{each.blocks:,} blocks" for each in skills],
    )
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(skills) - 0.4, -0.45)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"share of the variance of {RESULTS[result]} among the seats of a table, %")
    handles = legend_of(skills)
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8.5)
    field = sorted({len(each.policies) for each in skills})
    few = ""
    if skills[0].blocks < skills[0].confidence.min_blocks:
        few = f" {skills[0].confidence.too_few(skills[0].blocks, 'blocks')}"
    _head(
        figure,
        f"Skill and luck in {RESULTS[result]}, in a field of {' and '.join(map(str, field))} policies (100: all "
        f"differences between seats; a share without influence is 0 but for chance)",
        f"±: simultaneous {level:.0%} intervals of the parts of a bar, by {skills[0].resamples:,} bootstrap resamples "
        f"of the blocks (seed {skills[0].seed}).{few}",
    )
    return figure


def draw_bar(axes: Axes, place: float, skill: Skill, *, compact: bool = False) -> None:
    """Draw the shares of one field as a bar at `place`, 100 long, each with its number in it where there is room.

    Half the width of an interval stands below the number, and what has no room below the bar. `compact` is for many
    bars in little height: the half-width stands beside the number where it has room, the rest is left to a table.
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


def legend_of(skills: Iterable[Skill]) -> list[Rectangle]:
    """One patch per part that some bar shows, in the order of the bars."""
    there = {part.name for each in skills for part in each.parts if part.share > _SEEN}
    return [Rectangle((0, 0), 1, 1, color=PAINTS[name], label=name) for name in PAINTS if name in there]


@styled
def wins_by_gap(bins: Mapping[int, Sequence[GapBin]], about: str, level: float = 0.95) -> Figure:
    """One panel per number of players: win share of seats by strength gap, with the model's curve and the fair share.

    `bins` by number of players, as `wallsim.analysis.tournament.gaps.win_by_gap` returns them; `about` says which
    games they are. A share without an interval is hollow. ValueError without any.
    """
    if not bins or not all(bins.values()):
        raise ValueError("bins: nothing to draw; one number of players with one bin at least is allowed")
    width = {1: 6.4, 2: 8.4}.get(len(bins), 3.4 * len(bins))
    figure, panels = plt.subplots(1, len(bins), figsize=(width, 4.0), sharey=True, squeeze=False)
    ends = [edge for found in bins.values() for each in found for edge in (each.low, each.high)]
    room = 0.05 * max(max(ends) - min(ends), 0.5)
    reach = np.linspace(min(ends) - room, max(ends) + room, 200)
    for axes, (players, found) in zip(panels.flat, bins.items(), strict=True):
        draw_gaps(axes, players, {"observed": found}, reach)
        blocks = max(each.blocks for each in found)
        basis = f"{sum(each.seats for each in found):,} seats, {blocks:,} blocks"
        axes.set_title(f"{players} players\n{basis}", fontsize=9)
    panels[0, 0].set_ylim(bottom=0)
    panels[0, 0].set_ylabel("share of wins, %")
    panels[0, 0].legend(loc="upper left")
    figure.supxlabel("strength of the seat above that of the others at its table, log units", fontsize=10)
    _head(
        figure,
        f"Wins by strength gap: {about}. Points: seats in bins, with their simultaneous {level:.0%} intervals over "
        "blocks.",
    )
    return figure


def draw_gaps(axes: Axes, players: int, fields: Mapping[str, Sequence[GapBin]], reach: np.ndarray) -> None:
    """Draw the wins of each named field by strength gap, with the model's curve over `reach` and the fair share.

    A broad pale line is the interval of the curve for the seats of a bin.
    """
    axes.plot(reach, 100 * win_chance(reach, players), color=COLOURS[0], linewidth=1.6, label="Plackett–Luce", zorder=2)
    axes.axhline(100 / players, color=ACCENT, linewidth=1.2, linestyle="--", label="fair share", zorder=1)
    band: str | None = "the curve's interval for the seats of a point"
    for (name, found), colour, mark in zip(fields.items(), (INK, COLOURS[1]), ("o", "s"), strict=False):
        for each in found:
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
                label=name if each is found[0] else None,
            )  # fmt: skip
    axes.set_xlim(reach[0], reach[-1])
    axes.grid(True, color=FAINT, alpha=0.25)


def _head(figure: Figure, *lines: str) -> None:
    width = int(_CHARACTERS * figure.get_figwidth())
    figure.suptitle("\n".join(fill(line, width) for line in lines), x=0.01, ha="left", fontsize=9.5)
