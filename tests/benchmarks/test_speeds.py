"""`.ci/bench speed`: which games it times, and what it subtracts from the time of tables."""

import pytest
from benchmarks import speeds as module
from benchmarks.speeds import MIXED, POLICIES, SETTING_POLICIES, SETTINGS, measure_speeds

from tests.benchmarks.commands import START, Commands
from tests.naive.rng import JIT
from wallsim.play.speed import PlanCost, Speed

pytestmark = pytest.mark.skipif(not JIT, reason="times machine code")


@pytest.fixture
def timed(monkeypatch):
    """What was timed: the policy and the arena of each measurement, in place of measuring; commands are played."""
    result = []

    def measure(policy, samples, arena=None):
        result.append((policy, arena))
        return Speed(policy, 1.0, 1.0, 1.0, 1.0, samples)

    monkeypatch.setattr(module, "measure", measure)
    monkeypatch.setattr(module, "measure_plans", lambda policy, samples: PlanCost(policy, 1.0, 1.0, 1.0, 24, samples))
    monkeypatch.setattr(module, "CHUNK", 500)
    monkeypatch.setattr(module, "Processes", lambda environment: Commands())
    return result


def test_policies_settings_tables_and_starts_are_measured(timed):
    speeds = measure_speeds(3, tell=lambda words: None)
    assert [speed.policy for speed in speeds.policies] == [plan.policy for plan in speeds.plans] == list(POLICIES)
    assert [(row.setting, row.speed.policy) for row in speeds.settings] == [
        (setting, policy) for setting in SETTINGS for policy in SETTING_POLICIES
    ]
    arenas = dict(zip(SETTINGS, (arena for _, arena in timed[len(POLICIES) + 1 :: len(SETTING_POLICIES)]), strict=True))
    assert {setting for setting, arena in arenas.items() if arena.expansions} == {"all three expansions"}
    assert speeds.mixed.policy.split(", ") == [*MIXED]
    everything, lean, *starts = speeds.costs
    assert 0 < lean.median < everything.median
    assert [(cost.median, cost.samples) for cost in starts] == [(START, 1), (START, 3), (1.0, 3)]
