"""Which weights can affect which games: those of an expansion need it, and some weights are never tuned."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy, weights_of
from wallsim.policies.weights import DRAFT, SECOND_ATTACK, TARGET_OWN, WEIGHTS, Weight
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.suggestions import did_you_mean

ALL = "all"  # allowed instead of the names of all relevant weights
# Groups of weights, allowed instead of their names: all of the draft, and what plans see beyond a card by itself.
DRAFT_GROUP, PLAN_GROUP = "draft", "plan"
GROUPS = {
    DRAFT_GROUP: tuple(weight.name for weight in WEIGHTS if weight.needs is DRAFT),
    PLAN_GROUP: tuple(weight.name for weight in WEIGHTS[TARGET_OWN : SECOND_ATTACK + 1]),
}
# Tuned only where they are asked for, so that searches of all weights stay what they were before these.
BY_REQUEST = tuple(name for group in GROUPS.values() for name in group if name != "draft_border")
NEVER_TUNED = ("temperature", "noise", "bid_noise")  # deliberate chance and noise, which a search would only remove


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
