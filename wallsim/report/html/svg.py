"""Pictures of the report, written as SVG: the map of the counties, and values with their intervals.

Colours and letters are those of the stylesheet, so that pictures follow the reader's light or dark screen and paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from wallsim.report.map.document import BoardMap
from wallsim.report.tables.estimates import share_words
from wallsim.stats.intervals import Interval

STEPS = 4  # of colour on each side of 0
_THIN = 2  # of so many points of a border one is drawn
_NAMESPACE = "http://www.w3.org/2000/svg"
_SHORT_LABEL, _LONGEST_LABEL = 3, 44  # letters
_HALF_LETTER = 3.0  # half the width of a letter of an axis, at most
_LETTERS = 27.0  # units of the map, 10 pixels on a telephone


class Dot(NamedTuple):
    """A value with its interval, and how it is written."""

    value: float
    low: float
    high: float
    text: str


def shade(value: float, largest: float) -> str:
    """The class of a value's colour: `below-4` to `below-1`, `level`, `above-1` to `above-4`."""
    step = round(STEPS * value / largest) if largest > 0 else 0
    step = max(-STEPS, min(STEPS, step))
    return "level" if step == 0 else f"{'above' if step > 0 else 'below'}-{abs(step)}"


def map_of_counties(
    board: BoardMap, codes: Mapping[str, str], shades: Mapping[str, str], links: Mapping[str, str], title: str
) -> str:
    """The map with a code in every county, coloured by its class; every county links to what is said of it."""
    left, _, _, top = frame_of(board)
    parts = []
    for name, county in board.counties.items():
        ring = board.ring(name)
        points = path_of(ring[::_THIN] if len(ring) > 6 * _THIN else ring, left, top)
        x, y = county.label[0] - left, top - county.label[1]
        parts.append(
            f'<a href="{escape(links[name])}" data-county="{escape(name)}" class="{shades[name]}">'
            f'<title>{escape(name)}</title><path d="{points}Z"/>'
            f'<text x="{x:.0f}" y="{y + _LETTERS / 3:.0f}" font-size="{_LETTERS:.0f}">{escape(codes[name])}</text></a>'
        )
    return map_svg(board, [*parts, *region_lines(board, _THIN)], title)


def dots(
    rows: Mapping[str, Dot], fair: float, title: str, unit: str, within: tuple[float, float] | None = None,
    line: str = "",
) -> str:  # fmt: skip
    """A row for every label with its value and interval, with a line at the fair value; as wide as a telephone.

    Charts that are compared have one axis, `within` whose ends every value lies. `line` is what the line is called, if
    it is not the fair value. Labels that are longer than a letter or a number stand above their rows. Without rows
    there is no chart.
    """
    if not rows:
        return ""
    low, high = within or axis_of([rows], fair)
    is_long = any(len(label) > _SHORT_LABEL for label in rows)
    width, last = 360.0, 96.0  # the last for the number
    row, first = (42.0, 8.0) if is_long else (24.0, 34.0)
    room = width - first - last
    top, height = 20.0, 20.0 + row * len(rows)

    def at(value: float) -> float:
        return first + room * (value - low) / (high - low)

    words = escape(line) or f"{fair:.0f} {escape(unit)} is fair"
    parts = [
        f'<svg class="dots" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f'<path class="fair" d="M{at(fair):.0f} 16V{height:.0f}"/>'
        f'<text class="axis" x="{max(at(fair), _HALF_LETTER * len(words)):.0f}" y="11">{words}</text>'
    ]
    for place, (label, dot) in enumerate(rows.items()):
        above = top + row * place
        middle = above + (row - 12 if is_long else row / 2)
        parts.append(
            f'<text x="2" y="{above + 14 if is_long else middle + 5:.0f}">{escape(_cut(label))}</text>'
            f'<path class="interval" d="M{at(dot.low):.0f} {middle:.0f}H{at(dot.high):.0f}"/>'
            f'<circle cx="{at(dot.value):.0f}" cy="{middle:.0f}" r="5"/>'
            f'<text class="number" x="{width - 2:.0f}" y="{middle + 5:.0f}">{escape(dot.text)}</text>'
        )
    return "".join([*parts, "</svg>"])


def share_dots(shares: Mapping[str, tuple[float, Interval | None]]) -> dict[str, Dot]:
    """Shares from 0 to 1 by label, in per cent; none if one of them has no interval."""
    return {
        label: Dot(100 * share, 100 * interval[0], 100 * interval[1], share_words(share, interval))
        for label, (share, interval) in shares.items()
        if interval is not None and all(each for _, each in shares.values())
    }


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"


def axis_of(charts: Sequence[Mapping[str, Dot]], fair: float) -> tuple[float, float]:
    """The ends of an axis on which the rows of all charts have room, and the fair value."""
    low = min([fair, *(dot.low for rows in charts for dot in rows.values())])
    high = max([fair, *(dot.high for rows in charts for dot in rows.values())])
    margin = (high - low) * 0.05
    return low - margin, high + margin


def standalone(picture: str, style: str, *, paper: bool = False) -> str:
    """A picture as a file of its own, with the style of the pages in it; on `paper` it has ground and margin."""
    opening, _, rest = picture.partition(">")
    named = opening.replace("<svg", f'<svg xmlns="{_NAMESPACE}"', 1)
    if not paper:
        return f"{named}><style>{style}</style>{rest}"
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', named)[0])
    named = named.replace(f'"0 0 {width} {height}"', f'"-10 -6 {width + 20} {height + 12}"')
    ground = f'<rect class="paper" x="-10" y="-6" width="{width + 20}" height="{height + 12}"/>'
    return f"{named}><style>{style}</style>{ground}{rest}"


def frame_of(board: BoardMap) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of the counties, with a margin for their lines."""
    points = np.concatenate(list(map(board.ring, board.counties)))
    (left, bottom), (right, top) = points.min(axis=0) - 6, points.max(axis=0) + 6
    return float(left), float(bottom), float(right), float(top)


def map_svg(board: BoardMap, parts: Iterable[str], title: str, name: str = "") -> str:
    """The parts as one map; `name` is that of the element."""
    left, bottom, right, top = frame_of(board)
    element = f'svg id="{name}"' if name else "svg"
    size = f"{right - left:.0f} {top - bottom:.0f}"
    head = f'<{element} class="map" viewBox="0 0 {size}" role="group" aria-label="{escape(title)}">'
    return "".join([head, *parts, "</svg>"])


def region_lines(board: BoardMap, every: int) -> list[str]:
    """The lines between regions, of which one of `every` so many points is drawn."""
    left, _, _, top = frame_of(board)
    paths = [path_of(line.points[::every], left, top) for line in board.lines if len(board.regions_beside(line)) == 2]
    return [f'<path class="region" d="{path}"/>' for path in paths]


def path_of(points: np.ndarray, left: float, top: float) -> str:
    """A path through points of the map in whole units, each but the first as the shorter way from the one before.

    Left and top are those of `frame_of`.
    """
    placed = np.rint(np.column_stack([points[:, 0] - left, top - points[:, 1]])).astype(int)
    steps = [pair for pair in np.diff(placed, axis=0).tolist() if pair != [0, 0]]
    text = "".join(f"{x if x < 0 else f' {x}'}{y if y < 0 else f' {y}'}" for x, y in steps)
    return f"M{placed[0][0]} {placed[0][1]}l{text.lstrip()}"
