"""What is left behind: a policy file that loads with the very weights, and a table with a row a mean."""

import polars as pl

from tests.runs.tuning.stand_ins import START, QuadraticEvaluator, settings
from wallsim.policies.catalogue import Policy, read_policy
from wallsim.runs.tuning.history import History
from wallsim.runs.tuning.journal import Journal
from wallsim.runs.tuning.outcome import begin, curve, policy_text, read_result, write_files


def history(folder, generations):
    plan = settings()
    with Journal(folder, plan.identity()) as journal:
        found = History(plan, journal, QuadraticEvaluator())
        checked = {"opponent": "balanced", "share": 0.4, "low": 0.3, "high": 0.5}
        found.resume(generations, lambda mean, turn: [checked], lambda line: None)
    return found


def test_a_policy_file_loads_with_the_same_weights(tmp_path):
    policy = Policy("fine", "balanced", {**START.weights, "hold": 0.123, "caution": -0.5})
    text = policy_text(policy, 'It is "fine".', ["Made by: a command " + "and its words " * 20, "100 % fair."])
    (tmp_path / "fine.toml").write_text(text)
    assert read_policy(tmp_path / "fine.toml") == policy
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert len(comments) == 4
    assert max(map(len, comments)) <= 120


def test_a_policy_file_with_phases_loads_with_the_same_weights(tmp_path):
    phases = {"year two": {"hold": 0.25, "army": 0.125}, "fall 2": {"hold": 0.1}}
    policy = Policy("fine", "balanced", START.weights, phases)
    (tmp_path / "fine.toml").write_text(policy_text(policy, "It is fine.", []))
    assert read_policy(tmp_path / "fine.toml") == policy


def test_the_curve_has_a_row_a_mean_and_the_checks_where_they_were(tmp_path):
    found = history(tmp_path, 5)
    table = curve(found)
    assert table["generation"].to_list() == list(range(6))
    assert table["share"].null_count() == 1
    assert table["balanced_share"].to_list() == [None, None, 0.4, None, 0.4, None]
    assert table["hold"].to_list() == [mean["hold"] for mean in found.means()]
    grown = 1 + table["joined"].fill_null(False).cum_sum().shift(1, fill_value=0)
    assert table["pool"].to_list() == grown.to_list()
    assert table["pool"][-1] == len(found.pool.members)


def test_tune_json_says_that_it_is_finished_until_it_goes_on(tmp_path):
    result = {"name": "fine", "generations": 5, "fair": 0.25}
    write_files(tmp_path, result, "text", pl.DataFrame({"generation": [0]}))
    assert (tmp_path / "fine.toml").read_text() == "text"
    assert read_result(tmp_path, {"name": "fine", "generations": 5}) == result
    assert read_result(tmp_path, {"name": "fine", "generations": 6}) is None
    assert read_result(tmp_path, {"name": "other", "generations": 5}) is None
    begin(tmp_path)
    assert read_result(tmp_path, {"name": "fine", "generations": 5}) is None
