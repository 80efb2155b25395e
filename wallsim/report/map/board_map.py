"""The drawn map of a board folder, `map.json`: optional, checked against the tables, and no part of the board's digest.

A map changes no game, so a board can be played with a bad map or without any. It is read where pictures are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from wallsim.report.map import checks
from wallsim.report.map.document import (
    MAP_FILE,
    MOST_BYTES,
    Document,
    Foreign,
    Lettering,
    MapError,
    MapProblem,
    ProblemList,
    read_document,
)
from wallsim.rules.board import BoardError
from wallsim.rules.board_check import Contents, read_contents
from wallsim.rules.files import data_folder, read_input, stamps_of

__all__ = ["Arc", "BoardMap", "CountyShape", "MapError", "MapProblem", "check_map", "load_map"]


@dataclass(frozen=True, eq=False)
class Arc:
    """A line on the map: points [n, 2], the one or two counties beside it, and `border`, `sea` or `land`."""

    points: np.ndarray
    counties: tuple[str, ...]
    kind: str


@dataclass(frozen=True, eq=False)
class CountyShape:
    """A county on the map: its region, its closed line [n, 2], and its names for wide and for narrow pictures."""

    region: str
    ring: np.ndarray
    label: tuple[float, float]  # the middle of the largest circle inside
    room: float  # the radius of that circle
    name: Lettering
    small: Lettering


@dataclass(frozen=True, eq=False)
class BoardMap:
    """A map that was checked. Lengths are in units of the frame (left, bottom, right, top); y points north."""

    frame: tuple[float, float, float, float]
    regions: Mapping[str, str]  # the fill of each region where no numbers are shown, #rrggbb
    counties: Mapping[str, CountyShape]
    arcs: tuple[Arc, ...]
    foreign: tuple[Foreign, ...]


def check_map(folder: str | Path) -> list[MapProblem]:
    """Every error of the map of a board folder, the first twenty of many; an empty list if it has no map.

    It is compared with counties.csv and borders.csv only if these have no errors of their own.
    """
    errors = ProblemList()
    contents = read_contents(Path(folder))
    if (Path(folder) / MAP_FILE).exists():
        _read(Path(folder), contents, errors)
    return errors.shortened()


def load_map(folder: str | Path | None = None) -> BoardMap | None:
    """The map of a board folder; without a folder, that of the board that ships with the package.

    A folder without `map.json` has the shipped map if its counties, their regions and borders are the shipped ones,
    and otherwise none. Raises BoardError for a board that cannot be played, MapError for a map that cannot be drawn.
    """
    if folder is not None:
        return _load(Path(folder))
    return _shipped_map(stamps_of(data_folder("board")))


@lru_cache(maxsize=1)
def _shipped_map(stamps: tuple[tuple[str, int, int], ...]) -> BoardMap | None:
    # Checking each pair of lines takes longer than drawing a map, so it is done once as long as no file changes.
    return _load(data_folder("board"))


def _load(place: Path) -> BoardMap | None:
    shipped = data_folder("board")
    contents = read_contents(place)
    if contents.errors:
        raise BoardError(contents.errors)
    if not (place / MAP_FILE).exists():
        ours = read_contents(shipped)
        if (_regions(ours), _borders(ours)) != (_regions(contents), _borders(contents)):
            return None
        place = shipped
    errors = ProblemList()
    document = _read(place, contents, errors)
    if document is None or errors:
        raise MapError(errors.shortened())
    return _board_map(document)


def _read(folder: Path, contents: Contents, errors: ProblemList) -> Document | None:
    if not (folder / MAP_FILE).is_file():  # a pipe would never end
        errors.refuse("", "is not a file")
        return None
    try:
        data = read_input(folder / MAP_FILE, MOST_BYTES)
    except OSError as error:
        errors.refuse("", f"cannot be read: {error.strerror}")
        return None
    document = read_document(data, errors)
    if document is not None:
        _check(document, contents, errors)
    return document


def _check(document: Document, contents: Contents, errors: ProblemList) -> None:
    """Each group of checks relies on those before it, so an error ends the list with its group."""
    bad = {error.file for error in contents.errors}
    if "counties.csv" not in bad and "counties.csv" in contents.tables:
        checks.check_counties(document, _regions(contents), errors)
    checks.check_arcs(document, errors)
    if errors:
        return
    if not bad & {"counties.csv", "borders.csv"} and "borders.csv" in contents.tables:
        checks.check_borders(document, _borders(contents), errors)
    checks.check_rings(document, errors)
    if errors:
        return
    checks.check_lines(document, errors)
    checks.check_names(document, errors)


def _regions(contents: Contents) -> dict[str, str]:
    return {row["county"]: row["region"] for row in contents.tables["counties.csv"].rows}


def _borders(contents: Contents) -> set[checks.Border]:
    return {frozenset((row["county_a"], row["county_b"])) for row in contents.tables["borders.csv"].rows}


def _board_map(document: Document) -> BoardMap:
    return BoardMap(
        frame=document.frame,
        regions={name: region.fill for name, region in document.regions.items()},
        counties={
            name: CountyShape(
                county.region, checks.county_ring(document, name), county.label, county.room, county.name, county.small
            )
            for name, county in document.counties.items()
        },
        arcs=tuple(
            Arc(np.array(points, dtype=np.float64), tuple(name for name in names if name is not None), kind)
            for points, names, kind in zip(document.arcs, document.between, document.kind, strict=True)
        ),
        foreign=document.foreign,
    )
