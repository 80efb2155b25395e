"""Reads the files of a board folder and collects all errors in them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wallsim.rules import board_cards as cards
from wallsim.rules import board_lineups as lineups
from wallsim.rules import board_map as maps
from wallsim.rules.board_cells import Cell
from wallsim.rules.board_table import Problem, Table, read_table
from wallsim.rules.files import read_input

SCHEMAS: Mapping[str, Mapping[str, Cell]] = {
    "counties.csv": maps.COUNTY_COLUMNS,
    "borders.csv": maps.BORDER_COLUMNS,
    "lineups.csv": lineups.LINEUP_COLUMNS,
    "events.csv": cards.EVENT_COLUMNS,
    "supply_chart.csv": cards.CHART_COLUMNS,
    "favors.csv": cards.FAVOR_COLUMNS,
    "landsknechte.csv": cards.LANDSKNECHT_COLUMNS,
}
OPTIONAL = ("lineups.csv",)  # a draft deals no line-ups


MOST_BYTES = 400_000  # of a file; the shipped ones have up to 3,000


@dataclass(frozen=True)
class Contents:
    """A board folder as read: tables by file, errors in order of files and lines, digest of the bytes."""

    tables: dict[str, Table]
    errors: list[Problem]
    digest: str


def check_board(folder: str | Path) -> list[Problem]:
    """Every error of a board folder, by file, line and column; an empty list if the board can be played."""
    return read_contents(Path(folder)).errors


def read_contents(folder: Path) -> Contents:
    """Reads and checks the files of a board folder, of which `OPTIONAL` may be missing; others are left alone."""
    errors: list[Problem] = []
    if problem := _folder_problem(folder):
        unusable = Problem(str(folder), 0, "", f"{problem}; a board folder contains {', '.join(SCHEMAS)}")
        return Contents({}, [unusable], "")
    contents = {file: data for file in SCHEMAS if (data := _read_bytes(folder, file, errors)) is not None}
    return contents_of(contents, errors)


def files_there(folder: Path) -> list[str]:
    """The names of the files of a board folder, without optional ones that it does not have."""
    return [file for file in SCHEMAS if file not in OPTIONAL or (folder / file).exists()]


def contents_of(contents: Mapping[str, bytes], errors: Sequence[Problem] = ()) -> Contents:
    """The same of the bytes of the files, with the errors of those that could not be read."""
    errors, tables = list(errors), {}
    for file, data in contents.items():
        table = read_table(file, data, SCHEMAS[file], errors)
        if table is not None:
            tables[file] = table
    _check_tables(tables)
    order = list(SCHEMAS)
    errors.sort(key=lambda error: (order.index(error.file), error.line, error.column))
    return Contents(tables, errors, _digest(contents))


def _folder_problem(folder: Path) -> str:
    # Empty for a folder; a path may also be longer than the file system allows, or have a parent that is closed.
    try:
        return "" if folder.is_dir() else "no such folder"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _read_bytes(folder: Path, file: str, errors: list[Problem]) -> bytes | None:
    try:
        return read_input(folder / file, MOST_BYTES)
    except FileNotFoundError:
        if file not in OPTIONAL:
            errors.append(Problem(file, 0, "", f"missing file; the columns {', '.join(SCHEMAS[file])} are needed"))
    except OSError as error:
        errors.append(Problem(file, 0, "", f"cannot be read: {error.strerror}"))
    return None


def _check_tables(tables: dict[str, Table]) -> None:
    counties = tables.get("counties.csv")
    if counties:
        maps.check_counties(counties)
    if borders := tables.get("borders.csv"):
        maps.check_borders(borders, counties)
    if table := tables.get("lineups.csv"):
        lineups.check_lineups(table, counties)
    for file, check in (
        ("events.csv", cards.check_events),
        ("supply_chart.csv", cards.check_supply_chart),
        ("favors.csv", cards.check_favors),
        ("landsknechte.csv", cards.check_landsknechte),
    ):
        if table := tables.get(file):
            check(table)


def _digest(contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for file, data in sorted(contents.items()):
        # The length keeps the end of one file apart from the name of the next.
        digest.update(f"{file}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()
