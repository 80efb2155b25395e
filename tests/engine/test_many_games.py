"""Thousands of games of every kind: rows told twice, rules that no game breaks, the strength of `balanced` (slow)."""

from dataclasses import replace

import pytest

from tests.engine.invariants import Columns, broken_rules
from tests.naive.making import BOARD
from tests.naive.table import read_table
from tests.policies.seating import VARIANTS, arena_of
from tests.runs.recorded import record
from tests.runs.rows_from_trace import Rows
from wallsim.analysis.intervals import normal_quantile, wilson
from wallsim.engine.columns import BATTLE_COLUMNS, GAME_COLUMNS, SEASON_COLUMNS, SEAT_COLUMNS
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.runs.trace import trace_lines

pytestmark = pytest.mark.slow

TRACED, PLAYED, SWITCHED, SNAPSHOT, MATCHES = 150, 20_000, 200, 10, 5_000
OTHERWISE = {
    "A1": {"food_track": "open"},
    "A2": {"bank": 100},
    "A3": {"draft_start": "seat_0"},
    "A4": {"money_bid": "any"},
    "A5": {"income": "if_held"},
    "A6": {"short_supply": "all"},
    "A7": {"combat": "must"},
    "A8": {"few_peasants": "all_or_none"},
    "A9": {"final_tie": "shared"},
}
variants = pytest.mark.parametrize(("players", "setup"), VARIANTS)
policies = pytest.mark.parametrize("policy", ["random", "balanced"])


def differing(matrix, rows, columns):
    """(row, column, played, recounted) where a matrix and recounted rows differ; a count that never came up is 0."""
    names = [column.name for column in columns]
    assert len(matrix) == len(rows)
    assert not {name for row in rows for name in row} - set(names)
    pairs = zip(matrix.tolist(), rows, strict=True)
    return [
        (number, name, played, row.get(name, 0))
        for number, (values, row) in enumerate(pairs)
        for name, played in zip(names, values, strict=True)
        if played != row.get(name, 0)
    ]


@policies
@variants
def test_rows_recounted_from_the_traces_are_those_played(players, setup, policy):
    first = record(players, setup, 0, (policy,))
    tables = first.arena.play(0, TRACED, seasons=True, battles=True)
    games, seats, seasons, battles = [], [], [], []
    for number in range(TRACED):
        match = replace(first.match, number=number)
        rows = Rows(match, trace_lines(match, first.arena.trace(number)))
        games.append(rows.game)
        seats += rows.seats
        seasons += rows.seasons
        battles += [{**row, "game": number} for row in rows.battles]
    assert differing(tables.games, games, GAME_COLUMNS) == []
    assert differing(tables.seats, seats, SEAT_COLUMNS) == []
    assert differing(tables.seasons, seasons, SEASON_COLUMNS) == []
    assert differing(tables.battles, battles, BATTLE_COLUMNS) == []


@policies
@variants
def test_no_game_breaks_a_rule(players, setup, policy):
    arena = arena_of(players, setup, load_policy(policy), seed=23)
    tables = arena.play(0, PLAYED, seasons=True)
    assert broken_rules(tables, Ruleset(players=players, setup=setup)) == []


@policies
@pytest.mark.parametrize("setup", ["lineup", "draft"])
@pytest.mark.parametrize("mark", OTHERWISE)
def test_no_rule_is_broken_with_a_switch_the_other_way(mark, setup, policy):
    """Every size in turn; of some games also the table after each season."""
    switch = OTHERWISE[mark]
    for players in (3, 4, 5):
        rules = Ruleset(players=players, setup=setup, **switch)
        assert rules.options()[mark] != Ruleset().options()[mark]
        arena = arena_of(players, setup, load_policy(policy), seed=29, **switch)
        assert broken_rules(arena.play(0, SWITCHED, seasons=True), rules) == []
        for number in range(SNAPSHOT):
            snapshots = arena.trace(number).snapshots
            assert [fault for table in snapshots for fault in read_table(table, BOARD, rules).faults()] == []


@pytest.mark.parametrize("seat", range(4))
def test_balanced_beats_three_random_seats(seat):
    seated = [load_policy("balanced" if place == seat else "random") for place in range(4)]
    seats = Columns(arena_of(4, "lineup", *seated).play(0, MATCHES).seats, SEAT_COLUMNS, MATCHES, 4)
    wins = seats["win"][:, seat]
    share = sum(1 / win for win in wins if win) / MATCHES
    assert wilson(share, MATCHES, normal_quantile(together=4))[0] > 0.97
