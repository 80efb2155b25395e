"""Measuring speeds in CPU time for docs/speed.md: games of policies and settings, the start of a run, and tables."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.process import Processes
from benchmarks.records import Machine
from benchmarks.scale import this_machine
from wallsim.compile_cache.files import VARIABLE as SHIPPED_CODE
from wallsim.compile_cache.folder import VARIABLE as CACHE
from wallsim.experiment.experiment import Experiment, identity
from wallsim.folder.journal import Header
from wallsim.play.chunk_play import run_player
from wallsim.play.speed import PlanCost, Speed, measure, measure_plans
from wallsim.rules.terms import EXPANSIONS

POLICIES = ("random", "balanced", "expert-4p", "scholar-4p", "master-4p", "rollout")
MIXED = ("rollout", *["expert-4p"] * 3)
SETTING_POLICIES = ("random", "balanced")
# Settings by name, as keys of an experiment.
SETTINGS: dict[str, dict[str, Any]] = {
    "line-ups, as above": {},
    "draft": {"setup": "draft", "lineups": ()},
    "all three expansions": {"expansions": EXPANSIONS},
    "first edition": {"edition": "1e"},
    "tower `spielbyweb-urn`": {"tower": "spielbyweb-urn"},
    "tower `spielbyweb-layered`": {"tower": "spielbyweb-layered"},
}
CHUNK = 40_000  # games of a chunk whose tables are timed


class SettingSpeed(NamedTuple):
    """The speed of one policy in all seats under a setting."""

    setting: str
    speed: Speed


class Cost(NamedTuple):
    """What something costs in CPU time: the median, lowest and highest of its samples, in a unit."""

    what: str
    unit: str
    median: float
    lowest: float
    highest: float
    samples: int


@dataclass(frozen=True)
class Speeds:
    """All speeds. `plans` has the cost of a plan for each of `policies`; in `mixed` one seat plays another policy."""

    machine: Machine
    policies: list[Speed]
    plans: list[PlanCost]
    mixed: Speed
    settings: list[SettingSpeed]
    costs: list[Cost]


def measure_speeds(samples: int, tell: Callable[[str], None]) -> Speeds:
    """Measure all speeds; `tell` receives the progress. RunError if a command fails."""
    machine, speeds, plans, settings = this_machine(), [], [], []
    for policy in POLICIES:
        speeds.append(measure(policy, samples))
        plans.append(measure_plans(policy, samples))
        tell(f"{policy}: {speeds[-1].games_per_second:,.0f} games per CPU second")
    mixed = measure(", ".join(MIXED), samples, Experiment(policies=MIXED, seed=1).arena())
    for setting, keys in SETTINGS.items():
        tell(f"games with {setting}")
        for policy in SETTING_POLICIES:
            arena = Experiment(policies=policy, seed=1, **keys).arena()
            settings.append(SettingSpeed(setting, measure(policy, samples, arena)))
    tell("tables")
    costs = [*_table_costs(samples)]
    tell("start-up, first with an empty cache of machine code")
    return Speeds(machine, speeds, plans, mixed, settings, [*costs, *_starts(samples)])


def _table_costs(samples: int) -> list[Cost]:
    # Default and lean tables in turns: the CPU time of a chunk, all threads together, without that of the engine.
    experiments = {
        "default tables": Experiment(policies="random"),
        'tables with `columns = "lean"`': Experiment(policies="random", columns="lean"),
    }
    players = {}
    for what, experiment in experiments.items():
        parts = experiment.components()
        header = Header(None, "", identity(experiment, parts), CHUNK)
        players[what] = run_player(experiment, parts, header)
        players[what].chunk(0, CHUNK // 10, lambda count: None)
    taken: dict[str, list[float]] = {what: [] for what in players}
    for sample in range(samples):
        for what, player in players.items():
            began = time.process_time()
            played = player.chunk(sample * CHUNK, CHUNK, lambda count: None)
            taken[what].append(1e6 * (time.process_time() - began - played.engine_cpu) / CHUNK)
    return [_cost(f"{what}, per game", "µs", values) for what, values in taken.items()]


def _starts(samples: int) -> list[Cost]:
    # Whole commands, with an empty cache of machine code and with that which they filled.
    with tempfile.TemporaryDirectory(prefix="wallsim-bench-") as made:
        processes = Processes({CACHE: str(Path(made) / "cache"), SHIPPED_CODE: "0"})
        used = [
            processes.run(["run", "--games", "1", "--quiet", "--out", str(Path(made) / f"run{number}")]).cpu
            for number in range(1 + samples)
        ]
        summaries = [processes.run(["summary", str(Path(made) / "run0")]).cpu for _ in range(samples)]
    return [
        _cost("first run, of one game, which compiles", "s", used[:1]),
        _cost("later run of one game", "s", used[1:]),
        _cost("summary of it", "s", summaries),
    ]


def _cost(what: str, unit: str, values: list[float]) -> Cost:
    return Cost(what, unit, statistics.median(values), min(values), max(values), len(values))
