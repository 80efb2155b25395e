"""`wallsim.outlook` and the steps of a trace: chances where a value knows them, refusals elsewhere, and tower luck."""

import numpy as np
import pytest

import wallsim
from tests.refusals import assert_names, refused
from tests.trace.steps_of_recorded import check_steps
from wallsim.api.outlook import TABLES, calibrated_for, chances_of, equal_strength
from wallsim.api.trace import values_text
from wallsim.policies.value.model import OUTLOOK, WIN, look_ahead
from wallsim.policies.value.value_file import load_value


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("table", TABLES)
def test_it_is_the_value_of_that_table_and_number_of_players(table, players):
    experiment = wallsim.Experiment(players=players, policies="balanced", setup="draft", seed=4)
    states = wallsim.trace(experiment, 3).states()
    arena = experiment.components().arena(4)
    snapshots, value = arena.trace(3).snapshots, load_value(f"{table}-{players}p").packed()[0]
    for place, state in enumerate(states):
        expected = np.zeros(1, OUTLOOK)[0]
        look_ahead(snapshots[1 + place].copy(), arena.rules[0], value, expected)
        result = wallsim.outlook(state, table)
        assert np.array(result) == pytest.approx(expected.outlook[:players])
        assert sum(each.wins for each in result) == pytest.approx(1.0)
        assert [each.wins for each in result] == pytest.approx(expected.outlook[:players, WIN])


@pytest.mark.slow
@pytest.mark.nightly
def test_chances_come_nearer_to_the_end_of_the_game():
    """Over some games the winner's mean chance rises from season to season."""
    experiment = wallsim.Experiment(policies="casual", seed=8, games=40)
    chances = []
    for events in wallsim.traces(experiment, range(40)):
        winner = events[-1]["winners"][0]
        chances.append([wallsim.outlook(state, "casual")[winner].wins for state in events.states()])
    means = np.mean(chances, axis=0)
    assert means[-1] > 0.75 > means[2] > means[0] > 0.2


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"edition": "1e"}, ["edition: ", "'1e'", "allowed is 2e"]),
        ({"expansions": ["court", "leaders"]}, ["expansions: ", "court, leaders", "allowed are none"]),
        ({"rules": {"food_track": "open"}}, ["changed: ", "A1"]),
    ],
)
def test_what_was_not_learned_is_refused(changes, names):
    state = wallsim.trace(wallsim.Experiment(policies="random", **changes), 0).states()[2]
    with refused(*names):
        wallsim.outlook(state)


def test_other_tables_and_other_things_than_states_are_refused_and_seats_of_unequal_strength():
    state = wallsim.trace(wallsim.Experiment(policies="random"), 0).states()[2]
    assert wallsim.outlook(state, "casual", ["amateur"] * 4) == wallsim.outlook(state, "casual")
    with refused("policies: ", "differ in strength"):
        wallsim.outlook(state, "casual", ["amateur", "random", "amateur", "amateur"])
    for call in (lambda: wallsim.outlook(state, "strong"), lambda: calibrated_for("strong", 4)):
        with refused("table: 'strong' ", "casual, experienced"):
            call()
    with refused("state: dict ", "a State"):
        wallsim.outlook({})
    with refused("players: 6 ", "3, 4 or 5"):
        calibrated_for("casual", 6)


def test_bots_of_equal_strength_are_those_that_a_value_is_calibrated_for():
    assert calibrated_for("casual", 3) == ("casual-3p",)
    assert set(calibrated_for("experienced", 5)) == {"master-5p", "scholar-5p", "expert-5p"}
    for mixed, equal in (
        (["expert-4p", "scholar-4p", "master-4p", "expert-4p"], True),
        (["casual-4p", "amateur", "casual", "casual-3p"], True),
        (["balanced"] * 4, True),
        (["amateur", "expert-4p", "amateur", "amateur"], False),
    ):
        assert equal_strength(mixed, 4) == equal


def test_a_replay_of_seats_of_unequal_strength_shows_no_win_probabilities():
    events = wallsim.trace(wallsim.Experiment(policies=["casual", "random", "casual", "casual"], seed=1), 0)
    assert chances_of(events.match, events, "casual") == {}
    assert_names(values_text(events.match, "casual", False), "No win probabilities", "differ in strength")
    same = wallsim.trace(wallsim.Experiment(policies="casual", seed=1), 0)
    assert chances_of(same.match, same, "casual")
    assert_names(values_text(same.match, "casual", True), "casual bots (casual-4p)")


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
