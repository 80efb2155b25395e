"""What the study `expansions` counts in each game, and how an experiment is played by blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wallsim.rules.terms import SEASON_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.studies.cache import Cache
from wallsim.studies.games import Games, in_batches
from wallsim.studies.outcomes import LEADER as LEADER_CHANGE
from wallsim.studies.outcomes import MARGIN, POINTS, SPREAD, outcomes_of

LEADER = "wins of year one's leader, %"  # itself, not its change, which is in percentage points
LEADS = "changes of the lead"
ATTACKS, ON_PLAYERS, REVOLTS = "attacks of a seat", "attacks on players", "revolts of a seat"
OUTCOMES = (POINTS, SPREAD, MARGIN, LEADER, LEADS, ATTACKS, ON_PLAYERS, REVOLTS)


def count(games: Games) -> dict[str, np.ndarray]:
    """The outcomes of each game, float64 [games]."""
    whole = outcomes_of(games)
    return {
        **{LEADER if name == LEADER_CHANGE else name: values for name, values in whole.items()},
        LEADS: changes_of_lead(games),
        ATTACKS: games.seats("attacks").mean(axis=1),
        ON_PLAYERS: games.seats("attacks_on_players").mean(axis=1),
        REVOLTS: games.seats("revolts").mean(axis=1),
    }


def changes_of_lead(games: Games) -> np.ndarray:
    """How often none of the seats that led after a season leads after the next, float64 [games], 0 to 7.

    The leader has the most points, those that the board would bring next winter included; after the last, points alone.
    """
    changes = np.zeros(len(games.numbers))
    before = np.ones((len(games.numbers), games.players), bool)
    last = len(SEASON_NAMES) - 1
    for season in range(len(SEASON_NAMES)):
        column = "vp" if season == last else "vp_with_board"
        points = games.in_seasons(column, np.full(len(games.numbers), season))
        leads = points == points.max(axis=1, keepdims=True)
        changes += ~(leads & before).any(axis=1)
        before = leads
    return changes


def play(experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None) -> dict[str, np.ndarray]:
    """The outcomes of an experiment by block of 6 × players games, from game 0 on, float64 [blocks]."""

    def counted(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        arena = experiment.components().arena(experiment.seed)
        parts = in_batches(arena, range(design["blocks"]), count, seasons=True, workers=workers)
        size = sum(len(part[POINTS]) for part in parts) // design["blocks"]
        return {
            name: np.concatenate([part[name] for part in parts]).reshape(-1, size).mean(axis=1) for name in parts[0]
        }

    return cache.get("games", {"experiment": experiment, "blocks": blocks}, counted)
