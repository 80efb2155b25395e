"""The chances to win at the ends of seasons as a picture: a line for each seat, with its letter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from wallsim.report.replay.letters import letter

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
                f'<text class="letter" x="{across[place] + 6:.1f}" y="{y + 4:.1f}">{letter(seat)}</text>'
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
