"""Many runs against one: the scenarios of a folder, whose intervals hold all together."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wallsim.analysis.contrasts.comparison import Comparison, compare
from wallsim.analysis.contrasts.groups import BY_LINEUP, BY_SEAT
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.errors import InputError
from wallsim.rules.suggestions import did_you_mean
from wallsim.runs.scenarios.folder import Scenarios
from wallsim.stats.intervals import LEVEL, Confidence


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
