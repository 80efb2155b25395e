"""Expansions by group: the lines with expansions, tables of each size, and one better player."""

import pytest

from wallsim.analyses.expansions import groups
from wallsim.analyses.expansions.effects import scope_of
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import EXPANSIONS
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE
from wallsim.studies.study import Choices

FOR_EXPANSIONS = {
    weight.name
    for weight in WEIGHTS
    if weight.needs is not None and any(name in weight.needs.words for name in EXPANSIONS)
}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("table", [EXPERIENCED_TABLE, SECOND_TABLE])
def test_a_line_with_expansions_differs_in_nothing_else(table, players):
    line = load_policy(groups.line_of(table, players))
    plain = load_policy(groups.plain_line(table, players))
    tuned = load_policy(f"strong-{players}p-bigbox")
    for name, weights in ((name, weights) for name, weights in line.weights.items()):
        assert weights == (tuned if name in FOR_EXPANSIONS else plain).weights.get(name, plain.weights.get(name))
    for phase, weights in line.phases.items():
        for name, value in weights.items():
            source = tuned if name in FOR_EXPANSIONS else plain
            assert value == source.phases[phase][name]
    assert line.counties == plain.counties
    assert FOR_EXPANSIONS >= {"favor", "courtier", "regions", "statue", "leader"}


def test_one_better_player_sits_in_every_seat_once():
    played = {(players, table): each for kind, players, table, each in groups.planned(scope_of(Choices()))
              if kind == "better"}  # fmt: skip
    for players in (3, 4, 5):
        tables, line = played[players, CASUAL_TABLE], groups.line_of(EXPERIENCED_TABLE, players)
        assert [each.policies.index(line) for each in tables] == list(range(players))
        assert all(each.policies.count("amateur") == players - 1 for each in tables)
        assert {(each.setup, each.players) for each in tables} == {("lineup", players)}
