"""Output of `.ci/bench speed`: the tables of the terminal, and those of docs/speed.md."""

from __future__ import annotations

from benchmarks.parts import Part
from benchmarks.records import Machine
from benchmarks.speeds import SETTING_POLICIES, Cost, SettingSpeed, Speeds
from wallsim.markdown import code
from wallsim.play.speed import PlanCost, Speed
from wallsim.rules.terms import ROUNDS

_SEATS = 4
_SECONDS = 1e-6  # of a microsecond


def parts_of_speeds(speeds: Speeds) -> tuple[Part, ...]:
    """The tables of policies, settings and costs."""
    policies = [(code(speed.policy), *_speed(speed), *_plan(speed, plan)) for speed, plan in _with_plans(speeds)]
    one, *others = speeds.mixed.policy.split(", ")
    mixed = (f"one {code(one)} among {len(others)} {code(others[0])}", *_speed(speeds.mixed), "", "")
    headings = (
        "policy", "games per CPU second", "lowest to highest", "games in the time of 10⁹ draws", "µs per plan",
        "share of plans",
    )  # fmt: skip
    return (
        Part("Policies", headings, [*policies, mixed], _machine(speeds.machine)),
        Part(
            "Settings", ("setting", *map(code, SETTING_POLICIES)), _settings(speeds.settings),
            "Games per CPU second, medians.",
        ),
        Part(
            "Costs", ("what", "CPU time", "lowest to highest", "samples"), [_cost(cost) for cost in speeds.costs],
            "Medians. Tables are those of `random`, beyond playing; commands are whole.",
        ),
    )  # fmt: skip


def _with_plans(speeds: Speeds) -> list[tuple[Speed, PlanCost]]:
    return list(zip(speeds.policies, speeds.plans, strict=True))


def _speed(speed: Speed) -> tuple[str, str, str]:
    extremes = f"{_number(speed.lowest)} to {_number(speed.highest)}"
    return _number(speed.games_per_second), extremes, _number(speed.per_billion_draws)


def _plan(speed: Speed, plan: PlanCost) -> tuple[str, str]:
    # Of a game and of its plans by themselves, which are measured apart: a search may seem to take more than all.
    share = min(1.0, ROUNDS * _SEATS * plan.microseconds * _SECONDS * speed.games_per_second)
    return _number(plan.microseconds), f"{share:.0%}"


def _settings(settings: list[SettingSpeed]) -> list[tuple[str, ...]]:
    speeds: dict[str, list[str]] = {}
    for setting, speed in settings:
        speeds.setdefault(setting, []).append(_number(speed.games_per_second))
    return [(setting, *row) for setting, row in speeds.items()]


def _cost(cost: Cost) -> tuple[str, ...]:
    numbers = (f"{value:,.2f}" for value in (cost.median, cost.lowest, cost.highest))
    median, lowest, highest = numbers
    return cost.what, f"{median} {cost.unit}", f"{lowest} to {highest}", str(cost.samples)


def _machine(machine: Machine) -> str:
    cores = "one core" if machine.cores == 1 else f"one of {machine.cores} cores"
    return (
        f"Four-player games with line-ups, without compiling, on {cores} ({machine.processor}, Python "
        f"{machine.python}, engine version {machine.engine_version}). The load was {machine.load:.1f} when measuring "
        "began."
    )


def _number(value: float) -> str:
    # Three digits of small numbers, since plans take from a hundredth of a microsecond to hundredths of a second.
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
