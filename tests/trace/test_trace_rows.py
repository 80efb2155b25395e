"""The trace of a game reproduces its rows in all result tables, column by column, under any settings."""

import pytest

from tests.naive.making import BOARD
from tests.naive.rng import JIT
from tests.trace.differences import differences
from tests.trace.random_settings import OTHERWISE, arena_of, differing_settings, random_setting
from tests.trace.recorded import EXPANDED, INTERVENED, RANDOM, TABLES, name_of, record
from tests.trace.rows_from_trace import Rows
from wallsim.engine.columns import EXPANSION_COLUMNS
from wallsim.rules.amounts import AMOUNTS
from wallsim.rules.terms import EXPANSIONS
from wallsim.trace.match import Match

needs_jit = pytest.mark.skipif(not JIT, reason="plays whole games")
NUMBERS = range(2, 6)
FEW, MANY = range(16), range(1000, 1120)
COMBINATIONS = [(*game[:2], *game[3:]) for game in EXPANDED] + [
    (5, "draft", RANDOM, "1e", EXPANSIONS),
    (4, "lineup", RANDOM, "2e", ("landsknechte", "leaders")),
]


def recordings(combination, numbers=NUMBERS):
    """Recorded games of what `record` takes, without the game's number behind the set-up."""
    return [record(*combination[:2], number, *combination[2:]) for number in numbers]


@pytest.mark.parametrize("combination", [*TABLES, *COMBINATIONS], ids=name_of)
def test_traces_reproduce_the_rows_of_their_games(combination):
    games = recordings(combination)
    assert differences(games[0].arena, [game.match for game in games]) == []


@pytest.mark.parametrize("game", INTERVENED, ids=name_of)
def test_traces_reproduce_the_rows_of_games_with_interventions(game):
    """Among them those of a traded county whose new owner loses it."""
    games = recordings((*game[:2], *game[3:]), range(8))
    assert differences(games[0].arena, [game.match for game in games]) == []


def test_every_count_of_the_expansions_comes_up_in_these_games():
    # A trophy in year one is rare where everybody plays at random.
    rare = recordings((5, "lineup", RANDOM, "1e", ("landsknechte", "leaders")), [12])
    games = [game for combination in COMBINATIONS for game in recordings(combination)] + rare
    seats = [row for game in games for row in Rows(game.match, game.lines).seats]
    counts = {column.name for columns in EXPANSION_COLUMNS.values() for column in columns}
    assert not {name for name in counts if not any(row.get(name) for row in seats)}


# --------------------------------------------------------------------------------------------- any settings


def differences_of(setting):
    """Those of the first game of a setting."""
    match = Match(BOARD, setting.rules, setting.tower, setting.seed, setting.policies, 0)
    return differences(arena_of(setting), [match])


@needs_jit
@pytest.mark.parametrize("number", FEW)
def test_rows_of_games_under_any_settings_are_those_of_their_traces(number):
    assert differences_of(random_setting(number)) == []


@needs_jit
@pytest.mark.slow
def test_rows_of_many_games_under_any_settings_are_those_of_their_traces():
    assert {number: result for number in MANY if (result := differences_of(random_setting(number)))} == {}


def test_every_switch_and_every_amount_is_drawn():
    drawn = set().union(*(differing_settings(random_setting(number).rules) for number in MANY))
    assert drawn == {*OTHERWISE, *(amount.name for amount in AMOUNTS)}
