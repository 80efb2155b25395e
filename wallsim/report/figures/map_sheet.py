"""A sheet of paper with the board's map on it: counties, names that never collide, the key of regions, the scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from wallsim.errors import InputError
from wallsim.report.figures.county_scale import Colour, Scale, ink_on
from wallsim.report.figures.lettering import POINTS, Box, broken, line_width, place_number, widest_place, write
from wallsim.report.figures.style import FAINT, INK
from wallsim.report.map.document import BoardMap, Line
from wallsim.report.map.geometry import boxes_touched

Width = Literal["wide", "narrow"]

_NO_VALUE, _HATCH, _SEA, _SEA_NAME = "#efefef", "#cdcdcd", "#d3e2ee", "#6f8ba5"
_NUMBER_HEIGHT = 0.78  # in letter sizes
_SHRINKS = (1.0, 0.92, 0.85, 0.78, 0.7)  # of a number's letters, tried in turn until it fits
_THIN = 3  # of so many points the lines of the small map have one, which keeps SVG small
_FOREIGN = 17.0  # letters of the names of seas and lands, in units of the frame


@dataclass(frozen=True)
class _Layout:
    """Sizes in inches, letters and lines in points, and numbers on the map in units of its frame."""

    width: float
    key: float  # width of the small map of the regions
    title: float
    letters: float
    number: float
    heavy: float  # borders of regions and coasts
    light: float  # borders of counties


_LAYOUTS = {
    "wide": _Layout(8.6, 2.6, 11, 9, 15.0, 2.2, 0.6),
    "narrow": _Layout(390 / 110, 1.85, 8.5, 7, 20.5, 1.5, 0.4),
}
_SPACE = 0.08  # inches between the parts


class Sheet:
    """A figure with room for a title, the map, the key of regions beside the scale, and a note, from top to bottom."""

    def __init__(self, board: BoardMap, width: str, title: str, note: str) -> None:
        """An empty sheet, `wide` or `narrow`, with its title and note; both are broken into lines."""
        self.board, self.wide = board, width == "wide"
        self.layout = layout = _LAYOUTS[width]
        self.frame = _around_counties(board, foreign=self.wide)
        left, bottom, right, top = self.frame
        self.points_per_unit = layout.width * POINTS / (right - left)
        room = (layout.width - 2 * _SPACE) * POINTS
        titles = broken(title, room, layout.title, weight="bold")
        notes = broken(note, room, layout.letters)
        above = len(titles) * layout.title * 1.25 / POINTS + (2 * _SPACE if titles else 0)
        below = len(notes) * layout.letters * 1.25 / POINTS + (2 * _SPACE if notes else 0)
        map_height = layout.width * (top - bottom) / (right - left)
        key_height = layout.key * (top - bottom) / (right - left)
        self._height = above + map_height + _SPACE + key_height + _SPACE + below
        self._foot = below + _SPACE  # the lower edge of key and scale
        self._key_height = key_height
        self.figure = plt.figure(figsize=(layout.width, self._height), layout="none")
        self.axes = self._plain_axes(0, self._height - above - map_height, layout.width, map_height)
        places: tuple[tuple[list[str], float, float, dict[str, Any]], ...] = (
            (titles, 1 - _SPACE / self._height, layout.title, {"va": "top", "fontweight": "bold"}),
            (notes, _SPACE / self._height, layout.letters, {"va": "bottom"}),
        )
        for lines, y, size, look in places:
            if lines:
                text, x = "\n".join(lines), _SPACE / layout.width
                self.figure.text(x, y, text, fontsize=size, linespacing=1.25, parse_math=False, **look)

    def _plain_axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes without ticks over a part of the sheet, in inches, in units of the frame."""
        axes = self.figure.add_axes(
            (left / self.layout.width, bottom / self._height, width / self.layout.width, height / self._height)
        )
        axes.set_axis_off()
        axes.set_xlim(self.frame[0], self.frame[2])
        axes.set_ylim(self.frame[1], self.frame[3])
        return axes

    def draw_counties(self, fills: Mapping[str, Colour]) -> None:
        """Draw the counties in their colours, those without one hatched, and all borders, and name seas and lands."""
        self.fills = fills
        layout, arcs = self.layout, self.board.lines
        self._lines([arc for arc in arcs if arc.kind == "sea"], _SEA, 6 * layout.heavy, 1)
        for hatched in (False, True):
            names = [name for name in self.board.counties if (name not in fills) == hatched]
            look: dict[str, Any] = {"facecolors": _NO_VALUE, "hatch": "//////", "hatchcolor": _HATCH}
            if not hatched:
                look = {"facecolors": [fills[name] for name in names]}
            if names:
                rings = [self.board.ring(name) for name in names]
                self.axes.add_collection(PolyCollection(rings, edgecolors="none", linewidths=0, zorder=2, **look))
        parting = [arc for arc in arcs if self._parts_regions(arc)]
        within = [arc for arc in arcs if not self._parts_regions(arc)]
        for lines, weight in ((within, layout.light), (parting, layout.heavy)):
            self._lines(lines, "white", 2 * weight + 0.6, 3)  # a dark line would be lost between two dark counties
            self._lines(lines, INK, weight, 4)
        if self.wide:
            self._name_lands()

    def _parts_regions(self, arc: Line) -> bool:
        return len(self.board.regions_beside(arc)) == 2 or arc.kind != "border"

    def _lines(self, arcs: list[Line], colour: str, width: float, zorder: int) -> None:
        lines = LineCollection(
            [arc.points for arc in arcs], colors=colour, linewidths=width, capstyle="round", joinstyle="round",
            zorder=zorder,
        )  # fmt: skip
        self.axes.add_collection(lines)

    def _name_lands(self) -> None:
        """Write the names of seas and lands around the counties, faint, as large as the free space allows."""
        outline = [arc.points for arc in self.board.lines if arc.kind != "border"]
        starts = np.concatenate([points[:-1] for points in outline])
        ends = np.concatenate([points[1:] for points in outline])
        left, _, right, _ = self.board.frame
        for foreign in self.board.foreign:
            size, centre = _FOREIGN, np.array([foreign.at])
            for _ in range(8):
                wide = line_width(foreign.text, size, style="italic")
                free = min(foreign.at[0] - left, right - foreign.at[0]) >= wide / 2
                if free and not boxes_touched(centre, wide + size, 1.6 * size, starts, ends)[0]:
                    break
                size *= 0.9
            else:
                continue  # decoration: a name without room is left out
            box = Box(*foreign.at, wide, size)
            colour = _SEA_NAME if foreign.kind == "sea" else FAINT
            write(self.axes, box, (foreign.text,), size, self.points_per_unit, color=colour, style="italic")

    def name_counties(self, numbers: Mapping[str, str]) -> None:
        """Write the name of every county, and below it its number if it has a text.

        Names and numbers lie inside their counties and apart from each other. InputError for a number too long.
        """
        for name, county in self.board.counties.items():
            colour = ink_on(self.fills.get(name, _NO_VALUE))
            lettering = county.name if self.wide else county.small
            box = Box(*lettering.at, *lettering.box)
            if name in numbers:
                box = self._write_number(name, box, numbers[name], colour)
            widest = max(line_width(line, lettering.size, weight="bold") for line in lettering.lines)
            size = lettering.size * min(1.0, lettering.box[0] / widest)  # another typeface may be wider
            write(self.axes, box, lettering.lines, size, self.points_per_unit, color=colour, weight="bold", gid=name)

    def _write_number(self, name: str, box: Box, text: str, colour: str) -> Box:
        """Write a county's number, and return the box of its name, which may have made room for it."""
        margin = self.layout.heavy / 2 / self.points_per_unit + 1  # half of the line lies inside the county
        ring = self.board.ring(name)
        for shrink in _SHRINKS:
            size = shrink * self.layout.number
            result = place_number(ring, box, line_width(text, size), _NUMBER_HEIGHT * size, margin)
            if result is not None:
                write(self.axes, result[1], (text,), size, self.points_per_unit, color=colour)
                return result[0]
        raise InputError(f"numbers: {text} does not fit into {name}; draw the map without numbers, or in another unit")

    def draw_key(self, coloured: bool) -> None:
        """Draw the small map that names the regions, in their colours or blank, in the lower left corner."""
        axes = self._plain_axes(_SPACE, self._foot, self.layout.key, self._key_height)
        unit = self.layout.key * POINTS / (self.frame[2] - self.frame[0])
        for name, region in self.board.regions.items() if coloured else ():
            rings, fill = self._rings(name), region.fill
            axes.add_collection(PolyCollection(rings, facecolors=fill, edgecolors=fill, linewidths=0.3, zorder=2))
        parting = [arc for arc in self.board.lines if self._parts_regions(arc)]
        lines = [np.concatenate([arc.points[:-1:_THIN], arc.points[-1:]]) for arc in parting]
        axes.add_collection(LineCollection(lines, colors=INK, linewidths=0.9, zorder=3))
        places, sizes = [], []
        for name in self.board.regions:
            place, height = self._place_in_region(name, parting)
            places.append(place)
            sizes.append(min(height * 0.8, self.layout.letters / unit))
        for name, place in zip(self.board.regions, places, strict=True):
            write(axes, place, (name,), min(sizes), unit, color=INK)

    def _place_in_region(self, region: str, parting: list[Line]) -> tuple[Box, float]:
        around = [arc.points for arc in parting if region in self.board.regions_beside(arc)]
        starts = np.concatenate([points[:-1] for points in around])
        ends = np.concatenate([points[1:] for points in around])
        return widest_place(self._rings(region), starts, ends, line_width(region, 1.0))

    def _rings(self, region: str) -> list[np.ndarray]:
        return [self.board.ring(name) for name, county in self.board.counties.items() if county.region == region]

    def draw_scale(self, scale: Scale, unit: str, missing: str, constant: str) -> None:
        """Draw the colour bar with its unit, right of the key, and above it the legend of counties without a number.

        Without the text `missing` there is no such legend. Where all numbers are equal, whose text is `constant`, there
        is one patch of colour instead of a bar.
        """
        layout, size = self.layout, self.layout.letters
        left = layout.key + 4 * _SPACE
        width = layout.width - left - 4 * _SPACE
        row = 1.9 * size / POINTS
        top = self._foot + self._key_height * 0.62
        if scale.constant:
            self._patch(left, top - row, f"{constant} {unit}".rstrip(), facecolor=scale.colour(scale.only))
        else:
            axes = self.figure.add_axes(
                (left / layout.width, (top - row) / self._height, width / layout.width, 0.75 * row / self._height)
            )
            extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}
            ticks = MaxNLocator(6 if self.wide else 4, steps=[1, 2, 2.5, 5, 10], integer=scale.whole)
            bar = self.figure.colorbar(
                ScalarMappable(scale.norm, scale.colours), cax=axes, orientation="horizontal",
                extend=extend[scale.below, scale.above], ticks=ticks,
            )  # fmt: skip
            bar.outline.set_linewidth(0.5)
            assert bar.solids is not None
            bar.solids.set(rasterized=False, edgecolor="face")  # shapes in SVG, without seams between them
            axes.tick_params(labelsize=size, length=3)
            axes.set_xlabel("\n".join(broken(unit, width * POINTS, size)), fontsize=size, parse_math=False)
        if missing:
            self._patch(left, top + row * 0.5, missing, facecolor=_NO_VALUE, hatch="//////", hatchcolor=_HATCH)

    def _patch(self, left: float, bottom: float, text: str, **look: Any) -> None:
        """A patch of colour with its meaning beside it; left and bottom in inches."""
        layout, height = self.layout, 1.3 * self.layout.letters / POINTS
        patch = Rectangle(
            (left / layout.width, bottom / self._height), 1.8 * height / layout.width, height / self._height,
            transform=self.figure.transFigure, edgecolor=INK, linewidth=0.5, **look,
        )  # fmt: skip
        self.figure.add_artist(patch)
        self.figure.text(
            (left + 2.3 * height) / layout.width, (bottom + height / 2) / self._height, text,
            va="center", fontsize=layout.letters, parse_math=False,
        )  # fmt: skip


def _around_counties(board: BoardMap, foreign: bool) -> tuple[float, float, float, float]:
    """The part of the frame that is shown: the counties alone, as large as they can be, or foreign names too."""
    points = np.concatenate([arc.points for arc in board.lines])
    (left, bottom), (right, top) = points.min(axis=0), points.max(axis=0)
    margin = 0.01 * (right - left)
    if foreign:
        left, right = board.frame[0], board.frame[2]
        bottom = min([bottom, *(each.at[1] - _FOREIGN for each in board.foreign)])
        top = max([top, *(each.at[1] + _FOREIGN for each in board.foreign)])
    else:
        left, right = left - margin, right + margin
    return float(left), float(bottom - margin), float(right), float(top + margin)
