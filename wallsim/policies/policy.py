"""A policy: its name, its kind, its weights, and the settings or code that some kinds have; and such a one as TOML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wallsim.errors import quoted, short
from wallsim.policies.county_tables import Counties
from wallsim.policies.kinds import BALANCED, RANDOM
from wallsim.policies.phased_weights import weights_in_round
from wallsim.policies.policy_error import PolicyError
from wallsim.policies.weights import DEFAULTS, WEIGHTS, Weight
from wallsim.rules.files import read_input, read_toml
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUNDS

if TYPE_CHECKING:
    from wallsim.policies.correction.correction_file import Correction
    from wallsim.policies.custom.python_file import Answer
    from wallsim.policies.search import Search
    from wallsim.policies.value.value_file import Value

# The weights that every policy's identity names, whatever their values: those declared up to version 0.7. Any weight
# declared later counts only where it differs from its default, so that a new weight leaves the hash of every experiment
# as it was. Nothing is ever added here.
HASHED_WEIGHTS = frozenset([
    "hold", "majority", "deny", "income", "site", "thaler", "spending", "last_taxes", "grain", "harvest", "marker",
    "army", "threat", "attack", "caution", "home", "place", "rivals_bid", "draft_border", "favor", "courtier",
    "tray", "regions", "statue", "leader", "aside", "neutral", "rival", "tile", "patience", "spare_grain",
    "one_army", "five_armies", "ready", "march", "credit", "tower", "crowd", "standing", "contest", "temperature",
    "noise",
])  # fmt: skip


# The kernels that answer what a custom file leaves out: uniform choice, or weighing all options.
KINDS = {"random": RANDOM, "balanced": BALANCED, "rollout": BALANCED, "python": BALANCED}


@dataclass(frozen=True)
class Policy:
    """A policy: its name, its kind and its weights (empty for `random`).

    `phases` has the weights that differ in some rounds, by phase (`phased_weights.py`), `counties` the worths of
    counties in the draft by number of players (`county_tables.py`), `correction` what search has taught about the worth
    of cards (`correction/correction_file.py`). `search` holds the settings of a `rollout`, `advisers` and `value` the
    policies and the learned value that it names; `answers` are the functions of a Python file by question,
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


_FIELDS = ("base", "kind", "description", "correction", "weights", "counties", "search")
_KINDS = tuple(kind for kind in KINDS if kind != "python")  # code comes as a .py file


class WeightFile(NamedTuple):
    """The contents of such a file; weights, counties and search are not checked, the correction is not read yet."""

    base: str | None
    kind: str | None
    description: str
    correction: str | None
    weights: dict[str, Any]
    counties: dict[str, Any]
    search: dict[str, Any]
    source: bytes


def is_policy_file(policy: str) -> bool:
    """Whether a policy is named by the path of a file: it ends in .toml or .py, or contains a slash."""
    return policy.endswith((".toml", ".py")) or "/" in policy


def is_code_file(policy: str | Path) -> bool:
    """Whether the file of a policy would be run as Python code.

    It goes by the path alone, and nothing else decides what is run: a link to code under another name is not.
    """
    return Path(policy).suffix == ".py"


def read_weights(path: Path) -> WeightFile:
    """The parts of a TOML file; PolicyError for all that is wrong with its form.

    With `base`, the name of a shipped policy, what is not given is as there; `phased_weights.py` says what that means
    with phases. Without it `kind` must be given, and a weight that is left out has its default.
    """
    try:
        source = read_input(path)
        text = read_toml(source)
    except (OSError, ValueError) as error:
        raise PolicyError(f"{path}: not a readable TOML file: {getattr(error, 'strerror', None) or error}") from None
    errors = [
        f"{path}: {short(key)}: unknown field; allowed are {', '.join(_FIELDS)}{did_you_mean(key, _FIELDS)}"
        for key in sorted(set(text) - set(_FIELDS))
    ]
    base, kind, description = text.get("base"), text.get("kind"), text.get("description", "")
    correction = text.get("correction")
    tables = {name: text.get(name, {}) for name in ("weights", "counties", "search")}
    if base is not None and not isinstance(base, str):
        errors.append(f"{path}: base: {quoted(base)} is not the name of a policy")
    if (kind is not None or base is None) and (not isinstance(kind, str) or kind not in _KINDS):
        errors.append(f"{path}: kind: {quoted(kind)} is not one of {', '.join(_KINDS)}{did_you_mean(kind, _KINDS)}")
    if not isinstance(description, str):
        errors.append(f"{path}: description: {quoted(description)} is not a text")
    if correction is not None and not isinstance(correction, str):
        errors.append(f"{path}: correction: {quoted(correction)} is not the name of a correction")
    for name, table in tables.items():
        if not isinstance(table, dict):
            errors.append(f"{path}: {name}: {quoted(table)} is not a table of numbers")
    if errors:
        raise PolicyError(errors)
    return WeightFile(base, kind, description, correction, **tables, source=source)
