"""Charts for readers, written as SVG: rows of marks with intervals, and lines by round.

Colour and shape go together: a blue disc for casual bots, an orange diamond for master bots, an open square for scholar
bots. Charts are as wide as a telephone, and have the colours of the page, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, MARGIN = 360.0, 8.0
_NUMBER = 35.0  # width of a number, with a space
_SHAPES = {
    "casual": '<circle r="4.4"/>', "master": '<path d="M0-5.4 5.4 0 0 5.4-5.4 0z"/>',
    "scholar": '<rect x="-3.7" y="-3.7" width="7.4" height="7.4"/>', "before": '<circle r="4.6"/>',
}  # fmt: skip


class Point(NamedTuple):
    """A value with its interval, the bots that it is of, and the note that a reader finds on it.

    `pale`: whether it is drawn faintly. `bots` is `before` for what a change is compared with.
    """

    bots: str
    value: float
    low: float
    high: float
    note: str
    pale: bool = False


class Scale(NamedTuple):
    """Places of values from `low` to `high`, between two places of the chart."""

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """The place of a value."""
        return self.first + (float(value) - self.low) / (self.high - self.low) * (self.last - self.first)


def chart(height: float, parts: Iterable[str], title: str) -> str:
    """The parts as one picture; the title is read aloud."""
    head = f'<svg viewBox="0 0 {WIDTH:.0f} {height:.0f}" class="chart" role="img" aria-label="{escape(title)}">'
    return "".join([head, *parts, "</svg>"])


def words(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    """A text at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'


def line(x: float, y: float, to_x: float, to_y: float, kind: str = "rule") -> str:
    """A straight line."""
    return f'<path class="{kind}" d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"/>'


def mark(point: Point, x: float, y: float) -> str:
    """The mark of a value."""
    pale = " pale" if point.pale else ""
    return (f'<g class="{point.bots}{pale}" transform="translate({x:.1f} {y:.1f})"><title>{escape(point.note)}</title>'
            f"{_SHAPES[point.bots]}</g>")  # fmt: skip


def marked(point: Point, at: Scale, y: float) -> str:
    """A mark with its interval, in a row at `y`."""
    pale = " pale" if point.pale else ""
    return line(at(point.low), y, at(point.high), y, f"bar {point.bots}{pale}") + mark(point, at(point.value), y)


def bar(point: Point, x: float, y: float, width: float, height: float) -> str:
    """A filled bar for a value."""
    return (f'<g class="{point.bots}"><title>{escape(point.note)}</title><rect x="{x:.1f}" y="{y:.1f}" '
            f'width="{max(width, 0):.1f}" height="{height:.0f}"/></g>')  # fmt: skip


def axis(at: Scale, ticks: Sequence[float], top: float, bottom: float, unit: str = "") -> Iterable[str]:
    """Upright lines with their numbers below."""
    for tick in ticks:
        yield line(at(tick), top, at(tick), bottom)
        yield words(at(tick), bottom + 17, f"{tick:g}{unit}".replace("-", "−"), "tick", "middle")


def rows(
    points: Mapping[str, Sequence[Point]], at: Scale, ticks: Sequence[float], title: str, *, fair: float,
    fair_words: str, unit: str = "", step: float = 30.0,
) -> str:  # fmt: skip
    """A row for each label with its marks; a row of one mark has its number. The fair value is a broken line."""
    top, bottom = 22.0, 22.0 + step * len(points)
    parts = [*axis(at, ticks, top - 4, bottom, unit), line(at(fair), top - 6, at(fair), bottom, "fair")]
    parts.append(words(at(fair), 12, fair_words, "tick", "middle"))
    for place, (label, row) in enumerate(points.items()):
        middle = top + step * (place + 0.5)
        parts.append(words(0, middle + 4.5, label))
        parts += [marked(each, at, middle + 7 * (number - (len(row) - 1) / 2)) for number, each in enumerate(row)]
        if len(row) == 1:
            left = row[0].value < fair and at(row[0].low) > at.first + _NUMBER  # a label is there
            parts.append(number_at(row[0], at, middle, unit, left=left))
    return chart(bottom + 22, parts, title)


def number_at(point: Point, at: Scale, y: float, unit: str, *, left: bool) -> str:
    """The number of a mark, beside its interval."""
    place, anchor = (at(point.low) - 7, "end") if left else (at(point.high) + 7, "start")
    return words(place, y + 4.5, f"{point.value:.0f}{unit}".replace("-", "−"), f"value {point.bots}", anchor)


def lines(
    series: Mapping[str, Sequence[Point]], labels: Sequence[str], up: Scale, ticks: Sequence[float], title: str
) -> str:
    """A line for each name of `series` through its values, one for each round of `labels`; intervals are upright."""
    across = Scale(0, len(labels) - 1, 44, WIDTH - 14)
    parts = [part for tick in ticks for part in (
        line(32, up(tick), WIDTH, up(tick)), words(26, up(tick) + 4, f"{tick:.1f}", "tick", "end")
    )]  # fmt: skip
    for place, label in enumerate(labels):
        season, _, year = label.partition(" ")
        parts.append(words(across(place), up.first + 18, season, "tick", "middle"))
        if year and season == "summer":  # the middle of its year
            parts.append(words(across(place), up.first + 36, f"year {year}", "tick", "middle"))
    for number, (name, points) in enumerate(series.items()):
        bots, beside = points[0].bots, 30 if number else -22
        way = "L".join(f"{across(place):.1f} {up(each.value):.1f}" for place, each in enumerate(points))
        parts.append(f'<path class="way {bots}" d="M{way}"/>')
        for place, each in enumerate(points):
            parts.append(line(across(place), up(each.low), across(place), up(each.high), f"bar {bots}"))
            parts.append(mark(each, across(place), up(each.value)))
        parts.append(words(across(len(points) - 1), up(points[-1].value) + beside, name, f"value {bots}", "end"))
    return chart(up.first + 42, parts, title)
