"""Thousands of games of every kind: rows computed twice, rules that no game breaks, the strength of `balanced` (slow).

Every kind is each edition with any expansions for three to five players, with line-ups or a draft: 96 in all.
"""

from dataclasses import replace

import pytest

from tests.engine.invariants import Columns, broken_rules
from tests.naive.making import BOARD, SUBSETS, other_settings
from tests.naive.table import read_table
from tests.policies.seating import BIG_BOX, VARIANTS, arena_of, arena_under, label
from tests.trace.recorded import record
from tests.trace.rows_from_trace import Rows
from wallsim.engine.columns import SEAT_COLUMNS, columns_of
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.stats.intervals import Confidence, wilson
from wallsim.trace.json_lines import trace_lines

pytestmark = pytest.mark.slow

TRACED, PLAYED, EACH, SWITCHED, SNAPSHOT, MATCHES = 150, 20_000, 300, 200, 10, 5_000
BASE = [Ruleset(players=players, setup=setup) for players, setup in VARIANTS]
KINDS = [
    Ruleset(players=players, setup=setup, edition=edition, expansions=expansions)
    for edition in ("2e", "1e")
    for expansions in SUBSETS
    for players, setup in VARIANTS
]
OTHERWISE = {switch.mark: {switch.field: other_settings()[switch.field]} for switch in SWITCHES}
policies = pytest.mark.parametrize("policy", ["random", "balanced"])


def differing(matrix, rows, columns):
    """(row, column, played, recounted) where a matrix and recounted rows differ; a count that never came up is 0."""
    names = [column.name for column in columns]
    assert len(matrix) == len(rows)
    assert not {name for row in rows for name, count in row.items() if count} - set(names)
    pairs = zip(matrix.tolist(), rows, strict=True)
    return [
        (number, name, played, row.get(name, 0))
        for number, (values, row) in enumerate(pairs)
        for name, played in zip(names, values, strict=True)
        if played != row.get(name, 0)
    ]


@pytest.mark.one_in(5)
@policies
@pytest.mark.parametrize("rules", [*BASE, *BIG_BOX], ids=label)
def test_rows_recounted_from_the_traces_are_those_played(rules, policy):
    first = record(rules.players, rules.setup, 0, (policy,), rules.edition, rules.expansions)
    tables = first.arena.play(0, TRACED, seasons=True, battles=True, counties=True, plans=True)
    games, seats, seasons, battles, counties, plans = [], [], [], [], [], []
    for number in range(TRACED):
        match = replace(first.match, number=number)
        rows = Rows(match, trace_lines(match, first.arena.trace(number)))
        games.append(rows.game)
        seats += rows.seats
        seasons += rows.seasons
        battles += [{**row, "game": number} for row in rows.battles]
        counties += [{**row, "game": number} for row in rows.counties.rows]
        plans += rows.plans.rows
    recounted = {
        "games": games, "seats": seats, "seasons": seasons, "battles": battles, "counties": counties, "plans": plans
    }  # fmt: skip
    for name, rows in recounted.items():
        assert differing(getattr(tables, name), rows, columns_of(name, rules.expansions)) == []


def assert_unbroken(rules, policy, seed, games, snapshots):
    """No game breaks a rule; of some games neither does the table after any season."""
    arena = arena_under(rules, load_policy(policy), seed=seed)
    assert broken_rules(arena.play(0, games, seasons=True), rules) == []
    for number in range(snapshots):
        for table in arena.trace(number).snapshots:
            assert read_table(table, BOARD, rules).errors() == []


@pytest.mark.one_in(5)
@policies
@pytest.mark.parametrize("rules", BASE, ids=label)
def test_no_game_breaks_a_rule(rules, policy):
    assert_unbroken(rules, policy, 23, PLAYED, 0)


@pytest.mark.one_in(5)
@policies
@pytest.mark.parametrize("rules", KINDS, ids=label)
def test_no_game_of_any_kind_breaks_a_rule(rules, policy):
    assert_unbroken(rules, policy, 41, EACH, SNAPSHOT)


@pytest.mark.one_in(5)
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
        assert_unbroken(rules, policy, 29, SWITCHED, SNAPSHOT)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seat", range(4))
def test_balanced_beats_three_random_seats(seat):
    seated = [load_policy("balanced" if place == seat else "random") for place in range(4)]
    seats = Columns(arena_of(4, "lineup", *seated).play(0, MATCHES).seats, SEAT_COLUMNS, MATCHES, 4)
    wins = seats["win"][:, seat]
    share = sum(1 / win for win in wins if win) / MATCHES
    assert wilson(share, MATCHES, Confidence(n_comparisons=4).z)[0] > 0.97
