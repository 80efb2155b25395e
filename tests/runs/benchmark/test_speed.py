"""The figures of `wallsim bench`: the timed games are the games that are played."""

import numpy as np
import pytest
from rich.console import Console

from tests.naive.rng import JIT
from tests.policies.searching import EVERYWHERE, arena, table_label
from wallsim.engine.planning import plan_rounds
from wallsim.policies.catalogue import load_policy
from wallsim.report.tables import benchmark as table
from wallsim.report.tables.benchmark import print_bench
from wallsim.rules.terms import WINTER
from wallsim.runs.benchmark import speed as bench
from wallsim.runs.benchmark.speed import PlanCost, Speed
from wallsim.state.game import new_game

pytestmark = pytest.mark.skipif(not JIT, reason="times machine code")
everywhere = pytest.mark.parametrize(("rules", "tower"), EVERYWHERE, ids=table_label)


@everywhere
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_the_plans_that_are_timed_are_those_of_the_game(rules, tower, policy):
    """Planned again from the recorded tables, round by round, they are the cards that lay on the mats."""
    table = arena(rules, load_policy(policy), tower=tower)
    snapshots = table.trace(3).snapshots
    for season in range(7):
        if season % (WINTER + 1) == WINTER:
            continue
        game, players = new_game(), table._players.copy()
        plans = plan_rounds(game[0], table._rules[0], players[0], snapshots[: season + 2], 1)
        assert plans == rules.players * (season + 1 - season // (WINTER + 1))
        assert (int(game[0].year), int(game[0].season)) == divmod(season, WINTER + 1)
        boxes = int(table._rules[0].boxes)
        for seat in range(rules.players):
            laid = snapshots[season + 1].card[seat, :boxes]
            assert players[0].seat[seat].plan[:boxes].tolist() == laid.tolist()


@everywhere
def test_every_seat_plans_every_round_as_often_as_asked(rules, tower):
    table = arena(rules, load_policy("random"), tower=tower)
    snapshots = table.trace(0).snapshots
    before = snapshots.tobytes()
    assert [table.plan_again(snapshots, times) for times in (0, 1, 5)] == [0, 6 * rules.players, 30 * rules.players]
    assert snapshots.tobytes() == before


def test_repeated_plans_are_made_and_not_skipped():
    """A random plan moves its seat's stream each time."""
    table = arena(EVERYWHERE[0][0], load_policy("random"))
    snapshots, words = table.trace(0).snapshots, []
    for times in (1, 2, 50):
        game, players = new_game(), table._players.copy()
        plan_rounds(game[0], table._rules[0], players[0], snapshots[:2], times)
        words.append(game[0].random.copy())
    assert all((words[0][5:8] != other[5:8]).all() for other in words[1:])
    assert (words[0][:5] == words[2][:5]).all()


@pytest.mark.slow
def test_a_plan_costs_time_and_balanced_thinks_longer_than_random():
    result = {policy: bench.measure_plans(policy, samples=3, games=1) for policy in ("random", "balanced")}
    for policy, cost in result.items():
        assert cost.policy == policy
        assert cost.samples == 3
        assert cost.plans % 24 == 0
        assert 0 < cost.lowest <= cost.microseconds <= cost.highest
    assert result["balanced"].lowest > result["random"].highest


def test_the_median_is_that_of_time_by_plans(monkeypatch):
    clock = iter(np.cumsum([0, 9, 0, 9, 0, 1, 0, 3, 0, 2]))
    monkeypatch.setattr(bench.time, "process_time", lambda: float(next(clock)))
    cost = bench.measure_plans("random", samples=3, games=2)
    assert cost.plans == 48
    assert (cost.lowest, cost.microseconds, cost.highest) == pytest.approx((1e6 / 48, 2e6 / 48, 3e6 / 48))


@pytest.mark.parametrize(
    ("cost", "shown"), [(0.02747, "0.0275"), (1.891, "1.89"), (99.94, "99.9"), (100.2, "100"), (8123.4, "8,123")]
)
def test_the_table_has_a_column_for_plans(monkeypatch, cost, shown):
    monkeypatch.setattr(table, "measure", lambda policy, samples: Speed(policy, 14200.0, 14100.0, 14300.0, 11600.0, 3))
    monkeypatch.setattr(table, "measure_plans", lambda policy, samples: PlanCost(policy, cost, cost, cost, 24, 3))
    console = Console(width=160)
    with console.capture() as capture:
        print_bench(console, ["balanced"], 3, runs=False)
    text = capture.get()
    assert "µs per plan" in text
    row = next(line for line in text.splitlines() if "balanced" in line)
    assert row.replace("│", " ").split() == ["balanced", "14,200", "14,100", "to", "14,300", "11,600", shown]
