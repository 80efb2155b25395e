"""The pick table: an A4 page of the counties by region, each with its worth, to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as Picture
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from wallsim.report.figures.county_scale import Scale, ink_on
from wallsim.report.figures.lettering import POINTS, broken
from wallsim.report.figures.style import FAINT, INK, styled
from wallsim.report.tables.estimates import number

A4 = (210 / 25.4, 297 / 25.4)  # inches
_MARGIN, _GAP = 0.6, 0.5  # inches
_ROW, _LETTERS, _HEAD = 0.235, 10, 12  # inches, points, points
_COLUMNS = 2
_PATCH = 0.62  # inches
Pick = tuple[str, float, bool]  # a county, its worth, and whether it is known to lie on its side in every play


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
    scale = Scale([worth for picks in regions.values() for _, worth, _ in picks], "diverging")
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
    for row, (name, worth, sure) in enumerate(picks):
        bottom = top - 0.28 - (row + 1) * _ROW
        base, weight, colour = bottom + 0.07, "bold" if sure else "normal", scale.colour(worth)  # of letters
        _write(figure, left, base, name, _LETTERS, weight=weight)
        figure.add_artist(Rectangle(
            ((left + width - _PATCH) / A4[0], bottom / A4[1]), _PATCH / A4[0], (_ROW - 0.02) / A4[1],
            transform=figure.transFigure, facecolor=colour, edgecolor=FAINT, linewidth=0.4,
        ))  # fmt: skip
        _write(figure, left + width - _PATCH / 2, base, number(worth, 1, "+"), _LETTERS, ha="center",
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
