"""The figure of skill and luck: components of the variance between seats, and wins by strength gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from wallsim.analysis.tournament.skill import BOTH, CARDS, CHANCE, LINEUP, POLICY, RESULTS, SEAT, SUITS
from wallsim.report.figures.forest import Shown
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, styled
from wallsim.report.tables.estimates import in_words
from wallsim.stats.plackett_luce import win_chance

PAINTS = {
    POLICY: COLOURS[0], SUITS: COLOURS[9], LINEUP: COLOURS[1], BOTH: COLOURS[4], SEAT: COLOURS[8], CARDS: COLOURS[2],
    CHANCE: "#c9cdd2",
}  # fmt: skip
_DARK = (POLICY, CARDS)  # components whose colour is dark, so that numbers on it are white
_SEEN = 0.2  # per cent; smaller shares are invisible in a bar
_WRITTEN = 5.0  # per cent; smaller shares have no room for their number
_BESIDE = 14.0  # per cent of a bar needed for number and half-width
_GROUP = 0.6  # rows between two fields
Place = tuple[str, int]  # a field and a number of players
Shares = Mapping[str, Shown]  # in per cent, by component
Group = Mapping[str, Shown]  # of seats with similar leads, by quantity of the study `skill`


@styled
def skill_of_fields(
    shares: Mapping[str, Mapping[Place, Shares]], groups: Mapping[Place, Sequence[Group]], title: str
) -> Figure:
    """Above, one panel per result with a bar for each field and number of players; below, wins by strength gap.

    `shares` by result (of RESULTS), the same fields for each, one after the other; of `groups` two fields at most.
    """
    places = [*next(iter(shares.values()))]
    fields = [field for field, _ in places]
    heights = [row + _GROUP * (len({*fields[: row + 1]}) - 1) for row in range(len(places))]
    rows = len(places) + _GROUP * len({*fields})
    figure = plt.figure(figsize=(10.4, 1.8 + 0.27 * rows + 3.2))
    upper, lower = np.ravel(np.asarray(figure.subfigures(2, 1, height_ratios=(1.3 + 0.27 * rows, 3.2))))
    figure.suptitle(title, x=0.01, ha="left", fontsize=9.5)
    panels = upper.subplots(1, len(shares), sharey=True, squeeze=False)
    for axes, (result, bars) in zip(panels.flat, shares.items(), strict=True):
        for height, parts in zip(heights, bars.values(), strict=True):
            _draw_bar(axes, height, parts)
        axes.set_yticks(heights, [f"{field}, {players} players" for field, players in places])
        axes.set_ylim(heights[-1] + 0.6, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(0, 100)
        axes.set_title(RESULTS[result], fontsize=9.5)
        axes.set_xlabel("share of the variance among the seats of a table, %")
    there = {name for bars in shares.values() for parts in bars.values() for name in parts if parts[name].value > _SEEN}
    handles = [Rectangle((0, 0), 1, 1, color=PAINTS[name], label=name) for name in PAINTS if name in there]
    upper.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8.5)
    sizes = dict.fromkeys(players for _, players in groups)
    gaps = lower.subplots(1, len(sizes), sharey=True, squeeze=False)
    limits = [each[f"lead-at-{end}"].value for seats in groups.values() for each in seats for end in ("least", "most")]
    room = 0.05 * max(max(limits) - min(limits), 0.5)
    reach = np.linspace(min(limits) - room, max(limits) + room, 200)
    for axes, size in zip(gaps.flat, sizes, strict=True):
        _draw_gaps(axes, size, {field: each for (field, players), each in groups.items() if players == size}, reach)
        axes.set_title(f"{size} players", fontsize=9)
    gaps[0, 0].set_ylim(bottom=0)
    gaps[0, 0].set_ylabel("share of wins, %")
    gaps[0, 0].legend(loc="upper left")
    lower.supxlabel("strength of the seat above that of the others at its table, log units", fontsize=10)
    return figure


def _draw_bar(axes: Axes, place: float, parts: Shares) -> None:
    """A bar, 100 long, with the number of each share that has room for it, and beside it the half-width if it has."""
    left, room = 0.0, sum(max(0.0, each.value) for each in parts.values())
    for name in [name for name in PAINTS if name in parts]:
        width = 100 * max(0.0, parts[name].value) / room
        axes.barh(place, width, 0.8, left=left, color=PAINTS[name], edgecolor="white", lw=0.8)
        if width > _WRITTEN:
            words, _, half = in_words(parts[name].value, parts[name].ends, 1, top=100.0, mark=" ±").partition(" ±")
            text = f"{words} ±{half}" if half and width > _BESIDE else words
            ink = "white" if name in _DARK else INK
            axes.text(left + width / 2, place, text, ha="center", va="center", fontsize=7.5, color=ink)
        left += width


def _draw_gaps(axes: Axes, players: int, fields: Mapping[str, Sequence[Group]], reach: np.ndarray) -> None:
    """The wins of each named field by strength gap, with the model's curve over `reach` and the fair share.

    A broad pale line is the interval of the curve at a group.
    """
    axes.plot(reach, 100 * win_chance(reach, players), color=COLOURS[0], linewidth=1.6, label="Plackett–Luce", zorder=2)
    axes.axhline(100 / players, color=ACCENT, linewidth=1.2, linestyle="--", label="fair share", zorder=1)
    band: str | None = "interval of the curve"
    for (name, of_field), colour, mark in zip(fields.items(), (INK, COLOURS[1]), ("o", "s"), strict=False):
        for each in of_field:
            lead, wins, curve = each["lead"].value, each["wins-by-lead"], each["wins-by-curve"].ends
            if curve is not None:
                axes.plot([lead] * 2, curve, color=COLOURS[0], linewidth=5, alpha=0.35, zorder=2, label=band)
                band = None
            if wins.ends is not None:
                reaches = [[wins.value - wins.ends[0]], [wins.ends[1] - wins.value]]
                axes.errorbar(lead, wins.value, yerr=reaches, color=colour, capsize=3, zorder=3)
            face = "white" if wins.ends is None else colour
            axes.plot(
                lead, wins.value, mark, color=colour, markersize=5, markerfacecolor=face, zorder=4,
                label=name if each is of_field[0] else None,
            )  # fmt: skip
    axes.set_xlim(reach[0], reach[-1])
    axes.grid(True, color=FAINT, alpha=0.25)
