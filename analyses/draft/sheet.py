"""The pick table of the study `draft` on one page, to print: the worth of every county, by region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from wallsim.report.figures.county_scale import Scale, ink_on
from wallsim.report.figures.style import FAINT, INK, styled
from wallsim.report.figures.text_size import POINTS, broken
from wallsim.report.tables.estimates import number

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


@styled
def pick_sheet(
    regions: Mapping[str, Sequence[Pick]], rules: Sequence[tuple[str, float]], title: str, words: str, note: str
) -> Figure:
    """An A4 page: blocks of counties by region, the best first, and what to add at the table for neighbours.

    `rules` are what to add, each with its VP; `words` stand below the title and `note` at the foot.
    """
    figure = plt.figure(figsize=A4, layout="none")
    figure.add_axes((0, 0, 1, 1)).set_axis_off()  # Jupyter shows no figure without axes
    wide, high = A4
    room = (wide - 2 * _MARGIN) * POINTS
    top = high - _MARGIN - 0.2
    _write(figure, _MARGIN, top, title, 16, weight="bold")
    top -= 0.36
    for line in broken(words, room, _LETTERS):
        _write(figure, _MARGIN, top, line, _LETTERS)
        top -= 0.19
    top -= 0.05
    scale = Scale([pick.worth for picks in regions.values() for pick in picks], "diverging")
    column = (wide - 2 * _MARGIN - (_COLUMNS - 1) * _GAP) / _COLUMNS
    height = (max(map(len, regions.values())) + 1) * _ROW + 0.3
    blocks = list(regions.items())
    for place, (region, picks) in enumerate(blocks):
        left = _MARGIN + place % _COLUMNS * (column + _GAP)
        _block(figure, left, top - place // _COLUMNS * height, column, region, picks, scale)
    place = len(blocks)
    _rules(
        figure, _MARGIN + place % _COLUMNS * (column + _GAP), top - place // _COLUMNS * height, column, rules
    )  # beside the last region, or below
    foot = broken(note, room, 8)
    for line_number, line in enumerate(reversed(foot)):
        _write(figure, _MARGIN, _MARGIN + 0.15 * line_number, line, 8)
    return figure


def _block(
    figure: Figure, left: float, top: float, width: float, region: str, picks: Sequence[Pick], scale: Scale
) -> None:
    _heading(figure, left, top, width, region)
    for row, pick in enumerate(picks):
        bottom = top - 0.28 - (row + 1) * _ROW
        base = bottom + 0.07  # of the letters
        weight = "bold" if pick.sure else "normal"
        _write(figure, left, base, pick.name, _LETTERS, weight=weight)
        colour = scale.colour(pick.worth)
        patch = Rectangle(
            ((left + width - _PATCH) / A4[0], bottom / A4[1]), _PATCH / A4[0], (_ROW - 0.02) / A4[1],
            transform=figure.transFigure, facecolor=colour, edgecolor=FAINT, linewidth=0.4,
        )  # fmt: skip
        figure.add_artist(patch)
        _write(
            figure, left + width - _PATCH / 2, base, number(pick.worth, 1, "+"), _LETTERS,
            ha="center", weight=weight, color=ink_on(colour),
        )  # fmt: skip


def _rules(figure: Figure, left: float, top: float, width: float, rules: Sequence[tuple[str, float]]) -> None:
    _heading(figure, left, top, width, "At your turn, add")
    line = top - 0.28 - _ROW + 0.07
    for words, worth in rules:
        _write(figure, left + width, line, number(worth, 1, "+"), _LETTERS, ha="right", weight="bold")
        for text in broken(words, (width - _PATCH) * POINTS, _LETTERS):
            _write(figure, left, line, text, _LETTERS)
            line -= 0.19
        line -= 0.07


def _heading(figure: Figure, left: float, top: float, width: float, text: str) -> None:
    _write(figure, left, top - 0.17, text, _HEAD, weight="bold")
    line = (top - 0.25) / A4[1]
    figure.add_artist(
        Line2D((left / A4[0], (left + width) / A4[0]), (line, line), color=INK, linewidth=0.8)  # in the figure
    )


def _write(figure: Figure, left: float, base: float, text: str, size: float, **look: Any) -> None:
    figure.text(left / A4[0], base / A4[1], text, fontsize=size, va="baseline", parse_math=False, **look)
