"""The pictures of the study `draft`, drawn from the register: maps of worths, and the pick table to print.

Each is for one kind of table, since a mean of casual and experienced players is advice for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from statistics import fmean
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure as Picture
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.figures.county_map import county_map
from wallsim.report.figures.county_scale import Scale, ink_on
from wallsim.report.figures.style import FAINT, INK, save_picture, styled
from wallsim.report.figures.text_size import POINTS, broken
from wallsim.report.tables.estimates import number
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figures

from .cells import PLAYERS, Scope
from .deals import NEIGHBOURS
from .figures import NEIGHBOUR, ground_of, worths_of

A4 = (210 / 25.4, 297 / 25.4)  # inches
_MARGIN, _GAP = 0.6, 0.5  # inches
_ROW, _LETTERS, _HEAD = 0.235, 10, 12  # inches, points, points
_COLUMNS = 2
_PATCH = 0.62  # inches


class Pick(NamedTuple):
    """A county on the sheet: its name and worth, and whether it is known to lie on its side in every play."""

    name: str
    worth: float
    sure: bool


def picture(figures: Figures, scope: Scope) -> Picture:
    """The map of the counties, coloured by worth to experienced players; in a quick look to those there are."""
    return _map(figures, scope, list(scope.players)[-1])


def _map(figures: Figures, scope: Scope, players: str) -> Picture:
    worths = [worths_of(figures, scope, play) for play in scope.players[players]]
    errors = [each[name].error for name in worths[0] for each in worths]
    lines = f"mean of the {len(worths)} lines of strong play, " if len(worths) > 1 else ""
    return county_map(
        {name: fmean(each[name].value for each in worths) for name in worths[0]},
        title=f"What each county is worth to {players} who draft",
        unit="VP of its owner above the table's mean, against the mean county",
        note=f"{PLAYERS} players, counties dealt at random, {scope.deals:,} games for each play and tower "
        f"({', '.join(scope.towers)}); {lines}standard errors about {number(fmean(errors), 2)}.",
        scale="diverging", numbers=True,
    )  # fmt: skip


@styled  # PDF, too, is written by settings
def files(figures: Figures, scope: Scope) -> Mapping[str, bytes]:
    """The pick tables to print, as PDF with a page for each group of players, and the map of the first group."""
    printed, shown = BytesIO(), BytesIO()
    with PdfPages(printed, metadata={"CreationDate": None}) as pages:
        for players in scope.players:
            page = sheet(figures, scope, players)
            pages.savefig(page)
            plt.close(page)
    save_picture(_map(figures, scope, next(iter(scope.players))), shown, colours="shades")
    return {"picks.pdf": printed.getvalue(), "casual.png": shown.getvalue()}


def sheet(figures: Figures, scope: Scope, players: str) -> Picture:
    """The pick table of a group of players on one page to print."""
    plays, board = scope.players[players], ground_of(scope).board
    every = [worths_of(figures, scope, play) for play in plays]
    worths = {name: fmean(each[name].value for each in every) for name in every[0]}
    regions: dict[str, list[Pick]] = {region: [] for region in board.regions}
    for name in sorted(worths, key=lambda each: -worths[each]):
        sides = {side_of(each[name].ends) for each in every}
        region = board.regions[board.region[board.counties.index(name)]]
        regions[region].append(Pick(name, worths[name], sides in ({1}, {-1})))
    return pick_sheet(
        regions, rules_of(figures, scope, plays), f"What to pick in the draft: {players}",
        "The number beside a county says how many victory points more than the mean county it brings its owner in the "
        "end, measured against the other players and with neighbours as they usually come. Take the open card with the "
        "highest sum, or the top of the deck if both sums are below the mean of the counties that are still out.",
        f"wallsim, study `draft`: {PLAYERS} players, games of computer players ({', '.join(plays)} play) under "
        f"{len(scope.towers)} models of the tower. Bold: known to be above or below the mean county"
        f"{' in each line of play' if len(plays) > 1 else ''}. Experiment {next(iter(figures.values())).digest}, "
        f"engine version {ENGINE_VERSION}.",
    )  # fmt: skip


def rules_of(figures: Figures, scope: Scope, plays: Sequence[str]) -> list[tuple[str, float]]:
    """What to add to a county's worth at the table, in VP, against a neighbour that is still open: the mean of plays.

    As `table_drafter.py` counts: a border costs both seats, and the worth contains the expected neighbours.
    """
    ground = ground_of(scope)
    # `sum`, as `fmean` would forget the ids of the figures.
    pair, border, region = (
        sum(figures.of(NEIGHBOUR, name, players=PLAYERS, play=play).value for play in plays) / len(plays)
        for name in NEIGHBOURS
    )
    others = len(ground.counties) - 2
    own_share, foreign_share = (ground.groups - 1) / others, ground.groups * (ground.players - 1) / others
    border *= (ground.players - 2) / (ground.players - 1)
    expected = pair * own_share + border * foreign_share
    return [
        ("for each neighbouring county that you hold", pair - expected),
        ("for each neighbouring county that another player holds", border - expected),
        ("for each county of the same region that you hold", region * (1 - own_share)),
    ]


@styled
def pick_sheet(
    regions: Mapping[str, Sequence[Pick]], rules: Sequence[tuple[str, float]], title: str, words: str, note: str
) -> Picture:
    """An A4 page: blocks of counties by region, the best first, and what to add at the table for neighbours.

    `rules` are what to add, each with its VP; `words` stand below the title and `note` at the foot.
    """
    figure = plt.figure(figsize=A4, layout="none")
    figure.add_axes((0, 0, 1, 1)).set_axis_off()  # Jupyter shows no figure without axes
    wide, high = A4
    room, top = (wide - 2 * _MARGIN) * POINTS, high - _MARGIN - 0.2
    _write(figure, _MARGIN, top, title, 16, weight="bold")
    top -= 0.36
    for line in broken(words, room, _LETTERS):
        _write(figure, _MARGIN, top, line, _LETTERS)
        top -= 0.19
    top -= 0.05
    scale = Scale([pick.worth for picks in regions.values() for pick in picks], "diverging")
    column = (wide - 2 * _MARGIN - (_COLUMNS - 1) * _GAP) / _COLUMNS
    height = (max(map(len, regions.values())) + 1) * _ROW + 0.3
    for place, head in enumerate([*regions, "At your turn, add"]):  # rules stand beside the last region, or below
        left, base = _MARGIN + place % _COLUMNS * (column + _GAP), top - place // _COLUMNS * height
        _write(figure, left, base - 0.17, head, _HEAD, weight="bold")
        ends, level = (left / A4[0], (left + column) / A4[0]), (base - 0.25) / A4[1]
        figure.add_artist(Line2D(ends, (level, level), color=INK, linewidth=0.8))
        if head in regions:
            _counties(figure, left, base, column, regions[head], scale)
        else:
            _rules(figure, left, base, column, rules)
    for place, line in enumerate(reversed(broken(note, room, 8))):
        _write(figure, _MARGIN, _MARGIN + 0.15 * place, line, 8)
    return figure


def _counties(figure: Picture, left: float, top: float, width: float, picks: Sequence[Pick], scale: Scale) -> None:
    for row, pick in enumerate(picks):
        bottom = top - 0.28 - (row + 1) * _ROW
        base, weight, colour = bottom + 0.07, "bold" if pick.sure else "normal", scale.colour(pick.worth)  # of letters
        _write(figure, left, base, pick.name, _LETTERS, weight=weight)
        figure.add_artist(Rectangle(
            ((left + width - _PATCH) / A4[0], bottom / A4[1]), _PATCH / A4[0], (_ROW - 0.02) / A4[1],
            transform=figure.transFigure, facecolor=colour, edgecolor=FAINT, linewidth=0.4,
        ))  # fmt: skip
        _write(figure, left + width - _PATCH / 2, base, number(pick.worth, 1, "+"), _LETTERS, ha="center",
               weight=weight, color=ink_on(colour))  # fmt: skip


def _rules(figure: Picture, left: float, top: float, width: float, rules: Sequence[tuple[str, float]]) -> None:
    line = top - 0.28 - _ROW + 0.07
    for words, worth in rules:
        _write(figure, left + width, line, number(worth, 1, "+"), _LETTERS, ha="right", weight="bold")
        for text in broken(words, (width - _PATCH) * POINTS, _LETTERS):
            _write(figure, left, line, text, _LETTERS)
            line -= 0.19
        line -= 0.07


def _write(figure: Picture, left: float, base: float, text: str, size: float, **look: Any) -> None:
    figure.text(left / A4[0], base / A4[1], text, fontsize=size, va="baseline", parse_math=False, **look)
