"""The search for a best response to a policy: one seat of the response, copies of the policy in all others.

The held-out share of wins of the response is the *exploitability* of the policy at this budget: how much of a table an
opponent takes who knows it and may prepare. It is a lower bound, since a longer or cleverer search may find more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from wallsim.folder.tuning_journal import Journal
from wallsim.policies.catalogue import DEFAULT_POLICY, Policy, load_policy, policy_names
from wallsim.policies.kinds import MAX_ADVISERS
from wallsim.policies.value.value_file import load_value
from wallsim.searches.tuning.coordinates import NEVER_TUNED
from wallsim.searches.tuning.history import History
from wallsim.searches.tuning.session import Session
from wallsim.searches.tuning.settings import Settings

KNOWN, DRAWN = "known", "drawn"  # what a search may take the other seats for
_LINES, _STYLES = ("strong", "rival", "tuned"), ("banker", "balanced", "raider", "builder")  # of DRAWN, best first
SEARCHER = "rollout"  # the policy with the settings of the search that is measured too; also the kind of policy
_VALUE = "season-ends"  # of a search by given weights, learned from many policies: that of `rollout` fits its own
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
    rivals: str = "",
    watch: Callable[[int, int], None] = lambda done, total: None,
    report: Callable[[dict[str, Any]], None] = lambda line: None,
) -> tuple[History, dict[str, Any]]:
    """Search until the budget is spent; returns the history, and the result in types of JSON.

    The journal has the CPU time of each generation, of all threads, so that a resumed search spends what is left.
    Checks, the choice of the result and held-out games are not counted, nor is compiling. With `search_games` a search
    is measured too, in so many games: `searcher` says which by `rivals`. `watch` receives what `Budget.progress` gives.
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
    beaten = settings.pool[0]
    searching = searcher(settings.policy(name, result["weights"]), beaten, settings.seats, rivals)
    games = result["generations"] * (settings.population + 1) * settings.blocks * settings.seats
    return history, {
        **result,
        "policy": settings.pool[0].name,
        "budget": {"minutes": budget.minutes, "generations": budget.generations},
        "cpu_minutes": round(history.seconds / _MINUTE, 2),
        "games": games,
        "exploitability": result["held_out"][0],
        "search_games": search_games,
        "rivals": rivals,
        "search": session.findings(searching, search_games, "held-out")[0] if search_games else None,
    }


def searcher(response: Policy, beaten: Policy, seats: int, rivals: str) -> Policy:
    """The policy `rollout` against copies of `beaten`, by what it takes the other seats for.

    KNOWN: they play by the weights of `beaten`, without noise, search or code, and so does the searcher where it plans
    by weights alone. DRAWN: they play as one of some other shipped policies for so many seats, and the searcher plans
    by these, with the value of `rollout`. Else as `rollout` says, by the weights of the response. By the weights of one
    policy it searches with a value that was learned from many.
    """
    plain = load_policy(SEARCHER)
    assert plain.search is not None
    if rivals == KNOWN:
        mind, search, advisers = starting_policy(beaten), replace(plain.search, rivals="own"), [*plain.advisers]
    elif rivals == DRAWN:
        names = [name for name in (*_LINES, *_STYLES) if f"{name}-{seats}p" in policy_names() or name in policy_names()]
        others = [load_policy(f"{name}-{seats}p" if name in _LINES else name) for name in names]
        mind, *advisers = [other for other in others if other.name != beaten.name]
        search = replace(plain.search, rivals="mixed")
    else:
        mind, search, advisers = response, plain.search, [*plain.advisers]
    advisers, value = advisers[:MAX_ADVISERS], plain.search.value if rivals == DRAWN else _VALUE
    return replace(
        plain, name=response.name, weights=mind.weights, phases=mind.phases, counties=mind.counties,
        correction=mind.correction, advisers=tuple(advisers),
        value=load_value(value),
        search=replace(search, candidates=tuple(adviser.name for adviser in advisers), value=value),
    )  # fmt: skip


def _without_noise(table: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in table.items() if name not in NEVER_TUNED}
