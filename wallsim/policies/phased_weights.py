"""Weights by phase of a game: `[weights]` of a file, its tables by phase, and what stays of a base below them (B2, B7).

A table `[weights."year two"]` in a policy file holds in all rounds of the phase. Where two phases of a file share a
round, the shorter one counts; no round lies in two phases of equal length. A winter belongs to the fall before it, the
set-up to the first spring.

What a file says about a weight replaces all that its base says about it in the rounds that are meant: all six for an
entry of `[weights]`, those of the phase for an entry of `[weights.PHASE]`. So `attack = 0.3` in `[weights]` holds in
every round, also where the base has another attack in `year two`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from wallsim.errors import quoted, short
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUND_NAMES, ROUNDS, SEASONS, WINTER, YEARS

_YEARS = ("year one", "year two")

PHASES: dict[str, tuple[int, ...]] = {
    **{_YEARS[year]: tuple(range(year * WINTER, (year + 1) * WINTER)) for year in range(YEARS)},
    **{f"{SEASONS[season]}s": tuple(range(season, ROUNDS, WINTER)) for season in range(WINTER)},
    "last fall": (ROUNDS - 1,),
    **{name: (place,) for place, name in enumerate(ROUND_NAMES)},
}
"""The rounds of each phase, 0 to 5, by name: years, the seasons of both years, single rounds."""


def phase_of(text: str) -> str | None:
    """The phase that a file means by a key: case aside, `_` for a space, and `last fall` as `fall 2`; None if none."""
    name = " ".join(text.replace("_", " ").lower().split())
    if name == "last fall":
        return ROUND_NAMES[-1]
    return name if name in PHASES else None


def weights_in_round(
    weights: Mapping[str, float], phases: Mapping[str, Mapping[str, float]], place: int
) -> dict[str, float]:
    """The weights of a policy in a round, 0 to 5: those of the phases that have it, the shortest first."""
    there = sorted((len(PHASES[phase]), phase) for phase in phases if place in PHASES[phase])
    values = dict(weights)
    for _, phase in reversed(there):
        values.update(phases[phase])
    return values


_PLACES = {weight.name: place for place, weight in enumerate(WEIGHTS)}


class Tables(NamedTuple):
    """The entries of a file by weight, and by phase and weight; `keys` has the name that the file gives a phase."""

    weights: dict[str, Any]
    phases: dict[str, dict[str, Any]]
    keys: dict[str, str]


def split_tables(path: str, table: Mapping[Any, Any], known: Collection[str]) -> tuple[Tables, list[str]]:
    """Separate the tables of phases from the entries of `[weights]`; the values are not checked.

    Returns also what is wrong with the tables: unknown phases, phases that are no tables, and two tables of one phase.
    """
    result, errors = Tables({}, {}, {}), []
    for key, value in table.items():
        phase = phase_of(key) if isinstance(key, str) else None
        field = f"{path}: weights.{_shown(key)}"
        if phase is None and isinstance(value, Mapping) and key not in known:
            errors.append(f"{field}: unknown phase; allowed are {', '.join(PHASES)}{did_you_mean(key, PHASES)}")
        elif phase is None:
            result.weights[key] = value
        elif not isinstance(value, Mapping):
            errors.append(f"{field}: {quoted(value)} is not a table of weights")
        elif phase in result.keys:
            errors.append(f"{field}: is the same phase as {result.keys[phase]}; allowed is one table for each phase")
        else:
            result.phases[phase] = dict(value)
            result.keys[phase] = _shown(key)
    return result, errors


def lay_over(
    weights: Mapping[str, float],
    phases: Mapping[str, Mapping[str, float]],
    said: Mapping[str, float],
    said_phases: Mapping[str, Mapping[str, float]],
) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Weights and phases of a base, `weights` and `phases`, below those that a file says.

    Where a phase of the base shares rounds with one of the file, the base's value stays in its other rounds, one by
    one. The result has phases and weights in their canonical order, and no empty phase.
    """
    values = {**weights, **said}
    meant: dict[str, set[int]] = {}
    for phase, table in said_phases.items():
        for name in table:
            meant.setdefault(name, set()).update(PHASES[phase])
    merged: dict[str, dict[str, float]] = {phase: {} for phase in PHASES}
    by_round = [weights_in_round(weights, phases, place) for place in range(len(ROUND_NAMES))]
    for name in {name for table in phases.values() for name in table} - set(said):
        own = [phase for phase, table in phases.items() if name in table]
        if all(meant.get(name, set()).isdisjoint(PHASES[phase]) for phase in own):
            for phase in own:
                merged[phase][name] = phases[phase][name]
            continue
        for place, phase in enumerate(ROUND_NAMES):
            if place not in meant[name] and by_round[place][name] != values[name]:
                merged[phase][name] = by_round[place][name]
    for phase, table in said_phases.items():
        merged[phase].update(table)
    return values, in_order(merged)


def in_order(phases: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The phases that have a weight, in their canonical order, with their weights in the order of all weights."""
    tables = {phase: phases.get(phase, {}) for phase in PHASES}
    return {
        phase: {name: table[name] for name in sorted(table, key=_place)} for phase, table in tables.items() if table
    }


def _place(name: str) -> int:
    return _PLACES.get(name, len(_PLACES))


def _shown(key: Any) -> str:
    # As TOML has it: a key with blanks is quoted.
    text = short(key)
    return text if re.fullmatch(r"[\w-]+", text) else json.dumps(text, ensure_ascii=False)
