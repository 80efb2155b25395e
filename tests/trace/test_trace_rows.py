"""The trace of a game reproduces its rows in all result tables, column by column, under any settings."""

from dataclasses import replace

import pytest

from tests.naive.making import BOARD
from tests.naive.rng import JIT
from tests.trace.differences import differences
from tests.trace.random_settings import OTHERWISE, arena_of, differing_settings, random_setting
from tests.trace.recorded import EXPANDED, INTERVENED, RANDOM, TABLES, name_of, record
from tests.trace.rows_from_trace import Rows
from wallsim.engine.columns import EXPANSION_COLUMNS
from wallsim.rules.amounts import AMOUNTS
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS
from wallsim.trace.match import Match

needs_jit = pytest.mark.skipif(not JIT, reason="plays whole games")
NUMBERS = range(2, 6)
FEW, MANY = range(16), range(1000, 1400)
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


def differences_of(setting, games=1, counted_by=None):
    """Those of the first games of a setting, counted by its ruleset or by another one."""
    rules, tower, policies, seed = setting.rules, setting.tower, setting.policies, setting.seed
    matches = [Match(BOARD, rules, tower, seed, policies, number) for number in range(games)]
    return differences(arena_of(setting), matches, counted_by)


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


# Nobody scores anything, so that all are tied in points and Thalers decide.
FLAT = tuple(
    (name, 0)
    for name in (
        "church_majority_points", "church_points", "county_points", "palace_majority_points", "palace_points",
        "statue_points", "trading_post_majority_points", "trading_post_points", "trophy_points",
    )
)  # fmt: skip


@needs_jit
@pytest.mark.parametrize(
    ("ignored", "amounts"),
    [
        ("final_tie", FLAT),
        ("county_points", (("county_points", 4),)),
        ("church_points", (("church_points", 3),)),
        ("palace_majority_points", (("palace_majority_points", 7),)),
        ("majority_tie_deduction", (("majority_tie_deduction", 0),)),
        ("statue_points", (("statue_points", 3),)),
        ("trophy_points", (("trophy_points", 4),)),
    ],
)
def test_a_count_that_ignores_a_setting_differs_from_the_rows(ignored, amounts):
    """The tests above would be empty if games did not depend on it."""
    usual = Ruleset()
    rules = Ruleset(players=3, expansions=("leaders",), statue_points="each_winter", amounts=amounts)
    if ignored == "final_tie":
        rules, blind = replace(rules, final_tie="shared"), {"final_tie": usual.final_tie}
    else:
        blind = {"amounts": ()}
    setting = replace(random_setting(1, players=3), rules=rules, policies=("balanced",) * 3)
    assert differences_of(setting, 6) == []
    assert found_wrong(setting, replace(rules, **blind))


def found_wrong(setting, counted_by):
    """Whether rows differ, or lines of the trace are not what the ruleset makes of the board."""
    try:
        return differences_of(setting, 6, counted_by) != []
    except AssertionError:
        return True
