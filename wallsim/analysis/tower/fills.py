"""The number of cubes that fall out of a tower at the first fill (B1.6)."""

from __future__ import annotations

import numpy as np
import polars as pl

from wallsim.analysis.tower.exact_distributions import MAX_INSIDE, fill_distribution
from wallsim.engine.casting import CastingBench
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.rules.tower import Independent, TowerModel, Urn

FILLS = 20_000
_ARMIES, _PEASANTS = PRINTED["first_fill_armies"], PRINTED["first_fill_peasants"]


def fill_cubes(players: int) -> int:
    """The number of cubes thrown in a first fill: seven armies per player and ten peasants."""
    return _ARMIES * players + _PEASANTS


def first_fill(tower: TowerModel, players: int = 4, *, fills: int = FILLS, seed: int = 1) -> pl.DataFrame:
    """The distribution of the number of cubes that fall out at the first fill; one row per number from 0 on.

    Columns: tower, players, out, chance, fills (how many were simulated, null where exact). Exact by
    `exact_distributions.fill_distribution` where cubes come one by one, else simulated.
    """
    cubes = fill_cubes(players)
    exact = has_exact_fill(tower)
    chances = fill_distribution(tower.parameters, cubes)[::-1] if exact else _simulated(tower, players, fills, seed)
    rows = pl.DataFrame({"out": np.arange(cubes + 1), "chance": np.asarray(chances, np.float64)})
    about = (pl.lit(tower.name).alias("tower"), pl.lit(players).alias("players"))
    return rows.select(*about, "out", "chance", pl.lit(None if exact else fills, pl.Int64).alias("fills"))


def has_exact_fill(tower: TowerModel) -> bool:
    """Whether the distribution of a first fill is exact: cubes come one by one, and a matrix is not too large."""
    parameters = tower.parameters
    if isinstance(parameters, Independent):
        return True
    return parameters.clump == 1 and not (isinstance(parameters, Urn) and parameters.capacity > MAX_INSIDE)


def _simulated(tower: TowerModel, players: int, fills: int, seed: int) -> np.ndarray:
    fill = [_ARMIES] * players + [0] * (COLOURS - players)
    fill[PEASANTS] = _PEASANTS
    fallen = CastingBench(tower).throw(np.tile(fill, (fills, 1)), np.ones(fills, bool), seed=seed).sum(axis=1)
    return np.bincount(fallen, minlength=sum(fill) + 1) / fills
