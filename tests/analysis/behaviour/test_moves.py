"""A weight is moved within its bounds, and what a move costs is measured among copies of the policy as it is."""

import pytest

from tests.refusals import assert_names, refused
from wallsim.analysis.behaviour.moves import Move, games_of_moves, measure_moves, moved, moves_of
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.report.tables.behaviour import moves_section
from wallsim.searches.tuning.evaluation import Finding

BY_NAME = {weight.name: weight for weight in WEIGHTS}
HOLD = BY_NAME["hold"]


def test_a_weight_moves_in_every_round_and_stops_at_its_bounds():
    policy = load_policy("strong-4p")
    for weight in WEIGHTS:
        for by in (-0.3 * (weight.high - weight.low), 0.3 * (weight.high - weight.low)):
            other = moved(policy, weight, by)
            for place in range(6):
                before, after = policy.weights_in(place), other.weights_in(place) if other else policy.weights_in(place)
                expected = min(weight.high, max(weight.low, before[weight.name] + by))
                assert after[weight.name] == pytest.approx(expected)
                assert {**after, weight.name: 0.0} == {**before, weight.name: 0.0}
    assert policy == load_policy("strong-4p")


def test_what_lies_at_a_bound_moves_one_way():
    policy = load_policy("balanced")
    policy.weights["hold"] = HOLD.high
    ways = [by for weight, by, _ in moves_of(policy, Experiment(players=3)) if weight.name == "hold"]
    assert ways == [pytest.approx(-0.1 * (HOLD.high - HOLD.low))]


def test_weights_of_the_draft_are_moved_in_a_draft_alone():
    names = [{weight.name for weight, _, _ in moves_of(load_policy("balanced"), Experiment(setup=setup))}
             for setup in ("lineup", "draft")]  # fmt: skip
    assert names[1] - names[0] >= {"garrison", "draft_border"}
    assert names[0] <= names[1]


def test_a_move_that_ruins_a_policy_costs_wins_and_all_games_are_counted(monkeypatch):
    policy, experiment = load_policy("balanced"), Experiment(players=3, seed=5)
    thaler = BY_NAME["thaler"]
    ruined = moved(policy, thaler, thaler.low - thaler.high)
    planned = [(thaler, -9.0, ruined), (HOLD, 0.0, policy)]
    monkeypatch.setattr("wallsim.analysis.behaviour.moves.moves_of", lambda *_: planned)
    played = []
    ruin, same = measure_moves(policy, experiment, 900, 1, played.append)
    assert ruin.finding.high < 1 / 3
    assert same.finding.low < 1 / 3 < same.finding.high
    assert sum(played) == games_of_moves(policy, experiment, 900) == 1800


def test_policies_that_do_not_play_by_weights_alone_are_refused():
    for name in ("random", "rollout"):
        with refused(name):
            moves_of(load_policy(name), Experiment())


def test_the_table_begins_with_what_costs_most():
    def move(name, by, share):
        return Move(BY_NAME[name], by, Finding("x", "host", 400, 100, share, share - 0.02, share + 0.02, 3))

    text = moves_section("mine", [move("hold", -0.1, 0.24), move("hold", 0.1, 0.26), move("thaler", 0.2, 0.1)])
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert [row.split("|")[1].strip() for row in rows] == ["`thaler`", "`hold`"]
    assert rows[0].split("|")[3].strip() == "–"
    assert_names(text, "1 of 3 moves", "0 to gain", "400 games", "100 blocks")
