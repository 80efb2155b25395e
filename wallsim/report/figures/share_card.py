"""Picture cards for sharing, 1200 × 630: a title, and what it means."""

from __future__ import annotations

import io
from collections.abc import Sequence
from textwrap import wrap

from matplotlib.figure import Figure as Picture
from matplotlib.patches import Rectangle

from wallsim import __version__
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.figures.style import ACCENT, FAINT, INK, save_picture, styled
from wallsim.report.tables.traced import unmarked

SIZE, _DOTS, _COLOURS = (1200, 630), 100, 16  # pixels, dots an inch, colours
_TITLE, _TEXT, _SMALL = 27, 19, 13  # points
_WIDE, _NARROW = 50, 82  # letters in a line of the title and of the text
_LEFT, _TOP, _LEADING = 0.06, 0.90, 1.35


def share_card(title: str, lines: Sequence[str]) -> bytes:
    """A card as PNG, the same bytes each time: a title, paragraphs, and the version that made it."""
    drawn = io.BytesIO()
    save_picture(drawn_card(title, lines), drawn, _DOTS, _COLOURS)
    return drawn.getvalue()


@styled
def drawn_card(title: str, lines: Sequence[str]) -> Picture:
    """A card as a picture of matplotlib."""
    picture = Picture(figsize=(SIZE[0] / _DOTS, SIZE[1] / _DOTS))
    picture.set_layout_engine("none")
    picture.patch.set_facecolor("white")
    y = _put(picture, wrap(unmarked(title), _WIDE), _TOP, _TITLE, INK, "bold") - 0.05
    for line in lines:
        y = _put(picture, wrap(unmarked(line), _NARROW), y, _TEXT, INK, "normal") - 0.03
    footer = f"Wallenstein, from games of bots. wallsim {__version__}, engine version {ENGINE_VERSION}"
    _put(picture, [footer], 0.08, _SMALL, FAINT, "normal")
    bar = Rectangle((0.0, 0.0), 0.015, 1.0, transform=picture.transFigure, facecolor=ACCENT, edgecolor="none")
    picture.add_artist(bar)
    return picture


def _put(picture: Picture, lines: Sequence[str], top: float, points: int, colour: str, weight: str) -> float:
    """Write lines from a height down; returns the height below them, as a share of the card."""
    step = points * _LEADING / 72 * _DOTS / SIZE[1]
    for place, line in enumerate(lines):
        picture.text(_LEFT, top - place * step, line, fontsize=points, color=colour, fontweight=weight, va="top")
    return top - len(lines) * step
