"""A complete tuning: the search with its checks, the selection, and the held-out games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.policies.catalogue import Policy
from wallsim.runs.folder.manifest import package_version
from wallsim.runs.setting import Setting
from wallsim.runs.tuning.held_out import held_out, warnings_of
from wallsim.runs.tuning.history import History
from wallsim.runs.tuning.journal import Journal
from wallsim.runs.tuning.objective import Games
from wallsim.runs.tuning.samples import GAME_PURPOSES, blocks_for, seed_for
from wallsim.runs.tuning.selection import FINALISTS, rounded, select
from wallsim.runs.tuning.settings import Settings

CHECK_FRACTION = 4  # a check plays 1/CHECK_FRACTION of the final held-out games
_PACKAGES = ("wallsim", "cma", "numpy", "numba")


def tune_policy(
    settings: Settings,
    journal: Journal,
    generations: int,
    *,
    name: str,
    workers: int,
    watch: Callable[[int, int], None] = lambda done, total: None,
    report: Callable[[dict[str, Any]], None] = lambda line: None,
) -> tuple[History, dict[str, Any]]:
    """Play the missing part of a tuning; returns its history, and its result in types of JSON.

    Held-out games evaluate the rounded weights, as they are written. `watch` receives the number of games played and
    the number of games planned, `report` receives each new line of the journal.
    """
    seats, planned, played = settings.seats, 0, 0

    def count(games: int) -> None:
        nonlocal played
        played += games
        watch(played, planned)

    setting = Setting(settings.experiment)
    setting.check_custom_policies([*settings.pool, *(policy for _, policy in settings.references)], settings.seed)
    games = Games(setting, workers, count)
    history = History(settings, journal, games)
    planned = _games_to_come(settings, history, generations)

    def findings(policy: Policy, purpose: str, turn: int) -> list[dict[str, Any]]:
        fraction = 1 if purpose == "held-out" else CHECK_FRACTION
        results = held_out(
            games, policy, settings.references,
            seats=seats, games=-(-settings.held_out // fraction), seed=seed_for(settings.seed, purpose), turn=turn,
        )  # fmt: skip
        return [finding.fields() for finding in results]

    def check(mean: dict[str, float], turn: int) -> list[dict[str, Any]]:
        return findings(settings.policy("mean", rounded(mean)), "checks", turn)

    history.resume(generations, check, report)
    selection = select(history, games)
    policy = settings.policy(name, selection["weights"])
    final = findings(policy, "held-out", generations)
    return history, {
        "name": name,
        "generations": generations,
        "settings": settings.identity(),
        "packages": {package: package_version(package) for package in _PACKAGES},
        "seeds": {purpose: seed_for(settings.seed, purpose) for purpose in GAME_PURPOSES},
        "pool": [{"name": member.name, "weights": member.weights} for member in history.pool.members],
        **selection,
        "weights": policy.weights,
        "fair": 1 / seats,
        "held_out": final,
        "warnings": warnings_of(final, 1 / seats),
    }


def _games_to_come(settings: Settings, history: History, generations: int) -> int:
    opponents = len(settings.references)
    per_generation = settings.blocks * (settings.population + 1)
    per_check = blocks_for(-(-settings.held_out // CHECK_FRACTION), settings.seats) * opponents
    at_the_end = blocks_for(settings.held_out, settings.seats) * (opponents + FINALISTS)
    checks = generations // settings.check_every - len(history.checks)
    blocks = per_generation * (generations - len(history.generations)) + per_check * checks + at_the_end
    return blocks * settings.seats
