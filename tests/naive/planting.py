"""Logs of games with a tower whose model is known, and layered towers drawn from the prior of a fit."""

from __future__ import annotations

import numpy as np

from tests.naive.tower import game_log, independent_cast, layered_cast, urn_cast
from wallsim.analysis.tower.casts import CastLog
from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn


def planted_games(model: TowerParameters, games: int, seed: int) -> CastLog:
    """The log of some games, each with an empty tower at first, cube by cube in plain Python."""
    rng = np.random.default_rng(seed)
    if isinstance(model, Independent):
        return game_log(rng, lambda thrown, held: independent_cast(rng, model, thrown, held), games)
    if isinstance(model, Urn):
        return game_log(rng, lambda thrown, held: urn_cast(rng, model, thrown, held), games)
    floors: list[list[int]] = [[] for _ in model.cells]

    def cast(thrown, held):
        if sum(held) == 0:
            for floor in floors:
                floor.clear()
        return layered_cast(rng, model, thrown, floors)

    return game_log(rng, cast, games)


def layered_from_the_prior(rng: np.random.Generator, floors: int = 2) -> Layered:
    """Equal floors of 5 to 60 cells, stick and knock from 0.02 to 1, even in their logarithms; cascade 0 to 0.4."""
    cells, stick, knock = np.exp(rng.uniform(np.log([4.5, 0.02, 0.02]), np.log([60.5, 1, 1])))
    return Layered((round(cells),) * floors, (stick,) * floors, (knock,) * floors, float(rng.uniform(0, 0.4)))
