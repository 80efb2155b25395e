"""The fairest scenario comes first, and is said to be fairer only where that is known."""

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import planted_run
from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.analysis.contrasts.scenarios import Imbalance, ScenarioComparison, fairness
from wallsim.stats.intervals import Confidence

GAMES = 4_000


def run_of(name, shares, games=GAMES, **facts):
    """A run in which the seats win with these shares."""
    winners = np.random.default_rng(sum(map(ord, name))).choice(4, games, p=shares)
    wins = (winners[:, None] == np.arange(4)).astype(float)
    return planted_run(name, {"win": wins, "vp": 10 * wins}, **facts)


def result_of(first, **others):
    pairs = {name: compare(paired_runs(first, run), by="lineup", columns=("win",)) for name, run in others.items()}
    return ScenarioComparison("printed", pairs)


PRINTED = (0.4, 0.25, 0.2, 0.15)


def test_scenarios_are_ranked_by_their_imbalance_with_intervals_that_hold_together():
    better, worse = run_of("better", (0.29, 0.26, 0.24, 0.21)), run_of("worse", (0.55, 0.25, 0.1, 0.1))
    result = result_of(run_of("printed", PRINTED), worse=worse, better=better)
    found = fairness(result)
    assert [each.scenario for each in found.ranked] == ["better", "printed", "worse"]
    spreads = {name: each.spread() for name, each in result.comparisons.items()}
    for each in found.ranked:
        spread = spreads["better"].first if each.scenario == "printed" else spreads[each.scenario].second
        assert (each.value, each.interval) == (spread.value, spread.interval(Confidence(0.95, 3)))
    assert [each.scenario for each in found.known(-1)] == ["better"]
    assert [each.scenario for each in found.known(1)] == ["worse"]
    assert [each.scenario for each in found.fairest] == ["better"]
    assert found.baseline.change is None
    assert found.ranked[2].change == pytest.approx(spreads["worse"].change.value)


def test_alike_scenarios_are_not_told_apart():
    found = fairness(result_of(run_of("printed", PRINTED), same=run_of("same", PRINTED)))
    assert {each.scenario for each in found.fairest} == {"printed", "same"}
    assert found.known(-1) == found.known(1) == ()


def test_near_zero_the_intervals_of_both_decide():
    fair = fairness(result_of(run_of("printed", PRINTED), fair=run_of("fair", (0.25,) * 4)))
    assert fair.ranked[0].change_interval is None
    assert [each.scenario for each in fair.known(-1)] == ["fair"]


def test_without_intervals_nothing_is_known():
    few = fairness(result_of(run_of("printed", PRINTED, 20), other=run_of("other", (0.25,) * 4, 20)))
    assert few.known(-1) == few.known(1) == ()
    assert len(few.fairest) == 2
    one, other = Imbalance("a", 1.0, None), Imbalance("b", 9.0, (8.0, 10.0), 8.0)
    assert one.meets(other)
    assert other.against(one) == 0


def test_drafts_and_seats_of_several_bots_have_no_imbalance():
    mixed = [{"name": name, "weights": {}} for name in ("balanced", "builder", "balanced", "builder")]
    assert fairness(result_of(run_of("printed", PRINTED), other=run_of("other", PRINTED, policies=mixed))) is None
    other, third = run_of("other", PRINTED, policies=mixed), run_of("third", PRINTED)
    found = fairness(result_of(run_of("printed", PRINTED), other=other, third=third))
    assert {each.scenario for each in found.ranked} == {"printed", "third"}
