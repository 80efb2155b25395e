"""A best response is searched against copies of one policy until a budget is spent, over interruptions too."""

import json
from dataclasses import dataclass, replace

import pytest

from tests.searches.tuning.stand_ins import BEST, START, QuadraticEvaluator, distance, settings
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.policies.search import Search
from wallsim.policies.value.value_file import load_value
from wallsim.searches import weights as module
from wallsim.searches.response import DRAWN, KNOWN, Response, searcher, starting_policy
from wallsim.searches.search import searched as searched_in
from wallsim.searches.tuning import session

PLAN = replace(settings(pool=(START,), references=(("beaten", START),), check_every=3, games=30), self_play=False)
SECONDS = 7.0  # of a generation


class Clock:
    """A clock that a generation moves by some seconds."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        self.now += SECONDS / 2
        return self.now


@pytest.fixture
def evaluator(monkeypatch):
    """The stand-in for games, and for the clock; an interruption may be planted."""
    estimate = QuadraticEvaluator()
    monkeypatch.setattr(session, "Games", lambda *args, **kwargs: estimate)
    monkeypatch.setattr(module.time, "process_time", Clock())
    return estimate


@dataclass(frozen=True, kw_only=True)
class Planned(Response):
    """A response with the settings of this test."""

    settings = PLAN


def searched(folder, watch=None, **options):
    histories = []

    def files(search, work, result):
        histories.append(work.history)
        return {"exploit.json": json.dumps(result).encode()}

    result = searched_in(Planned(policy="balanced", name="it", **options), folder, files, watch=watch)
    return (histories or [None])[0], result


def test_it_searches_for_some_generations_and_finds_more(tmp_path, evaluator):
    history, result = searched(tmp_path, generations=40)
    assert result["generations"] == 40
    assert distance(Policy("x", "balanced", result["weights"])) < 0.2 < distance(START)
    assert result["exploitability"]["opponent"] == "balanced"
    assert result["exploitability"]["share"] > 0.7
    assert result["games"] == 40 * (PLAN.population + 1) * 30
    assert list(history.checks) == list(range(3, 41, 3))


def test_all_opponents_are_the_policy_and_stay_so(tmp_path, evaluator):
    history, _ = searched(tmp_path, generations=20)
    assert history.pool.members == [START]
    met = {opponent.name for _, tables, _ in evaluator.calls for table in tables for opponent in table.opponents}
    assert met == {"balanced"}
    assert not any(line["joined"] for line in history.generations)


@pytest.mark.parametrize(("minutes", "generations"), [(0.001, 1), (1.0, 17), (7 * 7 / 120, 7)])
def test_a_budget_of_minutes_is_met_as_nearly_as_whole_generations_can(tmp_path, evaluator, minutes, generations):
    """A generation takes 3.5 seconds by the clock of this test."""
    history, result = searched(tmp_path, minutes=minutes)
    assert [line["cpu"] for line in history.generations] == [3.5] * generations
    assert result["generations"] == generations
    assert result["cpu_minutes"] == round(generations * 3.5 / 60, 2)


def test_a_resumed_search_spends_what_is_left_and_goes_on_as_it_would_have(tmp_path, evaluator):
    _, whole = searched(tmp_path / "whole", minutes=1.0)
    searched(tmp_path / "parts", minutes=0.5)
    history, parts = searched(tmp_path / "parts", minutes=1.0)
    assert len(history.generations) == whole["generations"] == 17
    apart = {"budget": None, "command": None, "row": None}
    assert {**parts, **apart} == {**whole, **apart}
    _, fixed = searched(tmp_path / "fixed", generations=17)
    assert fixed["weights"] == whole["weights"]
    assert fixed["exploitability"] == whole["exploitability"]


def test_a_search_with_the_weights_of_the_response_is_measured_on_request(tmp_path, evaluator):
    _, result = searched(tmp_path, generations=2, search_games=30)
    searching = evaluator.calls[-1][0][0]
    assert searching.search == replace(load_policy("rollout").search, value="season-ends")
    assert (searching.kind, searching.value) == ("rollout", load_value("season-ends"))
    assert searching.weights == result["weights"]
    assert result["search"]["games"] == 30
    assert searched(tmp_path, generations=2)[1]["search"] is None


def test_a_response_starts_without_noise_search_and_code_but_with_counties():
    noisy = replace(
        START, name="noisy", kind="rollout", search=Search(), weights={**START.weights, "noise": 3.0},
        phases={"falls": {"noise": 1.0}, "fall 2": {"noise": 1.0, "hold": 0.1}}, counties={4: {"Altmark": 0.5}},
    )  # fmt: skip
    expected = Policy("noisy", "balanced", START.weights, {"fall 2": {"hold": 0.1}}, counties={4: {"Altmark": 0.5}})
    assert starting_policy(noisy) == expected
    assert starting_policy(load_policy("random")) == START
    assert START.weights.keys() > BEST.keys()


def test_a_search_that_knows_the_policy_takes_the_others_for_it_and_plans_by_it():
    beaten = load_policy("master-4p")
    searching = searcher(START, beaten, 4, KNOWN)
    assert (searching.kind, searching.search.rivals) == ("rollout", "own")
    assert (searching.weights, searching.phases, searching.counties) == (beaten.weights, beaten.phases, beaten.counties)
    assert searching.correction == beaten.correction
    assert (searching.search.value, searching.value) == ("season-ends", load_value("season-ends"))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_search_that_does_not_know_it_takes_the_others_for_other_policies(players):
    beaten = load_policy(f"expert-{players}p")
    searching = searcher(START, beaten, players, DRAWN)
    names = [adviser.name for adviser in searching.advisers]
    assert searching.search.rivals == "mixed"
    assert names[:2] == [f"strong-{players}p", "banker"]
    assert searching.weights == load_policy(f"master-{players}p").weights
    assert beaten.name not in names
    assert searching.search.candidates == tuple(names)
    assert (searching.search.value, searching.value) == ("rollout", load_policy("rollout").value)
