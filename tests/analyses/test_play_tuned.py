"""Seats tuned for a habit in the study `play`: what is searched, and how the result is compared."""

from dataclasses import replace

import numpy as np
import pytest

from wallsim.analyses.play import tuned, tuning
from wallsim.analyses.play.changes import POINTS, SHOWN, WINS, changes_with, unchanged
from wallsim.analyses.play.habits import HABITS
from wallsim.analyses.play.tables import TABLES, experiment_of
from wallsim.policies.catalogue import load_policy, read_policy
from wallsim.rules.terms import ROUNDS
from wallsim.studies.catalogue import load_study

SEARCHES = {one.name: one for one in tuning.searches()}


def test_every_policy_of_a_search_is_there_and_no_other():
    assert {path.stem for path in tuned.TUNED.glob("*.toml")} == set(SEARCHES)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: tuned.NAMES[table])
def test_a_tuned_policy_has_its_habit_and_the_noise_and_correction_of_its_table(table):
    base = load_policy(experiment_of(4, table).policies[0])
    for name in (None, *tuned.COSTLY[table]):
        policy = tuned.policy_of(table, name)
        assert policy.correction == base.correction
        assert policy.counties == base.counties
        assert policy.weights["noise"] == base.weights["noise"]
        if name is not None:
            habit = HABITS[name]
            with_habit = habit.of(base)
            for place in range(ROUNDS):
                mine, meant = policy.weights_in(place), with_habit.weights_in(place)
                said = {*habit.weights, *(weight for phase in habit.phases.values() for weight in phase)}
                changed = {weight for weight in said if meant[weight] != base.weights_in(place)[weight]}
                assert {weight: mine[weight] for weight in changed} == {weight: meant[weight] for weight in changed}
            assert bool(policy.answers) == (habit.code is not None)


def test_the_weights_of_a_habit_are_not_searched_and_every_candidate_has_it():
    one = SEARCHES["first-build-in-the-first-spring"]
    settings, free = one.settings(), SEARCHES["first"].settings()
    names = {coordinate.name for coordinate in settings.weights}
    left_out = {coordinate.name for coordinate in free.weights} - names
    assert left_out == {"thaler in spring 1", "majority in spring 1", "hold in spring 1"}
    candidate = settings.policy("candidate", {"thaler in fall 2": 3.0})
    assert candidate.weights_in(0)["hold"] == HABITS["Build in the first spring"].phases["spring 1"]["hold"]
    assert candidate.weights_in(ROUNDS - 1)["thaler"] == 3.0


def test_a_search_goes_on_where_it_was_and_writes_a_policy(tmp_path, monkeypatch):
    """Two generations in one go are those in two; the file has the tuned weights."""
    for name, value in {"GAMES": 24, "POPULATION": 4, "FEWEST": 24}.items():
        monkeypatch.setattr(tuning, name, value)
    one = SEARCHES["casual-act-first"]
    results = []
    for folder, goes in ((tmp_path / "whole", [2]), (tmp_path / "parts", [1, 2])):
        for generations in goes:
            monkeypatch.setattr(tuning, "GENERATIONS", generations)
            result = tuning.search(one, folder, 1)
        results.append({key: value for key, value in result.items() if key != "seconds"})
    assert results[0] == results[1]
    path = tmp_path / "casual-act-first.toml"
    path.write_text(tuning.policy_file(one, result), "utf-8")
    policy = read_policy(path)
    assert policy.weights == result["weights"]
    assert policy.phases == result["phases"]


def test_a_tuned_seat_is_compared_with_one_tuned_without_a_habit(tmp_path, monkeypatch):
    """Differences by block of the same games; a seat tuned for nothing but what it plays already changes nothing."""
    table, name = TABLES[0], "Act first"
    base = load_policy(experiment_of(4, table).policies[0])
    monkeypatch.setitem(tuned.COSTLY, table, (name,))
    other = replace(base, weights={**base.weights, "noise": 3.0})
    monkeypatch.setattr(tuned, "policy_of", lambda table, habit: base if habit is None else other)
    found = tuned.tuned_for(table, 3, load_study("play").storage(tmp_path, 1))
    assert (found[POINTS].value, found[WINS].value) == (0.0, 0.0)
    measures = (HABITS[name].measure,)
    experiment = experiment_of(4, table)
    before = unchanged(experiment, measures, 3, 1)
    direct = changes_with(experiment, lambda _: other, measures, 3, 1, before)
    each = {what: found[f"{name} {what}"].value for what in (POINTS, WINS, tuned.GAIN, SHOWN)}
    assert each[POINTS] == pytest.approx(direct[POINTS].mean())
    assert each[tuned.GAIN] == each[POINTS]
    assert each[WINS] == pytest.approx(direct[WINS].mean())
    assert each[SHOWN] == pytest.approx(direct[measures[0].words].mean())
    assert np.abs(direct[POINTS]).sum() > 0
