"""Expansions by group: the lines with expansions, tables of each size, and one better player."""

import numpy as np
import pytest

from wallsim.analyses.expansions import groups
from wallsim.analyses.expansions.effects import scope_of
from wallsim.analyses.expansions.group_figures import add_groups, sure_of_groups
from wallsim.analyses.expansions.group_tables import group_tables
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.blocks import block_mean
from wallsim.studies.figure import Rows
from wallsim.studies.outcomes import wins_of
from wallsim.studies.register import read_register
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


@pytest.mark.parametrize("players", [3, 4, 5])
def test_one_better_player_sits_in_every_seat_once(players):
    tables = groups.better_tables(CASUAL_TABLE, players)
    line = groups.line_of(EXPERIENCED_TABLE, players)
    assert [each.policies.index(line) for each in tables] == list(range(players))
    assert all(each.policies.count("amateur") == players - 1 for each in tables)
    assert {(each.setup, each.players) for each in tables} == {("lineup", players)}


def planted(gain):
    """Groups in which every outcome rises by `gain` with all three expansions, and by nothing with one alone."""
    random, result = np.random.default_rng(2), groups.Groups({}, {}, {})

    def around(value):
        return block_mean(value + random.normal(0, 0.1, 300))

    for players in (3, 4, 5):
        for table in groups.TABLES:
            for subset in groups.PLAYED:
                more = gain if subset == EXPANSIONS else 0.0
                names = (*groups.OUTCOMES, *map(wins_of, range(players)))
                result.groups[players, table, subset] = {name: around(20 + more) for name in names}
    for players in (3, 4, 5):
        for table in groups.BETTER_TABLES:
            wins = {subset: 60 + players - (gain if subset == EXPANSIONS else 0) for subset in groups.PLAYED}
            result.better.update({(players, table, subset): around(value) for subset, value in wins.items()})
    result.knows.update({table: around(30) for table in groups.TABLES[1:]})
    return result


def test_the_figures_say_what_each_subset_changes():
    rows = Rows("expansions", 1, "0" * 12)
    add_groups(planted(5.0), rows)
    figures = rows.done()
    for players in (3, 4, 5):
        for table in groups.TABLES:
            every = figures.of("group-change", f"all three {groups.POINTS}", players=players, cell=table)
            assert every.value == pytest.approx(5, abs=0.1)
            alone = figures.of("group-change", f"court {groups.POINTS}", players=players, cell=table)
            assert alone.low < 0.1
            assert alone.high > -0.1
        lost = figures.of("change-of-better-player", "all three", players=players, cell=CASUAL_TABLE)
        assert lost.value == pytest.approx(-5, abs=0.1)
        wins = figures.of("better-player", "none", players=players, cell=CASUAL_TABLE)
        assert wins.value == pytest.approx(60 + players, abs=0.1)
        assert wins.null == pytest.approx(100 / players)
    assert sure_of_groups().n_comparisons == 48


def test_the_published_tables_have_every_size_and_the_landsknechte_in_all_play():
    text = "\n".join(group_tables(read_register("expansions"), scope_of(Choices())))
    better = [f"wins of the better player of {players}, %" for players in (3, 4, 5)]
    for words in ("3 players", "4 players", "5 players", *better, "effect of the Landsknechte"):
        assert words in text
