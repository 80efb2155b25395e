"""Reads the files of a board folder and collects all errors in them, and those of its counties and borders (B0.1)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from wallsim.escaping import is_printable
from wallsim.rules import board_cards as cards
from wallsim.rules.board_table import Cell, Problem, Row, Table, Whole, Word, read_table
from wallsim.rules.files import data_folder, read_input
from wallsim.rules.terms import COUNTIES, MAX_PLAYERS, REGIONS

COUNTIES_PER_REGION = COUNTIES // REGIONS
OUT_WITH_THREE = 8  # B0.1: counties that only four and five players use
MIN_PLAYERS = 3

COUNTY_COLUMNS: Mapping[str, Cell] = {
    "county": Word(),
    "region": Word(),
    "tax": Whole(1, 9),
    "grain": Whole(1, 9),
    "sites": Whole(1, 3),
    "min_players": Whole(MIN_PLAYERS, MAX_PLAYERS),
}
BORDER_COLUMNS: Mapping[str, Cell] = {"county_a": Word(), "county_b": Word()}

Border = tuple[str, str]


def check_counties(table: Table) -> None:
    """Notes wrong numbers of counties, of regions, of counties a region and out with three (B0.1)."""
    table.first_lines("county")
    table.demand_rows("county", COUNTIES)
    _check_regions(table)
    least = [row["min_players"] for row in table.rows]
    out = [row for row in table.rows if (row["min_players"] or MIN_PLAYERS) > MIN_PLAYERS]
    if len(out) != OUT_WITH_THREE and None not in least:
        line = out[OUT_WITH_THREE].line if len(out) > OUT_WITH_THREE else 1
        table.refuse(
            line,
            "min_players",
            f"{len(out)} counties need more than {MIN_PLAYERS} players; exactly {OUT_WITH_THREE} are"
            f" allowed, which leaves {COUNTIES - OUT_WITH_THREE} with {MIN_PLAYERS} players",
        )


def _check_regions(table: Table) -> None:
    members: dict[str, list[Row]] = {}
    for row in table.rows:
        if row["region"] is not None:
            members.setdefault(row["region"], []).append(row)
    if not members:
        return
    if len(members) != REGIONS:
        first = [rows[0].line for rows in members.values()]
        line = first[REGIONS] if len(first) > REGIONS else 1
        text = f"{len(first)} regions ({', '.join(members)}); exactly {REGIONS} are allowed"
        table.refuse(line, "region", text)
    for region, rows in members.items():
        if len(rows) != COUNTIES_PER_REGION:
            row = rows[COUNTIES_PER_REGION] if len(rows) > COUNTIES_PER_REGION else rows[-1]
            text = f"{region!r} has {len(rows)} counties; exactly {COUNTIES_PER_REGION} are allowed in a region"
            table.refuse(row.line, "region", text)


def check_borders(table: Table, counties: Table | None) -> None:
    """Notes unknown names, counties that border themselves, repeated and one-sided borders, and split maps.

    Either each border is listed once, or each is listed in both directions: what at least half of the borders
    do is taken for the form that was meant, and the others are the errors.
    """
    if not table.rows:
        table.refuse(1, "county_a", "no rows below the header; every county must have a neighbour")
        return
    known = {row["county"]: row for row in counties.rows if row["county"]} if counties else {}
    lines: dict[Border, int] = {}
    for row in table.rows:
        pair = row["county_a"], row["county_b"]
        unknown = [name for name in pair if name is not None and known and name not in known]
        for column in BORDER_COLUMNS:
            if row[column] in unknown:
                text = f"unknown county {row[column]!r}; it must be in counties.csv"
                table.refuse(row.line, column, text)
        if None in pair or unknown:
            continue
        if pair[0] == pair[1]:
            table.refuse(row.line, "county_b", f"{pair[1]!r} borders itself; it must border another")
        elif pair in lines:
            text = f"border {pair[0]!r} to {pair[1]!r} duplicates line {lines[pair]}"
            table.refuse(row.line, "county_b", text)
        else:
            lines[pair] = row.line
    _check_directions(table, lines)
    if counties and known:
        _check_connected(counties, known, lines)


def _check_directions(table: Table, lines: dict[Border, int]) -> None:
    twofold = [(a, b) for a, b in lines if (b, a) in lines]
    single = [(a, b) for a, b in lines if (b, a) not in lines]
    if len(twofold) // 2 >= len(single):
        for a, b in single:
            text = f"asymmetric border {a!r} to {b!r}: most borders are listed in both directions; add {b},{a}"
            table.refuse(lines[a, b], "county_b", text)
        return
    for a, b in twofold:
        if lines[a, b] > lines[b, a]:
            table.refuse(
                lines[a, b],
                "county_b",
                f"border {a!r} to {b!r} duplicates line {lines[b, a]} in the other direction;"
                " list each border once, or every border symmetrically in both directions",
            )


def _check_connected(counties: Table, known: dict[str, Row], borders: dict[Border, int]) -> None:
    neighbours: dict[str, set[str]] = {name: set() for name in known}
    for a, b in borders:
        neighbours[a].add(b)
        neighbours[b].add(a)
    reported: list[set[str]] = []
    for players in range(MAX_PLAYERS, MIN_PLAYERS - 1, -1):
        in_play = [name for name, row in known.items() if (row["min_players"] or MIN_PLAYERS) <= players]
        pieces = _connected(in_play, neighbours)
        mainland = max(pieces, key=len, default=set())
        for piece in pieces:
            if piece is mainland or any(piece <= island for island in reported):
                continue
            reported.append(piece)
            first = next(name for name in in_play if name in piece)
            if neighbours[first]:
                names = ", ".join(name for name in in_play if name in piece)
                text = f"no way to {names} on the map of {players} players; borders.csv must connect it"
            else:
                text = f"{first!r} has no neighbour; borders.csv must list one at least"
            counties.refuse(known[first].line, "county", text)


def _connected(names: list[str], neighbours: dict[str, set[str]]) -> list[set[str]]:
    unseen = set(names)
    pieces = []
    for name in names:
        if name not in unseen:
            continue
        piece, frontier = set(), {name}
        while frontier:
            piece |= frontier
            unseen -= frontier
            frontier = {other for county in frontier for other in neighbours[county]} & unseen
        pieces.append(piece)
    return pieces


SCHEMAS: Mapping[str, Mapping[str, Cell]] = {
    "counties.csv": COUNTY_COLUMNS,
    "borders.csv": BORDER_COLUMNS,
    "lineups.csv": cards.LINEUP_COLUMNS,
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
        check_counties(counties)
    if borders := tables.get("borders.csv"):
        check_borders(borders, counties)
    if table := tables.get("lineups.csv"):
        cards.check_lineups(table, counties)
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


NAME_FILE = "name.txt"  # in a board folder, which may lie in a folder of another name, as the copy of a run does
_LONGEST = 80  # characters of a board's name


class BoardNames(NamedTuple):
    """The names of the counties and of the event cards, in the order of their numbers."""

    counties: tuple[str, ...]
    events: tuple[str, ...]


def read_board_names(folder: Path | None = None) -> BoardNames:
    """The names of a board folder; without one, of the board that ships with the package.

    Its other figures are not looked at: `load_board` is what refuses a board that cannot be played.
    """
    tables = read_contents(folder or data_folder("board")).tables
    return BoardNames(
        counties=tuple(row["county"] for row in tables["counties.csv"].rows),
        events=tuple(row["event"] for row in tables["events.csv"].rows),
    )


def board_name(folder: str | Path) -> str:
    """What a board folder is called: the first line of its file name.txt, or without one the folder's own name."""
    try:
        line = read_input(Path(folder) / NAME_FILE).decode("utf-8", "replace").partition("\n")[0].strip()
    except OSError:
        line = ""
    name = line or os.path.basename(os.path.abspath(folder))
    return name[:_LONGEST] if is_printable(name[:_LONGEST]) else ""


def board_copy(folder: str | Path) -> dict[str, bytes]:
    """The files of a board folder by name, with its name; OSError if one of them cannot be read."""
    place = Path(folder)
    return {
        **{file: read_input(place / file) for file in files_there(place)},
        NAME_FILE: f"{board_name(place)}\n".encode(),
    }
