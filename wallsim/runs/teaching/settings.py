"""The settings of a teaching: everything that decides its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.engine.version import ENGINE_VERSION
from wallsim.policies.catalogue import Policy
from wallsim.policies.value.value_file import Value
from wallsim.runs.experiment import Experiment, identity
from wallsim.runs.teaching.lesson_lines import LESSON_BLOCK, LESSON_CHUNK

HELD_OUT = 10  # every tenth block is held out
_PUPILS = 0.6  # the chance of a seat to be the pupil's; one is always
_RUN_KEYS = ("policies", "games", "seed", "seasons", "battles", "players", "setup", "tower", "lineups")
_PURPOSES = ("games", "seatings", "network")  # the seeds depend on this order


@dataclass(frozen=True)
class Settings:
    """From which games a pupil learns, and what is fitted to its lessons.

    `cells` are the settings of the games: an experiment for each number of players, set-up and tower. Each block of
    LESSON_BLOCK games has a cell, and each of its seats is the pupil's or has one of the `rivals`, drawn at random.
    `games` are those of each number of players, rounded up to whole chunks. `value` judges the plans that are tried,
    and the correction is multiplied by `shrink`.
    """

    cells: tuple[Experiment, ...]
    pupil: Policy
    rivals: tuple[Policy, ...]
    value: Value
    games: int
    plans: int
    tables: int
    seed: int
    units: int
    passes: int
    shrink: float

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players, in the order of the command."""
        return tuple(dict.fromkeys(cell.players for cell in self.cells))

    @property
    def chunks(self) -> int:
        """Chunks of each number of players."""
        return -(-self.games // (LESSON_BLOCK * LESSON_CHUNK))

    @property
    def played_games(self) -> int:
        """Games of each number of players: `games`, rounded up to whole chunks."""
        return self.chunks * LESSON_BLOCK * LESSON_CHUNK

    @property
    def wanted_chunks(self) -> list[tuple[int, int]]:
        """The number of players and the number of every chunk, in the order in which they are played."""
        return [(players, chunk) for chunk in range(self.chunks) for players in self.players]

    def cells_of(self, players: int) -> tuple[Experiment, ...]:
        """The cells of a number of players."""
        return tuple(cell for cell in self.cells if cell.players == players)

    def seating(self, players: int, block: int) -> tuple[list[Policy], int]:
        """The policies of a block, one per seat, and the mask of the pupil's seats."""
        rng = np.random.default_rng(self.seed_for("seatings", players, block))
        taught = rng.random(players) < _PUPILS
        taught[rng.integers(players)] = True
        chosen = rng.integers(len(self.rivals), size=players)
        seats = [self.pupil if own else self.rivals[rival] for own, rival in zip(taught, chosen, strict=True)]
        return seats, sum(1 << seat for seat in range(players) if taught[seat])

    def seed_for(self, purpose: str, *position: int) -> int:
        """The seed, from 0 to 2**63 - 1, for a purpose and a position within it."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(_PURPOSES.index(purpose), *position))
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))

    def identity(self) -> dict[str, Any]:
        """What decides the lessons, in types of JSON: a folder can go on with more of them, and fit other models."""
        whole = [identity(cell, cell.components()) for cell in self.cells]
        return {
            "engine_version": ENGINE_VERSION,
            "rules": {key: value for key, value in whole[0].items() if key not in _RUN_KEYS},
            "cells": [{key: cell.get(key) for key in ("players", "setup", "tower")} for cell in whole],
            "pupil": self.pupil.identity(),
            "rivals": [rival.identity() for rival in self.rivals],
            "value": self.value.digest,
            "plans": self.plans,
            "tables": self.tables,
            "seed": self.seed,
        }
