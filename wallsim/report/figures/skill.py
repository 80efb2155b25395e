"""Figures of skill and luck: components of the variance between seats, and wins by strength gap."""

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
from wallsim.analysis.tournament.skill import RESULTS, Decomposed, Skill
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, styled
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


@styled
def shares_of_skill(skills: Sequence[Skill]) -> Figure:
    """One bar per number of players: shares of the variance between the seats of a table, skill first, chance last.

    Each share is written with the half-width of its simultaneous interval. A share below 0, possible by chance where
    there is no influence, is drawn as 0 and written below the bar with those too small for a number. ValueError
    without skills, and for several results or levels.
    """
    kinds = {(each.result, each.level) for each in skills}
    if len(kinds) != 1:
        raise ValueError(f"skills: {sorted(kinds)}; a figure shows one result and level")
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
        f"differences between seats; a component without influence has a share of 0 apart from chance)",
        f"±: simultaneous {level:.0%} intervals of the shares of a bar, by {skills[0].resamples:,} bootstrap resamples "
        f"of the blocks (seed {skills[0].seed}).{few}",
    )
    return figure


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


@styled
def wins_by_gap(bins: Mapping[int, Sequence[GapBin]], about: str, level: float = 0.95) -> Figure:
    """One panel per number of players: win share of seats by strength gap, with the model's curve and the fair share.

    `bins` by number of players, as `wallsim.analysis.tournament.gaps.win_by_gap` returns them; `about` describes the
    games. A share without an interval is hollow. ValueError without bins.
    """
    if not bins or not all(bins.values()):
        raise ValueError("bins: nothing to draw; at least one number of players with one bin is needed")
    width = {1: 6.4, 2: 8.4}.get(len(bins), 3.4 * len(bins))
    figure, panels = plt.subplots(1, len(bins), figsize=(width, 4.0), sharey=True, squeeze=False)
    ends = [edge for of_players in bins.values() for each in of_players for edge in (each.low, each.high)]
    room = 0.05 * max(max(ends) - min(ends), 0.5)
    reach = np.linspace(min(ends) - room, max(ends) + room, 200)
    for axes, (players, of_players) in zip(panels.flat, bins.items(), strict=True):
        draw_gaps(axes, players, {"observed": of_players}, reach)
        blocks = max(each.blocks for each in of_players)
        basis = f"{sum(each.seats for each in of_players):,} seats, {blocks:,} blocks"
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


def _head(figure: Figure, *lines: str) -> None:
    width = int(_CHARACTERS * figure.get_figwidth())
    figure.suptitle("\n".join(fill(line, width) for line in lines), x=0.01, ha="left", fontsize=9.5)
