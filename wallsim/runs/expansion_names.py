"""The key `expansions` of an experiment: a list of names, or the word that stands for all of them."""

from __future__ import annotations

from typing import Any

from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.keys import ALL_EXPANSIONS, EXPERIMENT_KEYS


def expansion_names(value: Any) -> tuple[str, ...]:
    """The expansions of a valid value in their order."""
    named = EXPANSIONS if value == ALL_EXPANSIONS else _listed(value) or []
    return tuple(name for name in EXPANSIONS if name in named)


def expansion_errors(value: Any) -> list[tuple[str, Any, str]]:
    """Errors of a value: an empty text, the value that is wrong, and what is allowed."""
    known = ", ".join(EXPANSIONS)
    if value == ALL_EXPANSIONS:
        return []
    names = _listed(value)
    if names is None:
        return [("", value, f"is not {EXPERIMENT_KEYS['expansions'].allowed}")]
    unknown = [name for name in dict.fromkeys(names) if name not in EXPANSIONS]
    twice = [name for name in EXPANSIONS if names.count(name) > 1]
    errors: list[tuple[str, Any, str]] = [
        (
            "",
            name,
            f"is not one of {known}; {ALL_EXPANSIONS} must be used alone{did_you_mean(name, EXPANSIONS)}",
        )
        for name in unknown
    ]
    return errors + [("", name, f"is named more than once; allowed are {known}, each once") for name in twice]


def _listed(value: Any) -> list[str] | None:
    # A single name is a list of one name; None for values of another type.
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return None
    return list(names)
