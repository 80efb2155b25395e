"""The trace of a game reproduces its rows in all result tables, column by column."""

from functools import cache

import pytest

from tests.trace.recorded import EXPANDED, INTERVENED, RANDOM, TABLES, name_of, record
from tests.trace.rows_from_trace import Rows
from wallsim.engine.columns import EXPANSION_COLUMNS, RESULT_TABLES, columns_of
from wallsim.rules.terms import EXPANSIONS

NUMBERS = range(2, 6)


def as_dicts(matrix, columns):
    return [dict(zip((column.name for column in columns), row, strict=True)) for row in matrix.tolist()]


def filled(rows, columns):
    """Rows with a 0 for every count that never came up, and for the game where a table leaves it out."""
    names = [column.name for column in columns]
    assert not {name for row in rows for name, value in row.items() if value} - set(names)
    return [{name: int(row.get(name, 0)) for name in names} for row in rows]


@cache
def assert_traces_give_the_rows(*recording, numbers=NUMBERS):
    """`recording` is what `record` takes, the game's number left out of its place behind the set-up.

    Returns the rows of the seats as counted from the traces.
    """
    arena = record(*recording[:2], 0, *recording[2:]).arena
    tables = arena.play(numbers.start, len(numbers), seasons=True, battles=True, counties=True, plans=True)
    counted = {table.name: [] for table in RESULT_TABLES}
    for number in numbers:
        recorded = record(*recording[:2], number, *recording[2:])
        rows = Rows(recorded.match, recorded.lines)
        counted["games"].append(rows.game)
        counted["seats"] += rows.seats
        counted["seasons"] += rows.seasons
        counted["battles"] += [{**row, "game": number - numbers.start} for row in rows.battles]
        counted["counties"] += [{**row, "game": number - numbers.start} for row in rows.counties.rows]
        counted["plans"] += rows.plans.rows
    for table, rows in counted.items():
        columns = columns_of(table, recorded.match.ruleset.expansions)
        assert as_dicts(getattr(tables, table), columns) == filled(rows, columns), table
    return counted["seats"]


@pytest.mark.parametrize(("players", "setup"), TABLES)
def test_a_trace_reproduces_the_rows_of_its_game(players, setup):
    assert_traces_give_the_rows(players, setup)


COMBINATIONS = [(*game[:2], *game[3:]) for game in EXPANDED] + [
    (5, "draft", RANDOM, "1e", EXPANSIONS),
    (4, "lineup", RANDOM, "2e", ("landsknechte", "leaders")),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("combination", COMBINATIONS, ids=name_of)
def test_a_trace_reproduces_the_rows_of_a_game_with_expansions_or_of_the_first_edition(combination):
    assert_traces_give_the_rows(*combination)


@pytest.mark.parametrize("game", INTERVENED, ids=name_of)
def test_a_trace_reproduces_the_rows_of_a_game_with_interventions(game):
    """Among them those of a traded county whose new owner loses it."""
    assert_traces_give_the_rows(*game[:2], *game[3:], numbers=range(8))


def test_every_count_of_the_expansions_comes_up_in_these_games():
    seats = [row for combination in COMBINATIONS for row in assert_traces_give_the_rows(*combination)]
    # A trophy in year one is rare where everybody plays at random.
    rare = (5, "lineup", RANDOM, "1e", ("landsknechte", "leaders"))
    seats += assert_traces_give_the_rows(*rare, numbers=range(12, 13))
    counts = {column.name for columns in EXPANSION_COLUMNS.values() for column in columns}
    assert not {name for name in counts if not any(row.get(name) for row in seats)}


@pytest.mark.parametrize(("players", "setup"), TABLES)
def test_a_game_does_not_depend_on_those_played_before_it(players, setup):
    arena = record(players, setup, 0).arena
    together = arena.play(0, 60).seats.reshape(60, players, -1)
    changed = [number for number in range(60) if (arena.play(number, 1).seats != together[number]).any()]
    assert not changed
