"""The settings of a teaching: everything that decides its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.policies.catalogue import Policy
from wallsim.policies.value.value_file import Value
from wallsim.runs.learning.chunked import ChunkedSettings
from wallsim.runs.teaching.lesson_lines import LESSON_BLOCK, LESSON_CHUNK

HELD_OUT = 10  # every tenth block is held out
_PUPILS = 0.6  # the chance of a seat to be the pupil's; one is always


@dataclass(frozen=True)
class Settings(ChunkedSettings):
    """From which games a pupil learns, and what is fitted to its lessons.

    `cells` are the settings of the games: an experiment for each number of players, set-up and tower. Each block of
    LESSON_BLOCK games has a cell, and each of its seats is the pupil's or has one of the `rivals`, drawn at random.
    `games` are those of each number of players, rounded up to whole chunks. `value` judges the plans that are tried,
    and the correction is multiplied by `shrink`.
    """

    pupil: Policy
    rivals: tuple[Policy, ...]
    value: Value
    plans: int
    tables: int
    units: int
    passes: int
    shrink: float

    chunk_games = LESSON_BLOCK * LESSON_CHUNK

    def seating(self, players: int, block: int) -> tuple[list[Policy], int]:
        """The policies of a block, one per seat, and the mask of the pupil's seats."""
        rng = np.random.default_rng(self.seed_for("seatings", players, block))
        taught = rng.random(players) < _PUPILS
        taught[rng.integers(players)] = True
        chosen = rng.integers(len(self.rivals), size=players)
        seats = [self.pupil if own else self.rivals[rival] for own, rival in zip(taught, chosen, strict=True)]
        return seats, sum(1 << seat for seat in range(players) if taught[seat])

    def identity(self) -> dict[str, Any]:
        """What decides the lessons, in types of JSON: a folder can go on with more of them, and fit other models."""
        return self.identity_with(
            pupil=self.pupil.identity(),
            rivals=[rival.identity() for rival in self.rivals],
            value=self.value.digest,
            plans=self.plans,
            tables=self.tables,
        )
