"""What must hold for the map of a board folder: its counties and their borders (B0.1)."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.rules.board_cells import Cell, Whole, Word
from wallsim.rules.board_table import Row, Table
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
