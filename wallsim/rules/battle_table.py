"""The chance to win a battle, for policies: exact for the model `independent`, by its mean rates for the others."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn
from wallsim.rules.tower_tables import binomial_distribution, sum_distribution

# How far the table reaches, exclusive: cubes thrown and cubes inside, of the attacker and of all defenders.
THROWN, INSIDE, FOES_THROWN, FOES_INSIDE = 20, 16, 20, 24
WHOLE = 65535  # the entry of a sure victory
USUAL_CAST = 8  # cubes: about what a battle throws
_CASTS = 200  # until the mean contents have settled


@lru_cache(maxsize=64)
def win_table(p: float, q: float) -> np.ndarray:
    """Chances in units of 1/65535 that more cubes of the attacker fall than of the defenders, uint16 [16, 24, 20, 20].

    Thrown cubes fall with chance p, cubes inside with q, each by itself; the axes are the cubes inside, of the attacker
    and of the defenders together (owner and peasants on its side, B6.6), then the cubes thrown. So the battles that a
    player compares are neighbours in memory.
    """
    most = FOES_THROWN + FOES_INSIDE - 1
    attacker = _distributions(p, q, THROWN, INSIDE, most)
    fewer = np.zeros((FOES_THROWN * FOES_INSIDE, most))  # column k: the chance of at most k - 1
    fewer[:, 1:] = np.cumsum(_distributions(p, q, FOES_THROWN, FOES_INSIDE, most), axis=1)[:, :-1]
    chances = np.rint(attacker @ fewer.T * WHOLE).clip(0, WHOLE)
    table = chances.astype(np.uint16).reshape(INSIDE, THROWN, FOES_INSIDE, FOES_THROWN).swapaxes(1, 2).copy()
    table.setflags(write=False)
    return table


def _distributions(p: float, q: float, thrown: int, inside: int, width: int) -> np.ndarray:
    # A row for every number inside and, within it, every number thrown.
    distributions = np.zeros((inside * thrown, width))
    falling = [binomial_distribution(cubes, p) for cubes in range(thrown)]
    for held in range(inside):
        released = binomial_distribution(held, q)
        for cubes in range(thrown):
            distribution = sum_distribution(falling[cubes], released)
            distributions[held * thrown + cubes, : len(distribution)] = distribution
    return distributions


def mean_rates(model: TowerParameters) -> tuple[float, float]:
    """Mean chances that a thrown cube falls through and that a cube inside is knocked loose.

    For `independent` they are p and q; for the other models those of casts of eight cubes once the contents have
    settled, in mean field.
    """
    if isinstance(model, Independent):
        return model.p, model.q
    return _urn_rates(model) if isinstance(model, Urn) else _layered_rates(model)


def release_chance(model: Urn, cubes: int) -> float:
    """The mean chance that a cast of so many cubes knocks a cube of an urn loose."""
    if cubes == 0:
        return 0.0
    hazard = model.kappa * cubes**model.beta
    return -math.expm1(-hazard if model.phi == 0 else -math.log1p(model.phi * hazard) / model.phi)


def stay_chance(model: Urn, inside: float) -> float:
    """The chance that a cube thrown into an urn with so many cubes inside stays there."""
    return model.retention * max(0.0, 1.0 - float((inside / model.capacity) ** model.alpha))


def _urn_rates(model: Urn) -> tuple[float, float]:
    loose = release_chance(model, USUAL_CAST)
    inside = kept = 0.0
    for _ in range(_CASTS):
        inside -= loose * inside
        kept = inside
        for _ in range(USUAL_CAST):
            inside += stay_chance(model, inside)
        kept = inside - kept
    return 1 - kept / USUAL_CAST, loose


def _layered_rates(model: Layered) -> tuple[float, float]:
    through, held = 1.0, 0.0
    for cells, stick, knock in zip(model.cells, model.stick, model.knock, strict=True):
        loss = knock * (1 / (1 - model.cascade) - model.swap)
        taken = stick / (stick + loss) if stick + loss > 0 else 0.0
        through *= 1 - stick * (1 - taken) - model.swap * knock * taken
        held += cells * taken
    if held == 0:
        return 1.0, 0.0
    # A small tower's cubes all leave in a cast, and some that were thrown into it in the same one.
    return max(through, 1 - held / USUAL_CAST), min(1.0, USUAL_CAST * (1 - through) / held)
