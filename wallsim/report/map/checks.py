"""How the parts of a map must fit together, and how the map must fit counties.csv and borders.csv.

A check gives its errors, each the place in the document and what is wrong there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from wallsim.report.map.document import BoardMap, Lettering, shown
from wallsim.report.map.geometry import area, boxes_inside, crossings, distance_to, inside
from wallsim.rules.suggestions import did_you_mean

Border = frozenset[str]
Errors = Iterator[tuple[str, str]]
_TOLERANCE = 0.11  # units of the frame: coordinates have one decimal
_EXACTLY = "counties must share an arc exactly where they border"


def check_counties(document: BoardMap, regions: Mapping[str, str]) -> Errors:
    """Counties and regions that differ from counties.csv, whose regions by county are given."""
    for name, county in document.counties.items():
        if name not in regions:
            known = [each for each in regions if each not in document.counties]
            yield f"counties.{name}", f"unknown county {name!r}; it must be in counties.csv{did_you_mean(name, known)}"
        elif county.region != regions[name]:
            yield f"counties.{name}.region", f"{county.region!r} is not {regions[name]!r}, its region in counties.csv"
    for name in regions:
        if name not in document.counties:
            yield "counties", f"{name!r} of counties.csv is missing; every county needs a polygon"
    wanted = dict.fromkeys(regions.values())
    for region in document.regions:
        if region not in wanted:
            yield f"regions.{region}", f"unknown region {region!r}; allowed are {', '.join(wanted)}"
    for region in wanted:
        if region not in document.regions:
            yield "regions", f"{region!r} of counties.csv is missing; every region needs a colour"


def check_borders(document: BoardMap, borders: set[Border]) -> Errors:
    """Pairs of counties that share an arc and no line of borders.csv, or a line and no arc."""
    drawn: dict[Border, int] = {}
    for number, (one, other) in enumerate(document.between):
        if other is not None:
            drawn.setdefault(frozenset((one, other)), number)
    for pair, number in drawn.items():
        if pair not in borders:
            yield f"between.{number}", f"{_pair(pair)} share an arc, but borders.csv has no such border; {_EXACTLY}"
    for pair in sorted(borders - drawn.keys(), key=sorted):
        yield "between", f"{_pair(pair)} share no arc, but borders.csv has this border; {_EXACTLY}"


def _pair(pair: Border) -> str:
    return " and ".join(map(repr, sorted(pair)))


def check_arcs(document: BoardMap) -> Errors:
    """Arcs without a kind or without counties, unknown counties beside them, and points outside the frame."""
    left, bottom, right, top = document.frame
    if not (left < right and bottom < top):
        yield "frame", f"{shown(document.frame)} is not allowed; it must be left, bottom, right, top, each in order"
    for key, rows in (("between", document.between), ("kind", document.kind)):
        if len(rows) != len(document.arcs):
            yield key, f"{len(rows)} entries; {len(document.arcs)} are allowed, one for each arc"
    if len({len(document.between), len(document.kind), len(document.arcs)}) > 1:
        return
    for number, ((one, other), kind, arc) in enumerate(
        zip(document.between, document.kind, document.arcs, strict=True)
    ):
        for name in (one, other):
            if name is not None and name not in document.counties:
                text = f"unknown county {name!r}; it must be one of `counties`{did_you_mean(name, document.counties)}"
                yield f"between.{number}", text
        if one == other:
            yield f"between.{number}", f"{one!r} borders itself; it must border another, or null for none"
        if (kind == "border") != (other is not None):
            allowed = "border" if other is not None else "sea or land, since one county alone has this arc"
            yield f"kind.{number}", f"{kind!r} is not allowed; it must be {allowed}"
        for point in arc:
            if not (left <= point[0] <= right and bottom <= point[1] <= top):
                yield f"arcs.{number}", f"point {point} is outside the frame {document.frame}"
                break


def check_rings(document: BoardMap) -> Errors:
    """Arcs that are not used by the counties beside them, and counties whose arcs are not one closed line."""
    unclosed = list(_unclosed(document))
    yield from unclosed or _misused(document)  # an arc left out would be reported again for each county beside it


def _unclosed(document: BoardMap) -> Errors:
    for name, county in document.counties.items():
        field = f"counties.{name}.arcs"
        wrong = [number for number in county.arcs if not -len(document.arcs) <= number < len(document.arcs)]
        if wrong:
            last = len(document.arcs) - 1
            yield field, f"{shown(wrong[0])} is not an arc; allowed are 0 to {last}, and -1 to {-1 - last} backwards"
            continue
        pieces = [document.piece(number) for number in county.arcs]
        for piece, after, number in zip(pieces, [*pieces[1:], pieces[0]], county.arcs, strict=True):
            if piece[-1] != after[0]:
                yield field, f"arc {number} ends at {piece[-1]}, the next begins at {after[0]}; they must meet"
        if area(document.ring(name)) <= 0:
            yield field, "runs clockwise; it must run counter-clockwise"


def _misused(document: BoardMap) -> Errors:
    users: dict[int, list[str]] = {number: [] for number in range(len(document.arcs))}
    uses = Counter(number for county in document.counties.values() for number in county.arcs)
    for name, county in document.counties.items():
        for number in county.arcs:
            users[number if number >= 0 else ~number].append(name)
    for number, names in users.items():
        wanted = sorted(name for name in document.between[number] if name is not None)
        if sorted(names) != wanted:
            yield f"arcs.{number}", f"arc {number} is used by {_listed(names)}, while `between` says {_listed(wanted)}"
        elif len(wanted) == 2 and uses[number] != 1:
            yield f"arcs.{number}", f"{_listed(wanted)} use it in the same direction; they must use opposite ones"


def _listed(names: list[str]) -> str:
    return " and ".join(map(repr, names)) or "no county"


def check_lines(document: BoardMap) -> Errors:
    """Arcs that cross or touch each other other than at their ends; then no two counties overlap."""
    starts = np.array([point for arc in document.arcs for point in arc[:-1]], dtype=np.float64)
    ends = np.array([point for arc in document.arcs for point in arc[1:]], dtype=np.float64)
    owner = np.repeat(np.arange(len(document.arcs)), [len(arc) - 1 for arc in document.arcs])
    for one, other in dict.fromkeys((int(owner[one]), int(owner[other])) for one, other in crossings(starts, ends)):
        where = f"crosses arc {other}" if one != other else "crosses itself"
        yield f"arcs.{one}", f"{where}; arcs may meet at their ends only"


def check_names(document: BoardMap) -> Errors:
    """Names and symbols outside the frame or their county, and short names of two counties."""
    left, bottom, right, top = document.frame
    for number, foreign in enumerate(document.foreign):
        if not (left <= foreign.at[0] <= right and bottom <= foreign.at[1] <= top):
            yield f"foreign.{number}.at", f"{foreign.at} is outside the frame {document.frame}"
    shorts: dict[str, str] = {}
    for name, county in document.counties.items():
        field = f"counties.{name}"
        if county.short in shorts:
            yield f"{field}.short", f"{county.short!r} is also short for {shorts[county.short]!r}"
        shorts.setdefault(county.short, name)
        ring = document.ring(name)
        free = distance_to(county.label, ring) if inside(np.array([county.label]), ring)[0] else 0.0
        if county.room > free + _TOLERANCE:
            text = f"the circle of radius {county.room} around {county.label} leaves the county; {free:.1f} is allowed"
            yield f"{field}.room", text
        yield from _check_box(document, f"{field}.name", county.name, ring)
        yield from _check_box(document, f"{field}.small", county.small, ring)


def _check_box(document: BoardMap, field: str, lettering: Lettering, ring: np.ndarray) -> Errors:
    (x, y), (width, height) = lettering.at, lettering.box
    left, bottom, right, top = document.frame
    if not (left <= x - width / 2 and x + width / 2 <= right and bottom <= y - height / 2 and y + height / 2 <= top):
        yield f"{field}.at", f"{lettering.at} with the box {lettering.box} is outside the frame"
    elif not boxes_inside(np.array([lettering.at]), width, height, ring)[0]:
        text = f"{lettering.at} with the box {lettering.box} does not lie inside the county; names would collide"
        yield f"{field}.at", text
