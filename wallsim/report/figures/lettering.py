"""Letters on a map: measured before they are written, and numbers beside the names of their counties."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from wallsim.report.map.geometry import boxes_inside, inside

_STEP = 3.0  # units of the frame between the places that are tried
_GAP = 0.3  # of the number's height, left free between it and the name
_SIDEWAYS = 1.6  # a number in the middle below its name is easier to read than one nearer and aside


@dataclass(frozen=True)
class Box:
    """An upright rectangle by its middle, in units of the frame."""

    x: float
    y: float
    width: float
    height: float


def place_number(
    ring: np.ndarray, name: Box, width: float, height: float, margin: float = 0.0
) -> tuple[Box, Box] | None:
    """The boxes of a name and of a number of a size inside the closed line [n, 2]; None if there is no room.

    The number stands below the name where it is, or else both move so that it does, or else it stands above or beside.
    `margin` is left free between the number and the line.
    """
    grid = _grid(ring)
    gap = _GAP * height
    fits = grid[boxes_inside(grid, width + 2 * margin, height + 2 * margin, ring)]
    step = (name.height + height) / 2 + gap
    below = fits[(fits[:, 1] <= name.y - step) & (np.abs(fits[:, 0] - name.x) <= name.width / 2)]
    if len(below):
        return name, _nearest(below, name.x, name.y - step, width, height)
    above = fits + np.array([0.0, step])  # where the name stands if the number is right below it
    above = above[boxes_inside(above, name.width, name.height, ring)]
    if len(above):
        moved = _nearest(above, name.x, name.y, name.width, name.height)
        return moved, Box(moved.x, moved.y - step, width, height)
    free = fits[_apart(fits, width + 2 * gap, height + 2 * gap, name)]
    if len(free):
        return name, _nearest(free, name.x, name.y - step, width, height)
    return None


def widest_place(rings: list[np.ndarray], starts: np.ndarray, ends: np.ndarray, shape: float) -> tuple[Box, float]:
    """The largest box of a shape (width by height) inside the union of some closed lines, and its height.

    Segments from starts [n, 2] to ends [n, 2] are the boundary of the union.
    """
    points = np.concatenate(rings)
    grid = _grid(points, step=12.0)
    grid = grid[np.any([inside(grid, ring) for ring in rings], axis=0)]
    # In a plane squeezed to make the box a square, half its side is the distance to the boundary by the longer axis.
    squeeze = np.array([1 / shape, 1.0])
    step = 2.0  # so that a segment between two points cannot pass through a box unseen
    length = np.hypot(*(ends - starts).T)
    dense = np.concatenate(
        [
            a + (b - a) * np.linspace(0, 1, max(2, int(far / step) + 1))[:, None]
            for a, b, far in zip(starts, ends, length, strict=True)
        ]
    )
    away = np.full(len(grid), np.inf)
    for first in range(0, len(dense), 500):
        block = np.abs(grid[:, None] - dense[None, first : first + 500]) * squeeze
        away = np.minimum(away, block.max(axis=2).min(axis=1))
    best = int(np.argmax(away))
    height = 2 * float(away[best])
    return Box(float(grid[best, 0]), float(grid[best, 1]), shape * height, height), height


def _grid(points: np.ndarray, step: float = _STEP) -> np.ndarray:
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = (np.arange(low[axis], high[axis] + step, step) for axis in (0, 1))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _apart(centres: np.ndarray, width: float, height: float, name: Box) -> np.ndarray:
    beside = np.abs(centres[:, 0] - name.x) >= (width + name.width) / 2
    over = np.abs(centres[:, 1] - name.y) >= (height + name.height) / 2
    result: np.ndarray = beside | over
    return result


def _nearest(centres: np.ndarray, x: float, y: float, width: float, height: float) -> Box:
    """A box of a size at the centre [n, 2] nearest to a point."""
    near = centres[np.argmin(np.hypot(_SIDEWAYS * (centres[:, 0] - x), centres[:, 1] - y))]
    return Box(float(near[0]), float(near[1]), width, height)


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
