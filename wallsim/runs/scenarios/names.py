"""Names of scenarios, which are also names of folders, and the names of factor cells made from values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any

from wallsim.runs.keys import shown

# No "=" or "," : readers of partitioned tables split `scenario=NAME` at "=", and refuse or change other characters.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*", re.ASCII)
MAX_CHARACTERS = 200  # of a name; file systems allow 255 for `scenario=NAME`
_MAX_LABEL = 40  # characters of one value within the name of a factor cell
ALLOWED = f"1 to {MAX_CHARACTERS} letters, digits or - _ . +, beginning with a letter or a digit"


def is_name(name: str) -> bool:
    """Whether a text may be the name of a scenario."""
    return len(name) <= MAX_CHARACTERS and _NAME.fullmatch(name) is not None


def repeated(names: Iterable[str]) -> list[str]:
    """The names that an earlier one equals but for upper and lower case, which some file systems do not distinguish."""
    seen: set[str] = set()
    twice = []
    for name in names:
        if name.lower() in seen:
            twice.append(name)
        seen.add(name.lower())
    return twice


def labels(values: Sequence[Any]) -> list[str]:
    """A short distinct text for each value of a factor, safe within a name: a repeated one ends in its number."""
    result: list[str] = []
    for number, value in enumerate(values, start=1):
        label = re.sub(r"[^A-Za-z0-9._-]+", "-", _words(value)) or "none"
        if len(label) > _MAX_LABEL:
            label = f"{label[: _MAX_LABEL - 5].rstrip('-.')}.{number}"
        result.append(f"{label}.{number}" if label.lower() in map(str.lower, result) else label)
    return result


def cell_name(keys: Sequence[str], chosen: Sequence[str], scenario: str | None = None) -> str:
    """The name of a cell, as in `tower-mid+setup-draft`, after that of the scenario that it belongs to."""
    factors = [f"{key.partition('.')[2] or key}-{label}" for key, label in zip(keys, chosen, strict=True)]
    return "+".join([*([] if scenario is None else [scenario]), *factors])


def _words(value: Any) -> str:
    # Lists as "court.leaders", tables as "hand-thalers2-seat1-start", files without their folder and ending.
    if isinstance(value, list):
        return ".".join(map(_words, value))
    if isinstance(value, dict):
        named = [(key, _words(inner), isinstance(inner, str)) for key, inner in value.items()]
        return "-".join(words if alone else f"{key}{words}" for key, words, alone in named)
    if isinstance(value, str):
        return PurePath(value).stem if value.endswith((".toml", ".py")) else value
    return shown(value)
