"""The numbers that a tuning searches: a weight for all rounds, or a weight in a phase."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy
from wallsim.policies.phased_weights import PHASES, in_order, lay_over, phase_of
from wallsim.policies.weights import DRAFT, WEIGHTS, Weight
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUND_NAMES, ROUNDS

ALL = "all"
GROUPS = {"rounds": ROUND_NAMES, "years": ("year one", "year two")}  # what `phases` may name beside single phases
# By default these have one value for all rounds, though others have one per phase: they matter at one moment of the
# game, or already count the rounds or winters to come.
STEADY = (
    *("income", "last_taxes", "patience", "statue", "leader", "aside"),
    *(weight.name for weight in WEIGHTS if weight.needs is DRAFT),
)


class InPhase(NamedTuple):
    """A weight in one phase, with the weight's bounds."""

    weight: Weight
    phase: str

    @property
    def name(self) -> str:
        """Its name in journals and tables, such as `thaler in fall 2`."""
        return f"{self.weight.name} in {self.phase}"

    @property
    def low(self) -> float:
        """The lower bound."""
        return self.weight.low

    @property
    def high(self) -> float:
        """The upper bound."""
        return self.weight.high


Coordinate = Weight | InPhase


def phases_named(words: Sequence[str]) -> tuple[str, ...]:
    """The phases of `--phases` in their canonical order; InputError for unknown ones and for one without a round.

    `rounds` stands for all single rounds, `years` for both years. Where two phases share a round, the shorter one has
    it.
    """
    allowed = (*GROUPS, *PHASES)
    result: list[str] = []
    for word in words:
        group, phase = GROUPS.get(word.strip().lower()), phase_of(word)
        if group is None and phase is None:
            meant = did_you_mean(word, allowed)
            raise InputError(f"phases: {word!r} is not one of {', '.join(allowed)}{meant}")
        result += group if group is not None else [str(phase)]
    phases = tuple(phase for phase in PHASES if phase in result)
    for phase in phases:
        if not _rounds_of(phase, phases):
            raise InputError(f"phases: {phase!r} has no effect, since shorter phases have all its rounds")
    return phases


def phase_weights_named(
    weights: Sequence[Weight], phases: Sequence[str], words: Sequence[str] | None
) -> tuple[str, ...]:
    """The names of the tuned weights that get a value per phase; without `words` all but those that are STEADY.

    InputError for names that are not tuned, and for names without phases.
    """
    names = [weight.name for weight in weights]
    if words is None:
        return tuple(name for name in names if name not in STEADY) if phases else ()
    if not phases:
        raise InputError("phase_weights: has no effect without phases")
    for word in words:
        if word not in (*names, ALL):
            meant = did_you_mean(word, names)
            raise InputError(f"phase_weights: {word!r} is not a weight that is tuned here: {', '.join(names)}{meant}")
    return tuple(name for name in names if ALL in words or name in words)


def coordinates_of(
    start: Policy, weights: Sequence[Weight], phases: Sequence[str], phased: Collection[str]
) -> tuple[Coordinate, ...]:
    """The coordinates of a tuning: weights in their canonical order, first for all rounds, then phase by phase.

    A weight in `phased` has one for each phase, others one for each phase that the start has for them; where these
    leave rounds out, one more for all other rounds.
    """
    result: list[Coordinate] = []
    for weight in weights:
        own = [phase for phase, table in start.phases.items() if weight.name in table]
        there = [phase for phase in PHASES if phase in (phases if weight.name in phased else own)]
        if _rounds_of("", there):
            result.append(weight)
        result += [InPhase(weight, phase) for phase in there if _rounds_of(phase, there)]
    return tuple(result)


def starting_values(start: Policy, coordinates: Sequence[Coordinate]) -> dict[str, float]:
    """The value of each coordinate in a policy by name: its mean over the rounds that the coordinate has."""
    by_round = [start.weights_in(place) for place in range(ROUNDS)]
    values = {}
    for coordinate in coordinates:
        weight, phase = _parts(coordinate)
        there = [other.phase for other in coordinates if isinstance(other, InPhase) and other.weight.name == weight]
        numbers = [by_round[place][weight] for place in _rounds_of(phase, there)]
        values[coordinate.name] = numbers[0] if len(set(numbers)) == 1 else fmean(numbers)  # equal ones stay exact
    return values


def rounds_of(coordinate: Coordinate, coordinates: Sequence[Coordinate]) -> int:
    """In how many rounds a coordinate decides the weight, among these."""
    weight, phase = _parts(coordinate)
    there = [other.phase for other in coordinates if isinstance(other, InPhase) and other.weight.name == weight]
    return len(_rounds_of(phase, there))


def with_values(name: str, start: Policy, coordinates: Sequence[Coordinate], values: Mapping[str, float]) -> Policy:
    """The policy with other values of some coordinates, by their names."""
    plain: dict[str, float] = {}
    phased: dict[str, dict[str, float]] = {}
    for coordinate in coordinates:
        if coordinate.name in values:
            weight, phase = _parts(coordinate)
            (phased.setdefault(phase, {}) if phase else plain)[weight] = values[coordinate.name]
    weights, phases = lay_over(start.weights, start.phases, plain, in_order(phased))
    return Policy(name, start.kind, weights, phases, start.counties, start.correction)


def _parts(coordinate: Coordinate) -> tuple[str, str]:
    # The weight's name, and the phase or nothing.
    return (coordinate.weight.name, coordinate.phase) if isinstance(coordinate, InPhase) else (coordinate.name, "")


def _rounds_of(phase: str, phases: Sequence[str]) -> list[int]:
    # The rounds in which a phase is the shortest of all that are given; without a phase those in none.
    result = []
    for place in range(ROUNDS):
        there = sorted((len(PHASES[other]), other) for other in phases if place in PHASES[other])
        if (there[0][1] if there else "") == phase:
            result.append(place)
    return result
