"""Rows counted again from the traces of games under any settings: switches, amounts, editions, set-ups, towers."""

from dataclasses import replace

import pytest

from tests.naive.rng import JIT
from tests.trace import random_settings
from tests.trace.random_settings import OTHERWISE, differences, differing_settings, random_setting
from wallsim.rules.amounts import AMOUNTS
from wallsim.rules.ruleset import Ruleset

pytestmark = pytest.mark.skipif(not JIT, reason="plays whole games")
FEW, MANY = range(16), range(1000, 1400)
# Nobody scores anything, so that all are tied in points and Thalers decide.
FLAT = tuple(
    (name, 0)
    for name in (
        "church_majority_points", "church_points", "county_points", "palace_majority_points", "palace_points",
        "statue_points", "trading_post_majority_points", "trading_post_points", "trophy_points",
    )
)  # fmt: skip


@pytest.mark.parametrize("number", FEW)
def test_rows_of_games_under_any_settings_are_those_of_their_traces(number):
    assert differences(random_setting(number)) == []


@pytest.mark.slow
def test_rows_of_many_games_under_any_settings_are_those_of_their_traces():
    assert {number: result for number in MANY if (result := differences(random_setting(number)))} == {}


def test_every_switch_and_every_amount_is_drawn():
    drawn = set().union(*(differing_settings(random_setting(number).rules) for number in MANY))
    assert drawn == {*OTHERWISE, *(amount.name for amount in AMOUNTS)}


# Ways to count that ignore a setting, each with a ruleset under which they must differ from the rows.
IGNORED = {
    "final_tie": {"final_tie": "shared", "amounts": FLAT},
    "county_points": {"amounts": (("county_points", 4),)},
    "church_points": {"amounts": (("church_points", 3),)},
    "palace_majority_points": {"amounts": (("palace_majority_points", 7),)},
    "majority_tie_deduction": {"amounts": (("majority_tie_deduction", 0),)},
    "statue_points": {"amounts": (("statue_points", 3),)},
    "trophy_points": {"amounts": (("trophy_points", 4),)},
}


@pytest.mark.parametrize("name", IGNORED)
def test_a_count_that_ignores_a_setting_differs_from_the_rows(name, monkeypatch):
    """The tests above would be empty if games did not depend on it."""
    setting = random_setting(
        1,
        players=3,
        setup="lineup",
        lineups=(),
        expansions=("leaders",),
        edition="2e",
        bank=0,
        **{"final_tie": "thalers", "statue_points": "each_winter", "amounts": (), **IGNORED[name]},
    )
    setting = replace(setting, policies=("balanced",) * 3)
    games = range(6)
    assert all(differences(setting, game) == [] for game in games)
    blind = replace(setting.rules, **{name: getattr(Ruleset(), name)} if name == "final_tie" else {"amounts": ()})
    monkeypatch.setattr(random_settings, "rules_of_the_count", lambda _: blind)
    assert any(differing(setting, game) for game in games)


def differing(setting, game):
    """Whether rows differ, or lines of the trace are not what the ruleset makes of the board."""
    try:
        return differences(setting, game) != []
    except AssertionError:
        return True
