"""The odds of a battle right before its cast, from what lies in tray and tower (B6).

They are exact for the model `independent` and for an urn without clumps. In an urn every cube inside is released with
the same chance, and thrown cubes come in random order: given how many go or stay, every choice of them is equally
likely, so that numbers come first and colours afterwards. Other towers are simulated.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from wallsim.analysis.battle.odds import bench_of, floor_shares
from wallsim.analysis.tower.closed_forms import frailties
from wallsim.rules.mean_rates import stay_chance
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.rules.tower import Independent, TowerModel, Urn
from wallsim.rules.tower_tables import binomial_distribution
from wallsim.trace.replayed_table import PEASANTS as PEASANT_CUBES
from wallsim.trace.table import Cast

CASTS = 4_000  # simulated where odds are not exact: half-widths of 1.5 percentage points
_SEED = 1
_SIDES = np.array(
    [1, -1, -1, 0]
)  # what a cube out of the tower adds to the balance: attacker, defender, allies, others
_DEFENDER = 1


class CastOdds(NamedTuple):
    """The chances of a battle before its cast: attacker, defender, and tie; whether they are exact, not simulated."""

    attacker: float
    defender: float
    tie: float
    exact: bool


def cast_odds(tower: TowerModel, cast: Cast, number: int = 0) -> CastOdds:
    """The odds of a battle before its cast, in a tower that holds what is known to lie in it.

    Exact where the model allows it; else shares of 4,000 casts, with the random numbers of game `number` of a seed of
    their own. The floors of cubes in a layered tower are unknown: see `battle_odds`.
    """
    thrown, inside = _by_side(cast)
    parameters, exact = tower.parameters, True
    if isinstance(parameters, Independent):
        chances = _independent(parameters, thrown, inside)
    elif isinstance(parameters, Urn) and parameters.clump == 1:
        chances = _urn(parameters, thrown, inside)
    else:
        chances, exact = _simulated(tower, thrown, inside, cast, number), False
    balance = np.arange(len(chances)) - _most_against(thrown, inside)
    win = float(chances[balance > 0].sum())
    # Peasants alone cannot hold a player's county (B6.8), unless armies that stood aside do [A13].
    holds = chances[balance < 0].sum(axis=0)
    lose = float(holds.sum() if cast.aside else holds[1])
    return CastOdds(win, lose, max(0.0, 1.0 - win - lose), exact)


def _by_side(cast: Cast) -> tuple[np.ndarray, np.ndarray]:
    """Cubes that are thrown and that lie inside: of attacker, defender, the defender's allies, and all others."""
    sides = [cast.attacker, cast.defender, *([PEASANT_CUBES] if cast.allied else [])]
    counts = []
    for cubes in ({colour: cast.tray[colour] + cast.engaged[colour] for colour in cast.tray}, cast.tower):
        own = [cubes[side] for side in sides]
        counts.append(np.array([*own, *[0] * (3 - len(own)), sum(cubes.values()) - sum(own)]))
    return counts[0], counts[1]


def _most_against(thrown: np.ndarray, inside: np.ndarray) -> int:
    """How far the balance can fall below 0: its place in an array of chances."""
    return int((thrown + inside)[1:3].sum())


def _independent(parameters: Independent, thrown: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Chances [balance, whether the defender has a cube out]; the colours fall independently of each other."""
    attackers, defenders, allies = (
        np.convolve(binomial_distribution(int(cubes), parameters.p), binomial_distribution(int(held), parameters.q))
        for cubes, held in zip(thrown[:3], inside[:3], strict=True)
    )
    none = np.zeros_like(defenders)
    none[0] = defenders[0]
    against = [np.convolve(each, allies)[::-1] for each in (none, defenders - none)]
    return np.stack([np.convolve(each, attackers) for each in against], axis=1)


def _urn(parameters: Urn, thrown: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Chances [balance, whether the defender has a cube out]: by the numbers released and let through."""
    cubes, held = int(thrown.sum()), int(inside.sum())
    released, through = _colours_of(inside), _colours_of(thrown)
    result = np.zeros((int((thrown + inside)[:3].sum()) + 1, 2))
    stays = _stays(parameters, held, cubes)
    for out, chance in enumerate(_released(parameters, held, cubes)):
        fallen = np.tensordot(stays[held - out][::-1], through, axes=1)  # cubes - stayed = fallen
        one, other = released[out], fallen
        none = np.convolve(one[:, 0], other[:, 0])
        both = np.convolve(one.sum(axis=1), other.sum(axis=1))
        result += chance * np.stack([none, both - none], axis=1)
    return result


def _colours_of(counts: np.ndarray) -> np.ndarray:
    """Chances [drawn, balance, whether the defender is among them] if so many of the cubes are drawn at random."""
    choices = np.indices(tuple(map(int, counts + 1))).reshape(4, -1)
    ways = np.ones(choices.shape[1])
    for side in range(4):
        ways *= np.array([comb(int(counts[side]), drawn) for drawn in range(counts[side] + 1)], float)[choices[side]]
    form = (int(counts.sum()) + 1, int(counts[:3].sum()) + 1, 2)
    drawn, balance = choices.sum(axis=0), _SIDES @ choices + counts[1:3].sum()
    places = np.ravel_multi_index((drawn, balance, (choices[_DEFENDER] > 0).astype(int)), form)
    result = np.bincount(places, ways, minlength=int(np.prod(form))).reshape(form)
    return np.asarray(result / result.sum(axis=(1, 2), keepdims=True))


def _released(parameters: Urn, held: int, cubes: int) -> np.ndarray:
    """Chances that 0, 1, ... of the cubes inside are knocked loose by a cast of so many."""
    frailty, weight = frailties(parameters.phi)
    remains = np.exp(-frailty * parameters.kappa * cubes**parameters.beta)
    loose = np.arange(held + 1)[:, None]
    ways = np.array([comb(held, number) for number in range(held + 1)], float)
    return np.asarray(ways * ((1 - remains) ** loose * remains ** (held - loose) @ weight))


def _stays(parameters: Urn, held: int, cubes: int) -> np.ndarray:
    """Chances [inside after the release, stayed] of how many of the thrown cubes stay."""
    chance = np.array([stay_chance(parameters, inside) for inside in range(held + cubes + 1)])
    stayed = np.zeros((held + 1, cubes + 1))
    stayed[:, 0] = 1.0
    each = chance[np.arange(held + 1)[:, None] + np.arange(cubes + 1)]
    for _ in range(cubes):
        moved = stayed * each
        stayed -= moved
        stayed[:, 1:] += moved[:, :-1]
    return stayed


def _simulated(tower: TowerModel, thrown: np.ndarray, inside: np.ndarray, cast: Cast, number: int) -> np.ndarray:
    cubes, held = [0] * COLOURS, [0] * COLOURS
    for colour in cast.tray:
        cubes[_column(colour)] = cast.tray[colour] + cast.engaged[colour]
        held[_column(colour)] = cast.tower[colour]
    shares = floor_shares(tower.parameters)
    out = bench_of(tower).repeat(cubes, held, CASTS, seed=_SEED, number=number, share=shares)
    own = out[:, _column(cast.defender)]
    balance = out[:, _column(cast.attacker)] - own - (out[:, PEASANTS] if cast.allied else 0)
    result = np.zeros((int((thrown + inside)[:3].sum()) + 1, 2))
    np.add.at(result, (balance + _most_against(thrown, inside), (own > 0).astype(int)), 1.0 / CASTS)
    return result


def _column(colour: str) -> int:
    return PEASANTS if colour == PEASANT_CUBES else int(colour)
