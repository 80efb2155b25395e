"""The TOML of values that several scenarios share, and of those in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.escaping import in_toml, toml_line

_ENTRIES = ("rules", "amounts")  # tables whose entries a scenario changes one by one
_LINE_UP = "lineup"
_MISSING = object()

Values = Mapping[str, Any]


def values_text(values: Values) -> str:
    """The TOML of the values of one experiment."""
    return "\n".join([*_lines(values), ""])


def scenarios_text(tables: Mapping[str, Values]) -> str:
    """The TOML of a file with these scenarios: what all share above, then a table for each."""
    first, *others = map(_flat, tables.values())
    shared = {key: value for key, value in first.items() if all(each.get(key, _MISSING) == value for each in others)}
    lines = _lines(_nested(shared))
    for name, values in tables.items():
        own = {key: value for key, value in _flat(values).items() if key not in shared}
        lines += ["", f"[scenario.{toml_line(name, 0).removesuffix(' = 0')}]", *_lines(_nested(own))]
    return "\n".join([*lines, ""])


def _flat(values: Values) -> dict[tuple[str, ...], Any]:
    # Values by key, and those of `_ENTRIES` by key and entry.
    flat: dict[tuple[str, ...], Any] = {}
    for key, value in values.items():
        flat |= {(key, name): entry for name, entry in value.items()} if key in _ENTRIES else {(key,): value}
    return flat


def _nested(flat: Mapping[tuple[str, ...], Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for (key, *name), value in flat.items():
        if name:
            values.setdefault(key, {})[name[0]] = value
        else:
            values[key] = value
    return values


def _lines(values: Values) -> list[str]:
    lines = []
    for key, value in values.items():
        if key in _ENTRIES:
            lines += [f"{key}.{toml_line(name, entry)}" for name, entry in value.items()]
        elif key == _LINE_UP:
            lines += [
                f"{key}.{letter}.{toml_line(form, groups)}"
                for letter, edit in value.items()
                for form, groups in edit.items()
            ]
        elif isinstance(value, Sequence) and value and isinstance(value[0], Mapping):
            lines += [f"{key} = [", *(f"    {in_toml(step)}," for step in value), "]"]
        else:
            lines.append(toml_line(key, value))
    return lines
