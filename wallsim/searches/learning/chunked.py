"""What learning and teaching share: settings of games in chunks, and fits in processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from joblib import Parallel, parallel_config

from wallsim.current_folder import SAFE_PATH, changed_environment
from wallsim.engine.version import ENGINE_VERSION
from wallsim.experiment.experiment import Experiment, identity
from wallsim.experiment.versions import package_version
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence

_RUN_KEYS = ("policies", "games", "seed", "seasons", "battles", "players", "setup", "tower", "lineups")
_PACKAGES = ("wallsim", "numpy", "numba")
_PURPOSES = ("games", "seatings", "network")  # the seeds depend on this order


@dataclass(frozen=True)
class ChunkedSettings:
    """Which games are played: `cells` are experiments for each number of players, set-up and tower.

    `games` are those of each number of players, rounded up to whole chunks of `chunk_games`.
    """

    cells: tuple[Experiment, ...]
    games: int
    seed: int

    chunk_games: ClassVar[int]

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players, in the order of the command."""
        return tuple(dict.fromkeys(cell.players for cell in self.cells))

    @property
    def chunks(self) -> int:
        """Chunks of each number of players."""
        return -(-self.games // self.chunk_games)

    @property
    def played_games(self) -> int:
        """Games of each number of players: `games`, rounded up to whole chunks."""
        return self.chunks * self.chunk_games

    def cells_of(self, players: int) -> tuple[Experiment, ...]:
        """The cells of a number of players."""
        return tuple(cell for cell in self.cells if cell.players == players)

    def seed_for(self, purpose: str, *position: int) -> int:
        """The seed, from 0 to 2**63 - 1, for a purpose and a position within it."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(_PURPOSES.index(purpose), *position))
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))

    def identity(self) -> dict[str, Any]:
        """What decides the games, in types of JSON."""
        raise NotImplementedError

    def identity_with(self, **facts: Any) -> dict[str, Any]:
        """What decides the games, in types of JSON: the rules, the cells, these further facts, and the seed."""
        whole = [identity(cell, cell.components()) for cell in self.cells]
        return {
            "engine_version": ENGINE_VERSION,
            "rules": {key: value for key, value in whole[0].items() if key not in _RUN_KEYS},
            "cells": [{key: cell.get(key) for key in ("players", "setup", "tower")} for cell in whole],
            **facts,
            "seed": self.seed,
        }


def in_single_threads(tasks: Iterable[Any], count: int, workers: int) -> list[Any]:
    """The results of `count` tasks of joblib, each in a process with a single thread.

    Small matrices want a single thread, which only another process can be given; so there are two workers at least.
    """
    loky = parallel_config(backend="loky", n_jobs=max(2, min(workers, count)), inner_max_num_threads=1)
    with changed_environment(SAFE_PATH), loky:
        return list(Parallel(batch_size=1, pre_dispatch="n_jobs")(tasks))


def fit_all(
    settings: ChunkedSettings, moments: Sequence[str], word: str, tasks: Callable[[int], Iterable[Any]], workers: int
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The models by number of players and moment, and a line about each, which names its moment by a word.

    `tasks` gives for a number of players a task of joblib for each moment, whose result is a model and a line.
    """
    models, lines = {}, []
    for players in settings.players:
        found = in_single_threads(tasks(players), len(moments), workers)
        models[str(players)] = {name: model for name, (model, _) in zip(moments, found, strict=True)}
        lines += [{"players": players, word: name, **line} for name, (_, line) in zip(moments, found, strict=True)]
    return models, lines


def made_with(settings: ChunkedSettings) -> dict[str, Any]:
    """With which versions and in which games a result was made, in types of JSON."""
    return {
        "engine_version": ENGINE_VERSION,
        "packages": {package: package_version(package) for package in _PACKAGES},
        "cells": [[cell.players, cell.setup, cell.tower] for cell in settings.cells],
    }


def ends_of(estimate: Estimate, confidence: Confidence, digits: int) -> dict[str, float | None]:
    """The interval of an estimate, rounded; None for both ends if it has none."""
    ends = estimate.interval(confidence)
    low, high = (None, None) if ends is None else (round(end, digits) for end in ends)
    return {"low": low, "high": high}
