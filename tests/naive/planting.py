"""Logs of games with a tower whose model is known, single casts, and layered towers drawn from the prior of a fit."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np

from tests.naive.tower import game_log, independent_cast, layered_cast, urn_cast
from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
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


def prepared(thrown, held, fallen) -> PreparedLog:
    """Casts by colour, each [casts, colours], whatever lay inside before."""
    casts, colours = np.shape(thrown)
    log = CastLog.of([str(colour) for colour in range(colours)], ["1"] * casts, ["bench"] * casts, thrown, fallen)
    return PreparedLog(replace(log, held=np.array(held, np.int64)))


def cast_probability(parameters: TowerParameters, thrown, held, fallen) -> float:
    """The chance that a cast lets out exactly `fallen` cubes, given those thrown and held; one number per colour."""
    if any(not 0 <= out <= into + inside for into, inside, out in zip(thrown, held, fallen, strict=True)):
        return 0.0
    return exp(log_likelihood(parameters, prepared([thrown], [held], [fallen])))
