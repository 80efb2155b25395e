"""Figures of dice towers: cubes that fall out of a first fill, contents over a game, and chances to win a battle.

Each function takes a data frame with the column `tower` and draws one to nine towers in panels of the same scale.
Titles name the sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from wallsim.analysis.battle.states import IN_WORDS, STATES
from wallsim.analysis.tower.contents import fill_cubes
from wallsim.report.figures.style import ACCENT, COLOURS, FAINT, INK, draw_heading, styled

MAX_TOWERS = 9
_SIZE = {1: (6.4, 3.8), 2: (7.6, 3.4), 3: (9.6, 3.4)}  # inches, by panels in the first row
_ROW = 2.4  # inches per further row
_TITLE = 38  # characters per line of a panel's title
_FEW = 4  # the most towers whose rows of states have full height
_BAND = (0.1, 0.9)


@styled
def first_fills(fills: pl.DataFrame, seed: int = 1) -> Figure:
    """The distribution of the cubes that fall out at the first fill, in per cent of the fills, with mean and 80 % band.

    `fills`: columns tower, players, out, chance, fills, as `analysis.tower.fills.first_fill` returns them, one number
    of players for all. `seed` is that of simulated fills. ValueError for more players or towers.
    """
    players = fills["players"].unique().to_list()
    if len(players) != 1:
        raise ValueError(f"fills: {sorted(players)} players; a figure shows one number of players")
    parts = _by_tower(fills)
    thrown = fill_cubes(players[0])
    figure, panels = _panels(
        f"Cubes that fall out of a first fill: {players[0]} players, {thrown} cubes thrown; coloured: 80 % of fills",
        [f"{tower} ({_basis(rows['fills'][0], 'fills', seed)})" for tower, rows in parts.items()],
    )
    top = 100 * max(rows["chance"].to_numpy().max() for rows in parts.values())
    for axes, rows in zip(panels, parts.values(), strict=True):
        chances = rows["chance"].to_numpy()
        mean = float((rows["out"].to_numpy() * chances).sum())
        low, high = (int((chances.cumsum() < share - 1e-12).sum()) for share in _BAND)
        axes.bar(
            rows["out"], 100 * chances, 0.86, color=[COLOURS[0] if low <= n <= high else FAINT for n in rows["out"]]
        )
        axes.axvline(mean, color=ACCENT, linewidth=1.2, ymax=0.8)
        left = mean < thrown / 2
        axes.annotate(
            f"mean {mean:.1f}, 80 % in {low}–{high}", (mean, 1.12 * top), (-6 if left else 6, 0), fontsize=9,
            textcoords="offset points", ha="left" if left else "right", color=ACCENT,
        )  # fmt: skip
        axes.set_xlim(-0.8, thrown + 0.8)
    panels[0].set_ylim(0, 1.35 * top)
    _label(figure, "cubes that fall out", "share of fills, %")
    return figure


@styled
def contents_over_games(contents: pl.DataFrame, about: str) -> Figure:
    """Mean number of cubes inside after the first fill (0) and after each battle, with the band of 80 % of the games.

    `contents`: columns tower, battle, games, mean, low, high, as `analysis.tower.contents` returns them; `about`
    describes the games, as in "400 games of four balanced players, seed 1". ValueError for more towers.
    """
    parts = _by_tower(contents)
    heading = f"Contents of the tower over a game: mean, and band of 80 % of {about}"
    figure, panels = _panels(heading, list(parts))
    most = max(rows["high"].to_numpy().max() for rows in parts.values())
    last = max(rows["battle"].to_numpy().max() for rows in parts.values())
    for axes, rows in zip(panels, parts.values(), strict=True):
        axes.fill_between(rows["battle"], rows["low"], rows["high"], color=COLOURS[0], alpha=0.25, linewidth=0)
        axes.plot(rows["battle"], rows["mean"], color=COLOURS[0], linewidth=1.6)
        axes.plot(0, rows["mean"][0], "o", color=ACCENT, markersize=4)
        for battle, height, words, shift, colour in (
            (0, max(rows["high"][:6]), f"{rows['mean'][0]:.1f}", (-2, 5), ACCENT),
            (rows["battle"][-1], rows["mean"][-1], f"{rows['mean'][-1]:.1f}", (5, -3), INK),
        ):
            axes.annotate(words, (battle, height), shift, textcoords="offset points", fontsize=9, color=colour)
    panels[0].set_ylim(0, 1.25 * most)
    panels[0].set_xlim(-1, 1.14 * last)
    _label(figure, "battles fought since the first fill (dot), while at least half of the games go on", "cubes inside")
    return figure


@styled
def chances_to_win(odds: pl.DataFrame, seed: int = 1) -> Figure:
    """The attacker's chance to win by armies, one line per number of defenders, for a fresh, loaded and adverse tower.

    `odds`: columns tower, state, attackers, defenders, win, win_low, win_high, battles, as
    `analysis.battle.states.odds_by_state` returns them; `seed` is that of simulated battles. One row of panels per
    tower. Bars are the intervals of simulated chances. ValueError for more than nine towers.
    """
    parts = _by_tower(odds)
    height = 1.9 + (2.8 if len(parts) == 1 else 2.2 if len(parts) <= _FEW else 1.9) * len(parts)
    size = (9.6, height)
    figure, grid = plt.subplots(len(parts), len(STATES), figsize=size, sharex=True, sharey=True, squeeze=False)
    about = (
        "The attacker's chance to win a player's county without revolt markers, nothing in the tray before, in a tower"
    )
    states = [f"   {state}: {IN_WORDS[state]}" for state in STATES]
    draw_heading(figure, [about, *states, _precision(odds, seed)], 10, "   ")
    for line, (tower, rows) in zip(grid, parts.items(), strict=True):
        for axes, state in zip(line, STATES, strict=True):
            _draw_chances(axes, rows.filter(pl.col("state") == state))
            axes.set_title(fill(f"{tower}, {state}", _TITLE), fontsize=9)
        line[0].set_ylabel("chance to win, %")
    for axes in grid[-1]:
        axes.set_xlabel("attacking armies")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, title="defending armies", loc="outside lower center", ncols=len(labels))
    return figure


def _draw_chances(axes: Axes, rows: pl.DataFrame) -> None:
    for colour, ((defenders,), line) in zip(COLOURS, rows.group_by("defenders", maintain_order=True), strict=False):
        line = line.sort("attackers")
        axes.plot(
            line["attackers"], 100 * line["win"], "o-", color=colour, markersize=3, linewidth=1.3, label=defenders
        )
        if line["win_low"].null_count() == 0:
            ends = [100 * (line["win"] - line["win_low"]), 100 * (line["win_high"] - line["win"])]
            axes.errorbar(line["attackers"], 100 * line["win"], yerr=ends, fmt="none", ecolor=colour, elinewidth=1)
    axes.set_ylim(-2, 102)
    axes.set_yticks(range(0, 101, 25))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(True, axis="y", color=FAINT, alpha=0.3)


def _by_tower(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    parts = {str(tower): rows for (tower,), rows in frame.group_by("tower", maintain_order=True)}
    if not 1 <= len(parts) <= MAX_TOWERS:
        raise ValueError(f"tower: {len(parts)} towers; a figure shows 1 to {MAX_TOWERS}")
    return parts


def _basis(simulated: int | None, of: str, seed: int) -> str:
    return "exact" if simulated is None else f"{simulated:,} {of}, seed {seed}"


def _precision(odds: pl.DataFrame, seed: int) -> str:
    """Which chances are exact, how many battles were simulated for the others, and how wide their intervals are."""
    simulated = odds.filter(pl.col("battles").is_not_null())
    if simulated.is_empty():
        return "All chances are exact."
    exact = odds.filter(pl.col("battles").is_null())["tower"].unique(maintain_order=True).to_list()
    widest = 50 * (simulated["win_high"] - simulated["win_low"]).to_numpy().max()
    basis = _basis(simulated["battles"][0], "simulated battles per point", seed)
    how = f"{basis}, 95 % intervals up to ±{widest:.1f} percentage points"
    return f"Exact for {', '.join(exact)}; otherwise {how}." if exact else f"{how}."


def _panels(heading: str, titles: Sequence[str]) -> tuple[Figure, list[Axes]]:
    """A figure with one panel per title, all of the same scale; unused axes are removed."""
    columns = {1: 1, 2: 2, 4: 2}.get(len(titles), 3)
    rows = -(-len(titles) // columns)
    width, height = _SIZE[columns]
    size = (width, height + _ROW * (rows - 1))
    figure, grid = plt.subplots(rows, columns, figsize=size, sharex=True, sharey=True, squeeze=False)
    draw_heading(figure, [heading], 10, "   ")
    for axes, title in zip(grid.flat, titles, strict=False):
        axes.set_title(fill(title, _TITLE), fontsize=9)
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    for place, axes in enumerate(grid.flat):
        if place >= len(titles):
            axes.remove()
        elif place >= len(titles) - columns:
            axes.tick_params(labelbottom=True)
    return figure, list(grid.flat[: len(titles)])


def _label(figure: Figure, across: str, up: str) -> None:
    figure.supxlabel(across, fontsize=10)
    figure.supylabel(up, fontsize=10)
