"""Policies as TOML: `description`, `kind` or `base`, `correction`, `[weights]`, `[counties.N]`, `[search]`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from wallsim.errors import quoted, short
from wallsim.policies.policy import KINDS
from wallsim.policies.policy_error import PolicyError
from wallsim.rules.files import read_input, read_toml
from wallsim.rules.suggestions import did_you_mean

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
