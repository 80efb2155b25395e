"""The map of the counties, coloured by any number for each county."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from matplotlib.figure import Figure

from wallsim.errors import InputError
from wallsim.escaping import escaped
from wallsim.report.figures.county_scale import Scale, ScaleName, number_texts
from wallsim.report.figures.map_sheet import Sheet, Width
from wallsim.report.figures.style import styled
from wallsim.report.map.board_map import BoardMap, load_map
from wallsim.rules.suggestions import did_you_mean


@dataclass(frozen=True)
class MapOptions:
    """How a map looks: its title, its unit and a note below it, and how numbers become colours and texts.

    `scale` is `sequential`, or `diverging` from 0 to both sides; `limits` are its ends, else those of the numbers.
    With `numbers` each is printed beside its county's name. Counties without one are hatched, and the legend calls them
    `missing`. `wide` suits a page or a screen (946 pixels at 110 dots an inch), `narrow` a telephone (390).
    """

    title: str = ""
    unit: str = ""
    note: str = ""
    scale: ScaleName = "sequential"
    limits: tuple[float, float] | None = None
    numbers: bool = False
    missing: str = "no value"
    width: Width = "wide"


@styled
def county_map(
    values: Mapping[str, float | None] | None = None, *, board_map: BoardMap | None = None, **options: Any
) -> Figure:
    """The map with every county coloured by its number, a colour bar with the unit, and a key of the regions.

    `values` has a number by county; None, NaN and counties left out have none. Without `values` counties have the
    colours of their regions. `board_map` is another map than the shipped one, as
    `wallsim.report.map.board_map.load_map` returns it. `options` are the fields of `MapOptions`.

    InputError for unknown counties, infinite numbers, values without any number, numbers too long for their county,
    and an unknown scale or width.
    """
    look, widths = MapOptions(**options), get_args(Width)
    if look.width not in widths:
        raise InputError(f"width: {look.width!r} is not one of {', '.join(widths)}{did_you_mean(look.width, widths)}")
    board = board_map or load_map()
    assert board is not None  # the shipped board has a map
    # A unit may be the name of a column of somebody's file.
    title, unit, note = map(escaped, (look.title, look.unit, look.note))
    sheet = Sheet(board, look.width, title, note)
    if values is None:
        sheet.draw_counties({name: board.regions[county.region].fill for name, county in board.counties.items()})
        sheet.name_counties({})
        sheet.draw_key(coloured=True)
        return sheet.figure
    known = _numbers_of(values, board)
    colours = Scale(list(known.values()), look.scale, look.limits)
    texts = number_texts(list(known.values()), colours.signed)
    sheet.draw_counties({name: colours.colour(value) for name, value in known.items()})
    sheet.name_counties(dict(zip(known, texts, strict=True)) if look.numbers else {})
    sheet.draw_key(coloured=False)
    sheet.draw_scale(colours, unit, look.missing if len(known) < len(board.counties) else "", constant=texts[0])
    return sheet.figure


def _numbers_of(values: Mapping[str, float | None], board: BoardMap) -> dict[str, float]:
    """The finite numbers of the counties that have one, in the order of the map."""
    for name, value in values.items():
        if name not in board.counties:
            raise InputError(f"values: unknown county {name!r}{did_you_mean(name, board.counties)}")
        if value is not None and math.isinf(value):
            raise InputError(f"values: {name}: {value} is not allowed; it must be a finite number, or NaN for none")
    result = {name: values.get(name) for name in board.counties}
    known = {name: float(value) for name, value in result.items() if value is not None and not math.isnan(value)}
    if not known:
        raise InputError("values: no county has a number; at least one is needed")
    return known
