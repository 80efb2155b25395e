"""A complete tuning: the search with its checks, the selection, and the held-out games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.runs.tuning.held_out import warnings_of
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
    planned, played = 0, 0

    def count(games: int) -> None:
        nonlocal played
        played += games
        watch(played, planned)

    session = Session(settings, journal, workers, count)
    history = session.history
    planned = session.games_to_come(generations)
    history.resume(generations, session.check, report)
    result = session.finish(name)
    return history, {
        **result,
        "pool": [member.identity() for member in history.pool.members],
        "warnings": warnings_of(result["held_out"], result["fair"]),
    }
