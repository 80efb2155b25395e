"""`Trace.steps`: chances where a value knows them, tower luck, and the tables of the trace."""

import pytest

import wallsim
from tests.refusals import refused
from tests.trace.steps_of_recorded import check_steps

CASUAL = wallsim.Experiment(players=4, policies="casual", games=20, seed=5)


@pytest.fixture(scope="module")
def events():
    return wallsim.trace(CASUAL, 7)


def test_steps_are_those_of_the_trace(events):
    steps = events.steps()
    bare = check_steps(events.match, events)
    assert [(step.line, step.sentences, step.patch, step.odds) for step in steps] == [
        (step.line, step.sentences, step.patch, step.odds) for step in bare
    ]
    assert all(isinstance(step, wallsim.Step) for step in steps)


def test_chances_are_the_outlooks_from_fall_on(events):
    states = events.states()[2:]
    for table, steps in (("casual", events.steps()), ("experienced", events.steps("experienced"))):
        expected = [[each.wins for each in wallsim.outlook(state, table)] for state in states]
        assert [list(step.chances) for step in steps if step.chances] == expected
        assert {step.line["t"] for step in steps if step.chances} == {"state"}
    with refused("table: 'strong' ", "casual, experienced"):
        events.steps("strong")


def test_the_tables_at_chances_are_the_states(events):
    table, found = {}, []
    for step in events.steps():
        table = step.applied(table)
        found += [table["counties"]] if step.chances else []
    assert found == [state.counties for state in events.states()[2:]]


@pytest.mark.parametrize("changes", [{"edition": "1e"}, {"expansions": ["court"]}, {"rules": {"food_track": "open"}}])
def test_there_are_no_chances_where_no_value_was_learned(changes):
    events = wallsim.trace(wallsim.Experiment(players=3, policies="random", **changes))
    assert not any(step.chances for step in events.steps())


def test_luck_is_wins_less_chances_of_who_fought(events):
    luck = [0.0] * 4
    for step in events.steps():
        if step.odds is not None:
            for side, chance in zip(("attacker", "defender"), step.odds, strict=False):
                if isinstance(step.line[side], int):
                    luck[step.line[side]] += (step.line["result"] == side) - chance
    assert events.tower_luck() == pytest.approx(luck)
    assert max(map(abs, luck)) > 0.1
