"""Letters of a size in the units of a map, measured before they are written."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from wallsim.report.map.label_positions import Box

Style = Literal["normal", "italic"]
POINTS = 72  # in an inch
_LINES_APART = 1.12  # letter sizes from line to line, as the boxes of map.json assume
_SLACK = 0.95  # letters on a grid of pixels are wider than their outlines by some per cent
_CAPITAL = 0.73  # height of capital letters and digits, in letter sizes


@lru_cache(maxsize=1000)
def _relative_width(text: str, weight: str, style: Style) -> float:
    if not text.strip():
        return 0.0
    path = TextPath((0, 0), text, size=100, prop=FontProperties(weight=weight, style=style))
    return float(path.get_extents().width) / 100


def line_width(text: str, size: float, weight: str = "normal", style: Style = "normal") -> float:
    """The width of a line of letters of a size, in the units of that size, in matplotlib's typeface of the moment."""
    return size * _relative_width(text, weight, style)


def broken(text: str, width: float, size: float, weight: str = "normal") -> list[str]:
    """A text broken between words into lines of at most a width, unless a single word is wider; [] for no text."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and line_width(longer, size, weight) <= _SLACK * width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def write(axes: Axes, box: Box, lines: tuple[str, ...], size: float, points_per_unit: float, **look: Any) -> None:
    """Write lines of letters into the middle of a box; `size` in units of the axes, `look` as for `Axes.text`.

    Each line is a text of its own, set on its baseline, so that accents and descenders do not move it.
    """
    for number, line in enumerate(lines):
        middle = box.y + size * _LINES_APART * ((len(lines) - 1) / 2 - number)
        axes.text(
            box.x, middle - _CAPITAL * size / 2, line, ha="center", va="baseline", fontsize=size * points_per_unit,
            parse_math=False, zorder=5, **look,
        )  # fmt: skip
