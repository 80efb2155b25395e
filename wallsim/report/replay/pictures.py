"""The pictures of the page: the map, which its script fills, and the chances to win at the ends of seasons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from html import escape
from typing import NamedTuple

from wallsim.report.html.svg import frame_of, map_svg, path_of, region_lines
from wallsim.report.map.document import BoardMap
from wallsim.rules.ruleset import LETTERS

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 360, 200, 42, 24, 12, 24
_APART = 12  # letters that stand above each other


class Point(NamedTuple):
    """The end of a season: the number of its step, what it is called, and the chance of each seat."""

    number: int
    name: str
    chances: Sequence[float]


def chances_chart(points: Sequence[Point], title: str) -> str:
    """The picture; everything of a season carries its step's number, so that the page shows it from that step on."""
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    across = [_LEFT + width * place / max(1, len(points) - 1) for place in range(len(points))]

    def down(chance: float) -> float:
        return _TOP + height * (1 - chance)

    parts = [f'<svg id="chances" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title)}">']
    for share in (0, 0.5, 1):
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{down(share):.1f}" y2="{down(share):.1f}"/>'
            f'<text class="share" x="{_LEFT - 4}" y="{down(share) + 4:.1f}">{100 * share:.0f} %</text>'
        )
    for place, point in enumerate(points):
        parts.append(f'<text class="axis" x="{across[place]:.1f}" y="{_HEIGHT - 6}">{escape(point.name)}</text>')
        parts.append(f'<g data-from="{point.number}">')
        for seat, chance in enumerate(point.chances):
            if place:
                before = points[place - 1].chances[seat]
                parts.append(
                    f'<line class="seat-{seat}" x1="{across[place - 1]:.1f}" y1="{down(before):.1f}" '
                    f'x2="{across[place]:.1f}" y2="{down(chance):.1f}"/>'
                )
        for (seat, chance), y in _spread(point.chances, down).items():
            parts.append(
                f'<circle class="seat-{seat}" cx="{across[place]:.1f}" cy="{down(chance):.1f}" r="3"/>'
                f'<text class="letter" x="{across[place] + 6:.1f}" y="{y + 4:.1f}">{LETTERS[seat]}</text>'
            )
        parts.append("</g>")
    return "".join([*parts, "</svg>"])


def _spread(chances: Sequence[float], down: Callable[[float], float]) -> dict[tuple[int, float], float]:
    """Where the letters stand: at their chances, but so far apart that they can be read, and not below the picture."""
    best_first = sorted(range(len(chances)), key=lambda seat: -chances[seat])
    heights: list[float] = []
    for seat in best_first:
        heights.append(max(down(chances[seat]), heights[-1] + _APART if heights else 0.0))
    lowest = float(_HEIGHT - _BOTTOM)
    for place in reversed(range(len(heights))):
        heights[place] = min(heights[place], lowest)
        lowest = heights[place] - _APART
    return {(seat, chances[seat]): height for seat, height in zip(best_first, heights, strict=True)}


_EVERY = 3  # of so many points of a border one is drawn
_NAME = 11  # units from the middle of a county's name to the middle of what stands in the county


def game_map(board: BoardMap, playing: Collection[str], title: str) -> str:
    """The map: in each county its name, a line for owner and armies, and a group for what stands there.

    Counties out of play have neither; lines of regions and an arrow for moves lie on top.
    """
    left, _, _, top = frame_of(board)
    parts, texts = [_SYMBOLS], []
    for name, county in board.counties.items():
        out = "" if name in playing else " out"
        parts.append(
            f'<g class="county{out}" data-county="{escape(name)}"><title>{escape(name)}</title>'
            f'<path d="{path_of(board.ring(name)[::_EVERY], left, top)}z"/></g>'
        )
        if not out:
            x, y = county.small.at[0] - left, top - county.small.at[1] + _NAME
            texts.append(
                f'<g class="lettering" data-of="{escape(name)}" transform="translate({x:.0f} {y:.0f})">'
                f'<text class="name" y="-20">{escape(short_name(board, name))}</text>'
                f'<text class="armies" y="12"></text><g class="pieces" transform="translate(0 27)"></g></g>'
            )
    arrow = '<line class="arrow" marker-end="url(#head)"/>'
    return map_svg(board, [*parts, *region_lines(board, _EVERY), arrow, *texts], title, "map")


def short_name(board: BoardMap | None, county: str) -> str:
    """A county's name as in narrow pictures, whole where there is no map."""
    if board is None:
        return county
    return "".join(board.counties[county].small.lines).rstrip(".")


# Pieces of 20 units, drawn around their middle: buildings, a revolt marker, a leader, a statue.
_SYMBOLS = (
    "<defs>"
    '<marker id="head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="4" markerHeight="4" '
    'orient="auto-start-reverse">'
    '<path d="M 0 0L10 5L0 10Z"/></marker>'
    '<path id="palace" d="M-9 9V-3L-9 -9H-4V-5H4V-9H9V9Z"/>'
    '<path id="church" d="M-2 -10H2V-6H6V-2H2V0L9 4V10H-9V4L-2 0V-2H-6V-6H-2Z"/>'
    '<path id="trading_post" d="M-10 -2L-7 -9H7L10 -2H8V9H-8V-2Z"/>'
    '<path id="revolt" d="M 0 -10L10 9H-10Z"/>'
    '<path id="leader" d="M 0 -11L3 -3H11L5 2L7 10L0 5L-7 10L-5 2L-11 -3H-3Z"/>'
    '<path id="statue" d="M-8 10V6H-4L-2 -2A5 5 0 1 1 2 -2L4 6H8V10Z"/>'
    "</defs>"
)
