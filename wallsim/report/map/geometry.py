"""Plane geometry of closed lines, boxes and segments, whose points are float64 arrays [n, 2]."""

from __future__ import annotations

import numpy as np


def area(ring: np.ndarray) -> float:
    """The signed area of a closed line of points [n, 2]; positive if it runs counter-clockwise."""
    after = np.roll(ring, -1, axis=0)
    return float(np.sum(ring[:, 0] * after[:, 1] - after[:, 0] * ring[:, 1])) / 2


def inside(points: np.ndarray, ring: np.ndarray) -> np.ndarray:
    """Which of the points [m, 2] lie inside a closed line [n, 2], as booleans [m]."""
    x, y = points[:, :1], points[:, 1:]
    start, end = ring, np.roll(ring, -1, axis=0)
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(start[:, 1] == end[:, 1], 1.0, end[:, 1] - start[:, 1])  # level sides span nothing
    left = x < start[:, 0] + (y - start[:, 1]) / rise * (end[:, 0] - start[:, 0])
    result: np.ndarray = np.sum(spans & left, axis=1) % 2 == 1
    return result


def boxes_inside(centres: np.ndarray, width: float, height: float, ring: np.ndarray) -> np.ndarray:
    """Which boxes of one size around the centres [m, 2] lie wholly inside a closed line [n, 2], as booleans [m]."""
    ends = np.roll(ring, -1, axis=0)
    result = inside(centres, ring)
    result[result] = ~boxes_touched(centres[result], width, height, ring, ends)
    return result


def boxes_touched(centres: np.ndarray, width: float, height: float, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Which boxes of one size around the centres [m, 2] a segment from starts [n, 2] to ends [n, 2] enters, [m]."""
    step = ends - starts
    still = step == 0
    divisor = np.where(still, 1.0, step)
    half = np.array([width / 2, height / 2])
    enter = np.zeros((len(centres), len(starts)))
    leave = np.ones_like(enter)
    for axis in (0, 1):
        low = centres[:, axis, None] - half[axis] - starts[None, :, axis]
        high = low + 2 * half[axis]
        first, second = low / divisor[:, axis], high / divisor[:, axis]
        apart = still[:, axis] & ((low > 0) | (high < 0))
        enter = np.where(still[:, axis], enter, np.maximum(enter, np.minimum(first, second)))
        leave = np.where(apart, -1.0, np.where(still[:, axis], leave, np.minimum(leave, np.maximum(first, second))))
    result: np.ndarray = np.any(enter <= leave, axis=1)
    return result


def distance_to(point: tuple[float, float], ring: np.ndarray) -> float:
    """The distance of a point from a closed line [n, 2]."""
    step = np.roll(ring, -1, axis=0) - ring
    to_point = np.array(point) - ring
    length = np.maximum(np.sum(step**2, axis=1), 1e-12)  # repeated points
    along = np.clip(np.sum(to_point * step, axis=1) / length, 0, 1)
    return float(np.min(np.hypot(*(to_point - along[:, None] * step).T)))


def crossings(starts: np.ndarray, ends: np.ndarray) -> list[tuple[int, int]]:
    """The pairs of segments, by number, that have a point in common other than a common end, or that overlap.

    Segments run from starts [n, 2] to ends [n, 2]. Each is compared with those that overlap it from west to east.
    """
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    order = np.argsort(low[:, 0], kind="stable")
    upto = np.searchsorted(low[order, 0], high[order, 0], side="right")
    pairs = []
    for place, one in enumerate(order):
        others = order[place + 1 : upto[place]]
        others = others[(low[others, 1] <= high[one, 1]) & (high[others, 1] >= low[one, 1])]
        if len(others):
            bad = others[_meet(starts[one], ends[one], starts[others], ends[others])]
            pairs += [(min(one, other), max(one, other)) for other in bad]
    return [(int(one), int(other)) for one, other in sorted(pairs)]


def _meet(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Whether the segment a to b [2] meets each of those from c to d [n, 2] elsewhere than in a common end."""
    s, t = _side(a, b, c), _side(a, b, d)
    u, v = _side(c, d, a), _side(c, d, b)
    cross = (np.minimum(s, t) <= 0) & (np.maximum(s, t) >= 0) & (np.minimum(u, v) <= 0) & (np.maximum(u, v) >= 0)
    common = np.zeros(len(c), dtype=bool)
    folded = np.zeros(len(c), dtype=bool)
    for tip, tail in ((a, b), (b, a)):
        for other_tip, other_tail in ((c, d), (d, c)):
            same = np.all(other_tip == tip, axis=1)
            common |= same
            onward = np.sum((tail - tip) * (other_tail - other_tip), axis=1)
            folded |= same & (_side(tip, tail, other_tail) == 0) & (onward > 0)
    return np.where(common, folded, cross)


def _side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Twice the signed area of the triangles p, q, r, each [2] or [n, 2]: on which side of p to q each r lies."""
    p, q, r = np.atleast_2d(p), np.atleast_2d(q), np.atleast_2d(r)
    result: np.ndarray = (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])
    return result
