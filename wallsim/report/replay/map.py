"""The map of the page: counties whose owner, armies and pieces the page's script writes."""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from wallsim.report.html.svg import frame_of, path_of
from wallsim.report.map.board_map import BoardMap

_EVERY = 3  # of so many points of a border one is drawn
_NAME = 11  # units from the middle of a county's name to the middle of what stands in the county


def game_map(board: BoardMap, playing: Collection[str], title: str) -> str:
    """The map: in each county its name, a line for owner and armies, and a group for what stands there.

    Counties out of play have neither; lines of regions and an arrow for moves lie on top.
    """
    left, bottom, right, top = frame_of(board)
    parts = [
        f'<svg id="map" class="map" viewBox="0 0 {right - left:.0f} {top - bottom:.0f}" role="group" '
        f'aria-label="{escape(title)}">{_SYMBOLS}'
    ]
    texts = []
    for name, county in board.counties.items():
        out = "" if name in playing else " out"
        parts.append(
            f'<g class="county{out}" data-county="{escape(name)}"><title>{escape(name)}</title>'
            f'<path d="{path_of(county.ring[::_EVERY], left, top)}z"/></g>'
        )
        if not out:
            x, y = county.small.at[0] - left, top - county.small.at[1] + _NAME
            texts.append(
                f'<g class="lettering" data-of="{escape(name)}" transform="translate({x:.0f} {y:.0f})">'
                f'<text class="name" y="-20">{escape(short_name(board, name))}</text>'
                f'<text class="armies" y="12"></text><g class="pieces" transform="translate(0 27)"></g></g>'
            )
    lines = [arc.points for arc in board.arcs if len({board.counties[each].region for each in arc.counties}) == 2]
    parts += [f'<path class="region" d="{path_of(points[::_EVERY], left, top)}"/>' for points in lines]
    arrow = '<line class="arrow" marker-end="url(#head)"/>'
    return "".join([*parts, arrow, *texts, "</svg>"])


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
