"""The position of a number beside the name of its county: inside the county, without touching the name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
