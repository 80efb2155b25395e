"""The search for a best response to a policy: one seat of the response, copies of the policy in all others.

The held-out share of wins of the response is the *exploitability* of the policy at this budget: how much of a table an
opponent takes who knows it and may prepare. It is a lower bound, since a longer or cleverer search may find more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from wallsim.policies.catalogue import DEFAULT_POLICY, Policy, load_policy
from wallsim.runs.tuning.history import History
from wallsim.runs.tuning.journal import Journal
from wallsim.runs.tuning.relevant_weights import NEVER_TUNED
from wallsim.runs.tuning.session import Session
from wallsim.runs.tuning.settings import Settings

SEARCHER = "rollout"  # the policy with the settings of the search that is measured too; also the kind of policy
_MINUTE = 60.0  # seconds


@dataclass(frozen=True)
class Budget:
    """How long to search: for some minutes of CPU time, or, if given, for a number of generations."""

    minutes: float
    generations: int | None = None

    def is_spent(self, history: History) -> bool:
        """Whether another generation would lead further away from the minutes than stopping does, or all are done."""
        done = len(history.generations)
        if self.generations is not None:
            return done >= self.generations
        return done > 0 and history.seconds * (1 + 0.5 / done) >= self.minutes * _MINUTE

    def progress(self, history: History) -> tuple[int, int]:
        """What is done and what there is to do: generations, or seconds of CPU time."""
        if self.generations is not None:
            return len(history.generations), self.generations
        return round(history.seconds), round(self.minutes * _MINUTE)


def starting_policy(policy: Policy) -> Policy:
    """The policy by whose weights a response begins: no code, search or noise; `balanced` if it has no weights."""
    known = policy if policy.weights else load_policy(DEFAULT_POLICY)
    phases = {phase: _without_noise(table) for phase, table in known.phases.items()}
    weights = {**known.weights, **dict.fromkeys(NEVER_TUNED, 0.0)}
    phases = {phase: table for phase, table in phases.items() if table}
    return Policy(known.name, "balanced", weights, phases, known.counties, known.correction)


def best_response(
    settings: Settings,
    journal: Journal,
    budget: Budget,
    *,
    name: str,
    workers: int,
    search_games: int = 0,
    watch: Callable[[int, int], None] = lambda done, total: None,
    report: Callable[[dict[str, Any]], None] = lambda line: None,
) -> tuple[History, dict[str, Any]]:
    """Search until the budget is spent; returns the history, and the result in types of JSON.

    The journal has the CPU time of each generation, of all threads, so that a resumed search spends what is left.
    Checks, the choice of the result and held-out games are not counted, nor is compiling. With `search_games` a search
    with the response's weights is measured too, in so many games. `watch` receives what `Budget.progress` gives.
    """
    session = Session(settings, journal, workers, clock=time.process_time)
    history = session.history
    session.compile()
    watch(*budget.progress(history))
    history.resume(journal.generations, session.check, report)  # what a damaged journal lacks
    while not budget.is_spent(history):
        history.resume(len(history.generations) + 1, session.check, report)
        watch(*budget.progress(history))
    history.resume(len(history.generations), session.check, report)  # a check that an interruption left out
    result = session.finish(name)
    searching = replace(
        load_policy(SEARCHER),
        name=name,
        weights=result["weights"],
        phases=result["phases"],
        counties=settings.start.counties,
    )
    games = result["generations"] * (settings.population + 1) * settings.blocks * settings.seats
    return history, {
        **result,
        "policy": settings.pool[0].name,
        "budget": {"minutes": budget.minutes, "generations": budget.generations},
        "cpu_minutes": round(history.seconds / _MINUTE, 2),
        "games": games,
        "exploitability": result["held_out"][0],
        "search_games": search_games,
        "search": session.findings(searching, search_games, "held-out")[0] if search_games else None,
    }


def _without_noise(table: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in table.items() if name not in NEVER_TUNED}
