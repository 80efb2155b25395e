"""What a tuning leaves: one of a few late means, a policy file with its very weights, and a table with a row a mean."""

import re
from types import SimpleNamespace

import pytest

from tests.searches.tuning.stand_ins import BEST, START, QuadraticEvaluator, settings
from wallsim.policies.catalogue import Policy, read_policy
from wallsim.searches.tuning.history import History
from wallsim.searches.tuning.outcome import curve, policy_text
from wallsim.searches.tuning.samples import Pool, seed_for
from wallsim.searches.tuning.session import finalists, select


@pytest.mark.parametrize(
    "fields",
    [
        {"weights": {**START.weights, "hold": 0.123, "caution": -0.5}},
        {"phases": {"year two": {"hold": 0.25, "army": 0.125}, "fall 2": {"hold": 0.1}}},
        {"counties": {3: {"Altmark": 0.25, "Fm. Bayern": -0.5}, 5: {"Böhmen": 1.0}}},
    ],
    ids=["weights", "phases", "counties"],
)
def test_a_policy_file_loads_with_the_same_weights_phases_and_counties(tmp_path, fields):
    policy = Policy("fine", "balanced", **{"weights": START.weights, **fields})
    text = policy_text(policy, 'It is "fine".', ["Made by: a command " + "and its words " * 20, "100 % fair."])
    (tmp_path / "fine.toml").write_text(text, "utf-8")
    assert read_policy(tmp_path / "fine.toml") == policy
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert len(comments) == 4
    assert max(map(len, comments)) <= 120


def test_the_curve_has_a_row_a_mean_and_the_checks_where_they_were():
    history = History(settings(), QuadraticEvaluator())
    checked = {"opponent": "balanced", "share": 0.4, "low": 0.3, "high": 0.5}
    list(history.parts({}, 5, lambda history: True, lambda mean, turn: [checked]))
    table = curve(history)
    assert table["generation"].to_list() == list(range(6))
    assert table["share"].null_count() == 1
    assert table["balanced_share"].to_list() == [None, None, 0.4, None, 0.4, None]
    assert table["hold"].to_list() == [mean["hold"] for mean in history.means()]
    grown = 1 + table["joined"].fill_null(False).cum_sum().shift(1, fill_value=0)
    assert table["pool"].to_list() == grown.to_list()
    assert table["pool"][-1] == len(history.pool.members)


def test_finalists_are_the_last_mean_one_before_it_and_the_average_of_the_last_fourth():
    means = finalists([{"hold": number / 100} for number in range(41)])
    assert {tuple(map(int, re.findall("[0-9]+", name))): mean["hold"] for name, mean in means.items()} == {
        (40,): 0.4, (10,): 0.355, (35,): 0.35,
    }  # fmt: skip
    assert list(finalists([{"hold": 0.5}, {"hold": 0.5001}]).values()) == [{"hold": 0.5}]  # written alike, played once


def test_the_best_score_is_chosen_in_games_of_their_own():
    near, far = BEST, {**BEST, "hold": 0.9}
    evaluator = QuadraticEvaluator()
    means = [far] * 20 + [near] + [far] * 3
    generations, pool = [{}] * (len(means) - 1), Pool([START], 3, 5)
    history = SimpleNamespace(settings=settings(), generations=generations, pool=pool, means=lambda: means)
    result = select(history, evaluator)
    ((policies, tables, seed),) = evaluator.calls
    assert seed == seed_for(5, "selection")
    assert sum(table.count for table in tables) == 30
    assert "after 20 " in result["chosen"]
    assert result["weights"] == BEST
    assert len(policies) == len(result["finalists"]) == 3
