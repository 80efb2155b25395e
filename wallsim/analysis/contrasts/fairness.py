"""Which of several scenarios is the fairest: their imbalances with intervals, and which differ from the baseline's.

The imbalance of a scenario is the spread of its wins (`wallsim.analysis.games.spread`). The intervals of all scenarios
hold simultaneously, so that the best of many does not look better than is known.
"""

from __future__ import annotations

from dataclasses import dataclass

from wallsim.analysis.contrasts.scenarios import ScenarioComparison
from wallsim.analysis.games.spread import Change, Spread
from wallsim.stats.intervals import Confidence, Interval, side_of


@dataclass(frozen=True)
class Imbalance:
    """The imbalance of a scenario in percentage points, and its change from the baseline's, game by game.

    `change` is None for the baseline. Intervals are None for too few games, that of the change also where one of both
    imbalances is near 0.
    """

    scenario: str
    value: float
    interval: Interval | None
    change: float | None = None
    change_interval: Interval | None = None

    def against(self, baseline: Imbalance) -> int:
        """-1 if it is known to be less than the baseline's, so fairer, 1 if known to be more, else 0."""
        if self.change_interval is not None:
            return side_of(self.change_interval)
        if self.change is None or self.interval is None or baseline.interval is None:
            return 0
        return int(self.interval[0] > baseline.interval[1]) - int(self.interval[1] < baseline.interval[0])

    def meets(self, other: Imbalance) -> bool:
        """Whether both intervals have a value in common, so that neither is known to be fairer; true without any."""
        if self.interval is None or other.interval is None:
            return True
        return self.interval[0] <= other.interval[1] and other.interval[0] <= self.interval[1]


@dataclass(frozen=True)
class Fairness:
    """The imbalances of the scenarios in which seats differ by their line-ups alone, the fairest first."""

    baseline: Imbalance
    ranked: tuple[Imbalance, ...]

    @property
    def fairest(self) -> tuple[Imbalance, ...]:
        """The first one and those that are not distinguishable from it."""
        return tuple(each for each in self.ranked if each.meets(self.ranked[0]))

    def known(self, side: int) -> tuple[Imbalance, ...]:
        """The scenarios that are known to be fairer than the baseline, for a `side` of -1, or for 1 less fair."""
        return tuple(each for each in self.ranked if each.against(self.baseline) == side)


def fairness(result: ScenarioComparison) -> Fairness | None:
    """The imbalances of scenarios and their baseline; None if the baseline or all others have none."""
    spreads = {name: found for name, each in result.comparisons.items() if (found := each.spread()) is not None}
    if not spreads:
        return None
    first = max((each.first for each in spreads.values()), key=lambda each: each.blocks)
    every = Confidence(result.level, len(spreads) + 1)
    baseline = _imbalance(result.baseline, first, every)
    changes = Confidence(result.level, len(spreads))
    others = [_imbalance(name, each.second, every, each.change, changes) for name, each in spreads.items()]
    ranked = sorted([baseline, *others], key=lambda each: each.value)
    return Fairness(baseline, tuple(ranked))


def _imbalance(
    name: str, spread: Spread, every: Confidence, change: Change | None = None, changes: Confidence | None = None
) -> Imbalance:
    if change is None or changes is None:
        return Imbalance(name, spread.value, spread.interval(every))
    return Imbalance(name, spread.value, spread.interval(every), change.value, change.interval(changes))
