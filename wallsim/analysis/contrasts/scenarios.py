"""Many runs against one: the scenarios of a folder, and which is the fairest. All intervals hold simultaneously.

The imbalance of a scenario is the spread of its wins (`wallsim.analysis.games.spread`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wallsim.analysis.contrasts.comparison import Comparison, compare
from wallsim.analysis.contrasts.groups import BY_LINEUP, BY_SEAT
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.analysis.games.spread import Change, Spread
from wallsim.errors import InputError
from wallsim.folder.scenarios import Scenarios
from wallsim.rules.suggestions import did_you_mean
from wallsim.stats.intervals import LEVEL, Confidence, Interval, side_of


@dataclass(frozen=True)
class ScenarioComparison:
    """Every scenario but the baseline against it, by name; all intervals hold simultaneously (Bonferroni).

    Lines are by line-up where all scenarios are played with line-ups, else by seat.
    """

    baseline: str
    comparisons: dict[str, Comparison]
    level: float = LEVEL

    @property
    def confidence(self) -> Confidence:
        """The confidence of every interval, which counts those of all scenarios."""
        return Confidence(self.level, sum(len(each.contrasts) for each in self.comparisons.values()))

    def p_values(self) -> list[float]:
        """The p-value of no change of each contrast, scenario by scenario, not adjusted; nan without an interval."""
        return [p_value for each in self.comparisons.values() for p_value in each.p_values()]


def compare_scenarios(
    scenarios: Scenarios, baseline: str | None = None, columns: tuple[str, ...] | None = None
) -> ScenarioComparison:
    """Compare each scenario with the baseline, by default the first one, in the games that both have.

    InputError for fewer than two scenarios, an unknown baseline, and scenarios of other seeds or numbers of players.
    RunError if a file is damaged.
    """
    names = list(scenarios.runs)
    chosen = names[0] if baseline is None else baseline
    if chosen not in names:
        raise InputError(f"to: {chosen!r} is not one of {', '.join(names)}{did_you_mean(chosen, names)}")
    if len(names) < 2:
        raise InputError(f"{scenarios.folder} has {len(names)} scenario; at least two are compared")
    lineups = all(run.identity["setup"] == "lineup" for run in scenarios.runs.values())
    found = {
        name: compare(paired_runs(scenarios.runs[chosen], run), by=BY_LINEUP if lineups else BY_SEAT, columns=columns)
        for name, run in scenarios.runs.items()
        if name != chosen
    }
    family = sum(len(each.contrasts) for each in found.values())
    return ScenarioComparison(chosen, {name: replace(each, family=family) for name, each in found.items()})


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
