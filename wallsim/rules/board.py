"""The board as read-only numbers: counties, borders, events, supply chart, line-ups (B0.1, B1.3, B7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.errors import InputError, listed
from wallsim.rules.board_cards import ASSUMED, CHART_SIZE
from wallsim.rules.board_check import Contents, board_name, check_board, contents_of, files_there, read_contents
from wallsim.rules.board_table import Problem, Row, Table
from wallsim.rules.files import data_folder, read_input
from wallsim.rules.terms import EFFECTS

__all__ = ["Board", "BoardError", "Problem", "check_board", "load_board"]

# The army groups of one line-up in file order: county, armies, and whether the file says "assumed".
Lineup = tuple[tuple[int, int, bool], ...]


class BoardError(InputError):
    """A board folder that cannot be played; `errors` holds all that is wrong with it."""

    errors: list[Problem]

    def __init__(self, errors: list[Problem]) -> None:
        """Keeps the errors; the message lists them, one per line."""
        super().__init__(errors)

    def __str__(self) -> str:
        """How many errors there are, and each on a line of its own."""
        count = len(self.errors)
        return "\n".join([f"the board has {count} error{'s' if count != 1 else ''}:", *listed(self.errors)])


@dataclass(frozen=True, eq=False)
class Board:
    """What is printed on the board and the cards. All arrays are int64 and read-only.

    Counties keep the order of counties.csv, regions the order in which they first appear there, events the
    order of events.csv. A set of counties is a bit mask: bit c stands for county c.
    """

    counties: tuple[str, ...]  # [45] names
    regions: tuple[str, ...]  # [5] names
    region: np.ndarray  # [45] number of the county's region
    tax: np.ndarray  # [45] Thalers printed on the card
    grain: np.ndarray  # [45] grain printed on the card
    sites: np.ndarray  # [45] places for buildings
    min_players: np.ndarray  # [45] the county is in the game with so many players or more (B0.1)
    neighbours: np.ndarray  # [45] set of adjacent counties on the whole map
    events: tuple[str, ...]  # [12] names
    event_effect: np.ndarray  # [12] place of the effect in terms.EFFECTS
    event_loss: np.ndarray  # [12] grain lost in the winter whose card it is (B7.1)
    revolting: np.ndarray  # [64] revolting counties, by shortage of grain up to 63 (B7.2)
    extra: np.ndarray  # [64] extra peasants in each of them, by shortage
    lineups: dict[tuple[int, str], Lineup]  # by (players, letter) (B1.3); none where the board has none
    favors: tuple[dict[str, Any], ...]  # [21] rows of favors.csv, amounts as int (E6)
    landsknechte: tuple[dict[str, Any], ...]  # [4] rows of landsknechte.csv, amounts as int (L1)
    assumed: tuple[str, ...]  # one readable line for each figure without a source, its file first
    digest: str  # sha256 over names and bytes of its files, in hexadecimal
    name: str = ""  # what its folder is called; empty for the board that ships with the package


def load_board(folder: str | Path | None = None) -> Board:
    """The board of a folder; without one, the board that ships with the package.

    Raises BoardError, with all errors of the folder, if it cannot be played.
    """
    place = Path(folder) if folder is not None else data_folder("board")
    name = board_name(place) if folder is not None else ""
    try:
        files = tuple((file, read_input(place / file)) for file in files_there(place))
    except OSError:
        return _checked(read_contents(place), name)  # which says what cannot be read
    return _board_of(files, name)


@lru_cache(maxsize=32)
def _board_of(files: tuple[tuple[str, bytes], ...], name: str) -> Board:
    # A study has thousands of experiments on one board, which is checked once.
    return _checked(contents_of(dict(files)), name)


def _checked(contents: Contents, name: str) -> Board:
    if contents.errors:
        raise BoardError(contents.errors)
    return _board(contents, name)


def _board(contents: Contents, name: str) -> Board:
    tables = contents.tables
    table = tables["counties.csv"]
    counties = tuple(row["county"] for row in table.rows)
    regions = tuple(dict.fromkeys(row["region"] for row in table.rows))
    number = {county: place for place, county in enumerate(counties)}
    events = tables["events.csv"]
    chart = tables["supply_chart.csv"]
    return Board(
        counties=counties,
        regions=regions,
        region=_frozen(regions.index(row["region"]) for row in table.rows),
        tax=_column(table, "tax"),
        grain=_column(table, "grain"),
        sites=_column(table, "sites"),
        min_players=_column(table, "min_players"),
        neighbours=_neighbours(tables["borders.csv"], number),
        events=tuple(row["event"] for row in events.rows),
        event_effect=_frozen(EFFECTS.index(row["effect"]) for row in events.rows),
        event_loss=_column(events, "winter_grain_loss"),
        revolting=_by_shortage(chart, "revolting_counties"),
        extra=_by_shortage(chart, "extra_peasants"),
        lineups=_lineups(tables["lineups.csv"], number) if "lineups.csv" in tables else {},
        favors=tuple(dict(row.cells) for row in tables["favors.csv"].rows),
        landsknechte=tuple(dict(row.cells) for row in tables["landsknechte.csv"].rows),
        assumed=_assumed(tables),
        digest=contents.digest,
        name=name,
    )


def _frozen(values: Any) -> np.ndarray:
    array = np.array(list(values), dtype=np.int64)
    array.setflags(write=False)
    return array


def _column(table: Table, column: str) -> np.ndarray:
    return _frozen(row[column] for row in table.rows)


def _neighbours(table: Table, number: dict[str, int]) -> np.ndarray:
    masks = [0] * len(number)
    for row in table.rows:
        a, b = number[row["county_a"]], number[row["county_b"]]
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return _frozen(masks)


def _by_shortage(chart: Table, column: str) -> np.ndarray:
    values = [0] * CHART_SIZE
    for row in chart.rows:
        end = CHART_SIZE - 1 if row["shortage_to"] == "" else row["shortage_to"]
        for shortage in range(row["shortage_from"], end + 1):
            values[shortage] = row[column]
    return _frozen(values)


def _lineups(table: Table, number: dict[str, int]) -> dict[tuple[int, str], Lineup]:
    groups: dict[tuple[int, str], list[tuple[int, int, bool]]] = {}
    for row in table.rows:
        group = (number[row["county"]], row["armies"], _is_assumed(row))
        groups.setdefault((row["players"], row["lineup"]), []).append(group)
    return {key: tuple(rows) for key, rows in groups.items()}


def _is_assumed(row: Row) -> bool:
    return ASSUMED in row["provenance"]


def _assumed(tables: dict[str, Table]) -> tuple[str, ...]:
    described = {
        "lineups.csv": lambda row: f"{row['players']} players, line-up {row['lineup']}, {row['county']}",
        "favors.csv": lambda row: f"card {row['number']}, {row['kind']} {row['value']}".rstrip(),
        "landsknechte.csv": lambda row: f"card {row['card']}",
    }
    return tuple(
        f"{file}: {describe(row)}"
        for file, describe in described.items()
        if file in tables
        for row in tables[file].rows
        if _is_assumed(row)
    )


@cache
def printed_board() -> Board:
    """The board that ships with the package."""
    return load_board()
