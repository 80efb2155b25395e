"""The mean rates of a tower: how likely a thrown cube falls through, and one inside is knocked loose.

Policies plan with them, and lists of towers show them, without arrays. Games follow from them, so powers are computed
with decimals, which are the same on every system, unlike those of the C library.
"""

from __future__ import annotations

from decimal import Context, Decimal
from functools import lru_cache

from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn

TYPICAL_CAST = 8  # cubes: about what a battle throws
_CASTS = 200  # until the mean contents have settled
_DECIMALS = Context(prec=40)
_NO_GROWTH = Decimal("1e-20")  # log(1 + x) is x for such an x, as far as a float64 shows


def mean_rates(model: TowerParameters) -> tuple[float, float]:
    """Mean chances that a thrown cube falls through and that a cube inside is knocked loose.

    For `independent` they are p and q; for the other models those of casts of eight cubes once the contents have
    settled, in mean field.
    """
    if isinstance(model, Independent):
        return model.p, model.q
    return _urn_rates(model) if isinstance(model, Urn) else _layered_rates(model)


def pass_chance(model: TowerParameters, inside: int) -> float:
    """The mean chance that a thrown cube falls through with so many cubes inside, as far as a model depends on it.

    In a layered tower the cubes inside are spread over the floors as in the mean, with more or fewer in all.
    """
    if isinstance(model, Independent):
        return model.p
    if isinstance(model, Urn):
        return 1 - stay_chance(model, inside)
    taken = [_taken(model, stick, knock) for stick, knock in zip(model.stick, model.knock, strict=True)]
    held, through = 0.0, 1.0
    for cells, share in zip(model.cells, taken, strict=True):
        held += cells * share  # `sum` rounds otherwise before Python 3.12
    for stick, knock, share in zip(model.stick, model.knock, taken, strict=True):
        there = min(1.0, share * inside / held) if held > 0 else 0.0
        through *= 1 - stick * (1 - there) - model.swap * knock * there
    return through


def release_chance(model: Urn, cubes: int) -> float:
    """The mean chance that a cast of so many cubes knocks a cube of an urn loose."""
    force = Decimal(hazard(model, cubes))
    phi = Decimal(model.phi)
    growth = _DECIMALS.multiply(phi, force)
    if growth > _NO_GROWTH:
        force = _DECIMALS.divide(_DECIMALS.ln(_DECIMALS.add(1, growth)), phi)
    return float(_DECIMALS.subtract(1, _DECIMALS.exp(_DECIMALS.minus(force))))


def hazard(model: Urn, cubes: int) -> float:
    """The mean force with which a cast of so many cubes knocks at each cube of an urn: kappa N^beta."""
    return model.kappa * _power(cubes, model.beta) if cubes else 0.0


def _power(base: float, exponent: float) -> float:
    """A number, not negative, to the power of another: the nearest float64."""
    if base == 0 or exponent == 1:
        return float(base)
    return float(_DECIMALS.exp(_DECIMALS.multiply(_DECIMALS.ln(Decimal(float(base))), Decimal(exponent))))


def stay_chance(model: Urn, inside: float) -> float:
    """The chance that a cube thrown into an urn with so many cubes inside stays there."""
    return model.retention * max(0.0, 1.0 - _power(inside / model.capacity, model.alpha))


@lru_cache(maxsize=64)
def _urn_rates(model: Urn) -> tuple[float, float]:
    loose = release_chance(model, TYPICAL_CAST)
    inside = kept = 0.0
    for _ in range(_CASTS):
        inside -= loose * inside
        kept = inside
        for _ in range(TYPICAL_CAST):
            inside += stay_chance(model, inside)
        kept = inside - kept
    return 1 - kept / TYPICAL_CAST, loose


def _taken(model: Layered, stick: float, knock: float) -> float:
    """The share of a floor's cells that are taken once the contents have settled."""
    loss = knock * (1 / (1 - model.cascade) - model.swap)
    return stick / (stick + loss) if stick + loss > 0 else 0.0


def _layered_rates(model: Layered) -> tuple[float, float]:
    through, held = 1.0, 0.0
    for cells, stick, knock in zip(model.cells, model.stick, model.knock, strict=True):
        taken = _taken(model, stick, knock)
        through *= 1 - stick * (1 - taken) - model.swap * knock * taken
        held += cells * taken
    if held == 0:
        return 1.0, 0.0
    # A small tower's cubes all leave in a cast, and some that were thrown into it in the same one.
    return max(through, 1 - held / TYPICAL_CAST), min(1.0, TYPICAL_CAST * (1 - through) / held)
