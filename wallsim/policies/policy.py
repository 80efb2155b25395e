"""A policy: its name, its kind, its weights, and the settings or code that some kinds have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wallsim.errors import quoted, short
from wallsim.policies.county_tables import Counties
from wallsim.policies.hashed_weights import HASHED_WEIGHTS
from wallsim.policies.kinds import BALANCED, RANDOM
from wallsim.policies.phases import weights_in_round
from wallsim.policies.weights import DEFAULTS, WEIGHTS, Weight
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUNDS

if TYPE_CHECKING:
    from wallsim.policies.correction.correction_file import Correction
    from wallsim.policies.custom.python_file import Answer
    from wallsim.policies.search import Search
    from wallsim.policies.value.value_file import Value

# The kernels that answer what a custom file leaves out: uniform choice, or weighing all options.
KINDS = {"random": RANDOM, "balanced": BALANCED, "rollout": BALANCED, "python": BALANCED}


@dataclass(frozen=True)
class Policy:
    """A policy: its name, its kind and its weights (empty for `random`).

    `phases` has the weights that differ in some rounds, by phase (`phases.py`), `counties` the worths of counties in
    the draft by number of players (`county_tables.py`), `correction` what search has taught about the worth of cards
    (`correction/correction_file.py`). `search` holds the settings of a `rollout`, `advisers` and
    `value` the policies and the learned value that it names; `answers` are the functions of a Python file by question,
    and `code` is the sha256 of that file. `source` are the bytes of the file that it was read from.
    """

    name: str
    kind: str
    weights: dict[str, float] = field(default_factory=dict)
    phases: dict[str, dict[str, float]] = field(default_factory=dict)
    counties: Counties = field(default_factory=dict)
    correction: Correction | None = None
    description: str = field(default="", compare=False)
    search: Search | None = None
    advisers: tuple[Policy, ...] = ()
    value: Value | None = None
    answers: Mapping[str, Answer] = field(default_factory=dict, compare=False)
    code: str = ""
    source: bytes = field(default=b"", compare=False, repr=False)

    def weights_in(self, place: int) -> dict[str, float]:
        """All weights by name in a round, 0 to 5."""
        return weights_in_round(self.weights, self.phases, place)

    def varying_weights(self) -> dict[str, tuple[float, ...]]:
        """The weights that differ between rounds, by name: their values in the six rounds, in canonical order."""
        rounds = [self.weights_in(place) for place in range(ROUNDS)]
        by_name = {name: tuple(values[name] for values in rounds) for name in rounds[0]}
        return {name: values for name, values in by_name.items() if len(set(values)) > 1}

    def identity(self) -> dict[str, Any]:
        """All that decides how it plays, and its name, which is written to the tables.

        Of the weights all that HASHED_WEIGHTS names, and of the others those that differ from their defaults.
        """
        weights = {
            name: value for name, value in self.weights.items() if name in HASHED_WEIGHTS or value != DEFAULTS[name]
        }
        facts: dict[str, Any] = {"name": self.name, "kind": self.kind, "weights": weights}
        if self.phases:
            facts["phases"] = self.phases
        if self.counties:
            facts["counties"] = {str(players): table for players, table in self.counties.items()}
        if self.correction is not None:
            facts["correction"] = self.correction.digest
        if self.search is not None:
            facts["search"] = self.search.identity()
        if self.advisers:
            facts["candidates"] = [adviser.identity() for adviser in self.advisers]
        if self.value is not None:
            facts["value"] = self.value.digest
        if self.code:
            facts["code"] = self.code
        return facts


def weights_of(kind: str) -> tuple[Weight, ...]:
    """The weights that a kind of policy has; `random` has none."""
    return () if kind == "random" else WEIGHTS


def errors_of_weights(
    path: str, kind: str, weights: Mapping[str, Any], base: Mapping[str, float], table: str = "weights"
) -> list[str]:
    """What is wrong with the weights of a table of a file; what is not given is taken from `base`."""
    known = {weight.name: weight for weight in weights_of(kind)}
    allowed = ", ".join(known) or "none"
    errors = [
        f"{path}: {table}.{short(key)}: {quoted(weights[key])} is given to an unknown weight; allowed are {allowed}"
        f"{did_you_mean(key, known)}"
        for key in sorted(set(weights) - set(known), key=str)
    ]
    for name, value in {**base, **weights}.items():
        weight = known.get(name)
        if weight is not None and (
            isinstance(value, bool) or not isinstance(value, int | float) or not weight.low <= value <= weight.high
        ):
            errors.append(f"{path}: {table}.{name}: {quoted(value)} is not a number from {weight.low} to {weight.high}")
    return errors
