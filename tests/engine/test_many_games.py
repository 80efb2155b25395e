"""Thousands of games of every kind break no rule (slow).

Every kind is each edition with any expansions for three to five players, with line-ups or a draft: 96 in all.
"""

import pytest

from tests.engine.invariants import broken_rules
from tests.naive.making import BOARD, SUBSETS, other_settings
from tests.naive.table import read_table
from tests.policies.seating import VARIANTS, arena_under, label
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import SWITCHES, Ruleset

pytestmark = pytest.mark.slow

EACH, SWITCHED, SNAPSHOT = 300, 200, 5
KINDS = [
    Ruleset(players=players, setup=setup, edition=edition, expansions=expansions)
    for edition in ("2e", "1e")
    for expansions in SUBSETS
    for players, setup in VARIANTS
]
OTHERWISE = {switch.mark: {switch.field: other_settings()[switch.field]} for switch in SWITCHES}
policies = pytest.mark.parametrize("policy", ["random", "balanced"])


def assert_unbroken(rules, policy, games):
    """No game breaks a rule; of some games neither does the table after any season."""
    arena = arena_under(rules, load_policy(policy), seed=41)
    assert broken_rules(arena.play(0, games, seasons=True), rules) == []
    for number in range(SNAPSHOT):
        for table in arena.trace(number).snapshots:
            assert read_table(table, BOARD, rules).errors() == []


@pytest.mark.one_in(8)
@policies
@pytest.mark.parametrize("rules", KINDS, ids=label)
def test_no_game_of_any_kind_breaks_a_rule(rules, policy):
    assert_unbroken(rules, policy, EACH)


@pytest.mark.one_in(8)
@policies
@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("big_box", [False, True], ids=["base", "big box"])
@pytest.mark.parametrize("mark", OTHERWISE)
def test_no_rule_is_broken_with_a_switch_the_other_way(mark, big_box, setup, policy):
    switch = OTHERWISE[mark]
    for players in (3, 4, 5):
        edition = "1e" if big_box and (players < 5 or mark in ("A13", "A16")) else "2e"
        game = {"edition": edition, "expansions": SUBSETS[-1] if big_box else ()}
        rules = Ruleset(players=players, setup=setup, **game, **switch)
        assert rules.options()[mark] != Ruleset(**game).options()[mark]
        assert_unbroken(rules, policy, SWITCHED)
