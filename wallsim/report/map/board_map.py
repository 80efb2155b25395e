"""The drawn map of a board folder, `map.json`: optional, checked against the tables, and no part of the board's digest.

A map changes no game, so a board can be played with a bad map or without any. It is read where pictures are made.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from wallsim.report.map import checks
from wallsim.report.map.document import MAP_FILE, MOST_BYTES, BoardMap, MapError, MapProblem, ProblemList, read_map
from wallsim.rules.board import BoardError
from wallsim.rules.board_check import Contents, read_contents
from wallsim.rules.files import data_folder, read_input, stamps_of

__all__ = ["BoardMap", "MapError", "MapProblem", "check_map", "load_map"]


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
    return document


def _read(folder: Path, contents: Contents, errors: ProblemList) -> BoardMap | None:
    if not (folder / MAP_FILE).is_file():  # a pipe would never end
        errors.refuse("", "is not a file")
        return None
    try:
        data = read_input(folder / MAP_FILE, MOST_BYTES)
    except OSError as error:
        errors.refuse("", f"cannot be read: {error.strerror}")
        return None
    document = read_map(data, errors)
    for place, text in _check(document, contents) if document is not None else ():
        errors.refuse(place, text)
    return document


def _check(document: BoardMap, contents: Contents) -> list[tuple[str, str]]:
    """Each group of checks relies on those before it, so an error ends the list with its group."""
    bad = {error.file for error in contents.errors}
    found = list(checks.check_arcs(document))
    if "counties.csv" not in bad and "counties.csv" in contents.tables:
        found = [*checks.check_counties(document, _regions(contents)), *found]
    if found:
        return found
    if not bad & {"counties.csv", "borders.csv"} and "borders.csv" in contents.tables:
        found += checks.check_borders(document, _borders(contents))
    found += checks.check_rings(document)
    return found or [*checks.check_lines(document), *checks.check_names(document)]


def _regions(contents: Contents) -> dict[str, str]:
    return {row["county"]: row["region"] for row in contents.tables["counties.csv"].rows}


def _borders(contents: Contents) -> set[checks.Border]:
    return {frozenset((row["county_a"], row["county_b"])) for row in contents.tables["borders.csv"].rows}
