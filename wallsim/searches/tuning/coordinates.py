"""The numbers that a tuning searches: which weights can affect which games, each for all rounds or in a phase."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy
from wallsim.policies.phased_weights import PHASES, in_order, lay_over, phase_of
from wallsim.policies.policy import weights_of
from wallsim.policies.weights import DRAFT, SECOND_ATTACK, TARGET_OWN, WEIGHTS, Weight
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUND_NAMES, ROUNDS

ALL = "all"  # allowed instead of the names of all weights that can be tuned
PHASE_GROUPS = {"rounds": ROUND_NAMES, "years": ("year one", "year two")}  # what `phases` may name beside single phases
# By default these have one value for all rounds, though others have one per phase: they matter at one moment of the
# game, or already count the rounds or winters to come.
STEADY = (
    *("income", "last_taxes", "patience", "statue", "leader", "aside"),
    *(weight.name for weight in WEIGHTS if weight.needs is DRAFT),
)
# Groups of weights, allowed instead of their names: all of the draft, and what plans see beyond a card by itself.
DRAFT_GROUP, PLAN_GROUP = "draft", "plan"
GROUPS = {
    DRAFT_GROUP: tuple(weight.name for weight in WEIGHTS if weight.needs is DRAFT),
    PLAN_GROUP: tuple(weight.name for weight in WEIGHTS[TARGET_OWN : SECOND_ATTACK + 1]),
}
# Tuned only where they are asked for, so that searches of all weights stay what they were before these.
BY_REQUEST = tuple(name for group in GROUPS.values() for name in group if name != "draft_border")
NEVER_TUNED = ("temperature", "noise", "bid_noise")  # deliberate chance and noise, which a search would only remove


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
    allowed = (*PHASE_GROUPS, *PHASES)
    result: list[str] = []
    for word in words:
        group, phase = PHASE_GROUPS.get(word.strip().lower()), phase_of(word)
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


def missing_for(weight: Weight, rulesets: Sequence[Ruleset]) -> str:
    """What all games of some rulesets lack for a weight to have an effect, in words; empty if it can have one."""
    return "" if any(map(weight.needs.is_met, rulesets)) else weight.needs.words


def tuned_weights(
    policy: Policy, rulesets: Sequence[Ruleset], named: Sequence[str], held: Sequence[str]
) -> tuple[Weight, ...]:
    """The weights to tune, in their canonical order: those in `named`, or all relevant ones, without those in `held`.

    A weight is relevant if it has an effect in the games of any ruleset. Those of BY_REQUEST are tuned only if they are
    named, or by the name of their group.

    InputError for a policy that searches, has code or has no weights, for unknown names, for weights without effect in
    these games, and if no weight is left.
    """
    if policy.search is not None or policy.answers:
        what = "searches" if policy.search is not None else "is a file of code"
        raise InputError(f"POLICY: {policy.name!r} {what}; allowed are policies that play by weights alone")
    known = {weight.name: weight for weight in weights_of(policy.kind)}
    if not known:
        raise InputError(f"{policy.name}: a policy of kind {policy.kind} has no weights to tune")
    errors = []
    missing = {name: missing_for(weight, rulesets) for name, weight in known.items()}
    if not policy.counties:
        missing["draft_counties"] = missing["draft_counties"] or "policies with a table of counties"
    names = [name for name in known if name not in NEVER_TUNED and not missing[name]]
    for key, requested in (("weights", named), ("hold", held)):
        words = (ALL, *GROUPS) if key == "weights" else ()
        unknown = [name for name in dict.fromkeys(requested) if name not in known and name not in words]
        errors += [f"{key}: {name!r} is not one of {', '.join(known)}{did_you_mean(name, known)}" for name in unknown]
    for name in (name for name in named if name in known and name not in names):
        why = "is never tuned" if name in NEVER_TUNED else f"matters only in {missing[name]}"
        errors.append(f"weights: {name!r} {why}; allowed are {', '.join(names)}")
    if DRAFT_GROUP in named and not any(map(DRAFT.is_met, rulesets)):
        errors.append(f"weights: {DRAFT_GROUP!r} matters only in {DRAFT.words}")
    if errors:
        raise InputError(errors)
    wanted = {name for name in names if not named or ALL in named} - set(BY_REQUEST)
    of_groups = {name for group, members in GROUPS.items() if group in named for name in members}
    wanted |= {name for name in names if name in named or name in of_groups}
    chosen = [name for name in names if name in wanted and name not in held]
    if not chosen:
        raise InputError(f"hold: {', '.join(held)} leaves no weight to tune")
    return tuple(known[name] for name in chosen)


def every_group(rulesets: Sequence[Ruleset]) -> list[str]:
    """The words for all weights that have an effect in any of these games, those of the groups included."""
    return [ALL, *(group for group in GROUPS if group != DRAFT_GROUP or any(map(DRAFT.is_met, rulesets)))]
