"""A complete tuning: the search with its checks, the selection, and the held-out games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.runs.tuning.evaluation import warnings_of
from wallsim.runs.tuning.history import History
from wallsim.runs.tuning.journal import Journal
from wallsim.runs.tuning.session import Session
from wallsim.runs.tuning.settings import Settings


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

    `watch` receives the number of games played and the number of games planned, `report` receives each new line of the
    journal.
    """
    session, planned = _session(settings, journal, workers, watch)
    history = session.history
    planned.append(session.games_to_come(generations))
    history.resume(generations, session.check, report)
    result = session.finish(name)
    return history, {
        **result,
        "pool": [member.identity() for member in history.pool.members],
        "warnings": warnings_of(result["held_out"], result["fair"]),
    }


def history_of(
    settings: Settings,
    journal: Journal,
    generations: int,
    *,
    workers: int,
    clock: Callable[[], float] | None = None,
    watch: Callable[[int, int], None] = lambda done, total: None,
    report: Callable[[dict[str, Any]], None] = lambda line: None,
) -> History:
    """The history of a finished search of so many generations; only what the journal lacks is played again.

    `clock` is that of the search, see `History`; `watch` and `report` are those of `tune_policy`.
    """
    session, planned = _session(settings, journal, workers, watch, clock)
    planned.append(session.games_missing(generations))
    session.history.resume(generations, session.check, report)
    return session.history


def _session(
    settings: Settings,
    journal: Journal,
    workers: int,
    watch: Callable[[int, int], None],
    clock: Callable[[], float] | None = None,
) -> tuple[Session, list[int]]:
    # The list gets the number of games that are planned, once it is known.
    played, planned = 0, [0]

    def count(games: int) -> None:
        nonlocal played
        played += games
        watch(played, planned[-1])

    return Session(settings, journal, workers, count, clock), planned
