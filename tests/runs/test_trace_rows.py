"""The trace of a game reproduces its rows in all four result tables, column by column."""

import pytest

from tests.runs.recorded import TABLES, record
from tests.runs.rows_from_trace import Rows
from wallsim.engine.columns import BATTLE_COLUMNS, GAME_COLUMNS, SEASON_COLUMNS, SEAT_COLUMNS

NUMBERS = range(2, 6)


def as_dicts(matrix, columns):
    return [dict(zip((column.name for column in columns), row, strict=True)) for row in matrix.tolist()]


def filled(rows, columns):
    """Rows with a 0 for every count that never came up, and for the game where a table leaves it out."""
    names = [column.name for column in columns]
    assert not {name for row in rows for name in row} - set(names)
    return [{name: int(row.get(name, 0)) for name in names} for row in rows]


@pytest.mark.parametrize(("players", "setup"), TABLES)
def test_a_trace_reproduces_the_rows_of_its_game(players, setup):
    arena = record(players, setup, 0).arena
    tables = arena.play(NUMBERS.start, len(NUMBERS), seasons=True, battles=True)
    games, seats, seasons, battles = [], [], [], []
    for number in NUMBERS:
        recorded = record(players, setup, number)
        rows = Rows(recorded.match, recorded.lines)
        games.append(rows.game)
        seats += rows.seats
        seasons += rows.seasons
        battles += [{**row, "game": number - NUMBERS.start} for row in rows.battles]
    assert as_dicts(tables.games, GAME_COLUMNS) == filled(games, GAME_COLUMNS)
    assert as_dicts(tables.seats, SEAT_COLUMNS) == filled(seats, SEAT_COLUMNS)
    assert as_dicts(tables.seasons, SEASON_COLUMNS) == filled(seasons, SEASON_COLUMNS)
    assert as_dicts(tables.battles, BATTLE_COLUMNS) == filled(battles, BATTLE_COLUMNS)


@pytest.mark.parametrize(("players", "setup"), TABLES)
def test_a_game_does_not_depend_on_those_played_before_it(players, setup):
    arena = record(players, setup, 0).arena
    together = arena.play(0, 60).seats.reshape(60, players, -1)
    changed = [number for number in range(60) if (arena.play(number, 1).seats != together[number]).any()]
    assert not changed
