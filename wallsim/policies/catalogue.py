"""Policies by name: `random`, and the weight files of `data/policies`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.policies.record import BALANCED, PLAYERS, RANDOM
from wallsim.policies.weights import WEIGHTS, Weight
from wallsim.rules.files import data_folder

KINDS = {"random": RANDOM, "balanced": BALANCED}


class PolicyError(ValueError):
    """A policy that cannot be used: the message names file, field, value and what is allowed."""


@dataclass(frozen=True)
class Policy:
    """A policy: its name, the kind of kernel that plays it, and its weights (empty for `random`)."""

    name: str
    kind: str
    weights: dict[str, float] = field(default_factory=dict)


def policy_names() -> tuple[str, ...]:
    """The names that `load_policy` knows."""
    return tuple(sorted(path.stem for path in data_folder("policies").glob("*.toml")))


def load_policy(name: str) -> Policy:
    """The policy of a name; raises PolicyError for a name or a file that is not one."""
    if name not in policy_names():
        raise PolicyError(f"policies: {name!r} is not one of {', '.join(policy_names())}")
    return read_policy(data_folder("policies") / f"{name}.toml")


def read_policy(path: Path) -> Policy:
    """The policy of a TOML file: `kind`, `description` and, but for `random`, every weight of the kind."""
    try:
        text = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PolicyError(f"{path}: not a readable TOML file: {error}") from None
    faults = [
        f"{path}: {key}: unknown field; allowed are kind, description, weights"
        for key in sorted(set(text) - {"kind", "description", "weights"})
    ]
    kind, weights = text.get("kind"), text.get("weights", {})
    if not isinstance(kind, str) or kind not in KINDS:
        faults.append(f"{path}: kind: {kind!r} is not one of {', '.join(KINDS)}")
    elif not isinstance(weights, dict):
        faults.append(f"{path}: weights: {weights!r} is not a table of numbers")
    else:
        faults += _weight_faults(path, kind, weights)
    if faults:
        raise PolicyError("\n".join(faults))
    return Policy(path.stem, str(kind), {weight.name: float(weights[weight.name]) for weight in weights_of(str(kind))})


def weights_of(kind: str) -> tuple[Weight, ...]:
    """The weights that a kind of policy has; `random` has none."""
    return () if kind == "random" else WEIGHTS


def _weight_faults(path: Path, kind: str, weights: dict[str, Any]) -> list[str]:
    known = {weight.name: weight for weight in weights_of(kind)}
    allowed = ", ".join(known) or "none"
    faults = [
        f"{path}: weights.{key}: {weights[key]!r} is given to an unknown weight; allowed are {allowed}"
        for key in sorted(set(weights) - set(known))
    ]
    for name, weight in known.items():
        value = weights.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not weight.low <= value <= weight.high:
            faults.append(f"{path}: weights.{name}: {value!r} is not a number from {weight.low} to {weight.high}")
    return faults


def pack_players(policies: list[Policy]) -> np.ndarray:
    """A PLAYERS array of one element, read-only, with a policy a seat, five at most."""
    packed = np.zeros(1, dtype=PLAYERS)
    for seat, policy in enumerate(policies):
        mind = packed[0].seat[seat]
        mind.kind = KINDS[policy.kind]
        mind.weight[:] = [policy.weights.get(weight.name, 0.0) for weight in WEIGHTS]
    packed.setflags(write=False)
    return packed
