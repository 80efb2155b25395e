"""A policy: its name, its kind, its weights, and the settings or code that some kinds have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError
from wallsim.policies.kinds import BALANCED, RANDOM
from wallsim.policies.weights import WEIGHTS, Weight
from wallsim.rules.spelling import did_you_mean

if TYPE_CHECKING:
    from wallsim.policies.custom.python_file import Answer
    from wallsim.policies.search import Search

# The kernels that answer what a custom file leaves out: uniform choice, or weighing all options.
KINDS = {"random": RANDOM, "balanced": BALANCED, "rollout": BALANCED, "python": BALANCED}


class PolicyError(InputError):
    """A policy that cannot be used: the message names file, field, value and what is allowed."""


@dataclass(frozen=True)
class Policy:
    """A policy: its name, its kind and its weights (empty for `random`).

    `search` holds the settings of a `rollout`; `answers` are the functions of a Python file by question, and `code` is
    the sha256 of that file. `source` are the bytes of the file that it was read from.
    """

    name: str
    kind: str
    weights: dict[str, float] = field(default_factory=dict)
    description: str = field(default="", compare=False)
    search: Search | None = None
    answers: Mapping[str, Answer] = field(default_factory=dict, compare=False)
    code: str = ""
    source: bytes = field(default=b"", compare=False, repr=False)

    def identity(self) -> dict[str, Any]:
        """All that decides how it plays, and its name, which is written to the tables."""
        facts: dict[str, Any] = {"name": self.name, "kind": self.kind, "weights": self.weights}
        if self.search is not None:
            facts["search"] = self.search.fields()
        if self.code:
            facts["code"] = self.code
        return facts


def weights_of(kind: str) -> tuple[Weight, ...]:
    """The weights that a kind of policy has; `random` has none."""
    return () if kind == "random" else WEIGHTS


def faults_of_weights(path: str, kind: str, weights: Mapping[str, Any], base: Mapping[str, float]) -> list[str]:
    """What is wrong with weights by name; what is not given is taken from `base`, which has every weight."""
    known = {weight.name: weight for weight in weights_of(kind)}
    allowed = ", ".join(known) or "none"
    faults = [
        f"{path}: weights.{key}: {weights[key]!r} is given to an unknown weight; allowed are {allowed}"
        f"{did_you_mean(key, known)}"
        for key in sorted(set(weights) - set(known), key=str)
    ]
    for name, weight in known.items():
        value = weights.get(name, base[name])
        if isinstance(value, bool) or not isinstance(value, int | float) or not weight.low <= value <= weight.high:
            faults.append(f"{path}: weights.{name}: {value!r} is not a number from {weight.low} to {weight.high}")
    return faults
