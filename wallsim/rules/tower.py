"""Tower files: which model of the dice tower is used, with which numbers, and where they come from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wallsim.rules.files import data_folder
from wallsim.rules.terms import ARMIES_A_PLAYER

MODELS = ("independent",)
DEFAULT_TOWER = "spielbyweb"
WIDE = 64  # columns of a row of an alias table for one law: up to 62 cubes
NARROW = 16  # columns of a row for the sum of two laws: up to 7 and 7 cubes
FEW_CUBES = 8  # below this many, thrown and inside, one look-up serves both
_THRESHOLD_BITS = 58


class TowerError(ValueError):
    """A tower that cannot be used: the message names file, field, value and what is allowed."""


@dataclass(frozen=True)
class TowerModel:
    """A model of the tower: name of the preset or file, model, chances p (falls through) and q (is knocked loose)."""

    name: str
    model: str
    p: float
    q: float
    source: str = ""


def tower_presets() -> tuple[str, ...]:
    """The names that `load_tower` knows without a file."""
    return tuple(sorted(path.stem for path in data_folder("tower").glob("*.toml")))


def load_tower(name_or_path: str = DEFAULT_TOWER) -> TowerModel:
    """A preset by name, or a TOML file by path (it contains a slash or ends in .toml); raises TowerError."""
    is_path = name_or_path.endswith(".toml") or "/" in name_or_path
    if not is_path and name_or_path not in tower_presets():
        raise TowerError(f"tower: {name_or_path!r} is neither a preset ({', '.join(tower_presets())}) nor a .toml file")
    path = Path(name_or_path) if is_path else data_folder("tower") / f"{name_or_path}.toml"
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TowerError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TowerError(f"{path}: not a TOML file: {error}") from None
    return _checked(path, fields)


def _checked(path: Path, fields: dict) -> TowerModel:
    faults = [
        f"{path}: {key}: unknown field; allowed are model, p, q, source"
        for key in sorted(set(fields) - {"model", "p", "q", "source"})
    ]
    if fields.get("model") not in MODELS:
        faults.append(f"{path}: model: {fields.get('model')!r} is not one of {', '.join(MODELS)}")
    for key in ("p", "q"):
        value = fields.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            faults.append(f"{path}: {key}: {value!r} is not a number above 0 and at most 1")
    if not isinstance(fields.get("source", ""), str):
        faults.append(f"{path}: source: {fields['source']!r} is not a text")
    if faults:
        raise TowerError("\n".join(faults))
    return TowerModel(path.stem, fields["model"], float(fields["p"]), float(fields["q"]), fields.get("source", ""))


def binomial_alias_table(chance: float) -> np.ndarray:
    """Alias tables of Binomial(n, chance) for n = 0..62, uint64 [63, 64] (Walker 1977, Vose 1991).

    Each entry is a 58-bit threshold above a 6-bit alias; laws differ from the exact ones by less than 1e-14.
    """
    laws = (binomial_law(cubes, chance) for cubes in range(ARMIES_A_PLAYER + 1))
    return np.array([_alias_row(law, WIDE) for law in laws], dtype=np.uint64)


def joint_alias_table(p: float, q: float) -> np.ndarray:
    """Alias tables of Binomial(n, p) + Binomial(s, q) for n, s = 0..7, uint64 [8, 8, 16], entries as above."""
    thrown = [binomial_law(cubes, p) for cubes in range(FEW_CUBES)]
    inside = [binomial_law(cubes, q) for cubes in range(FEW_CUBES)]
    rows = [[_alias_row(_sum_law(a, b), NARROW) for b in inside] for a in thrown]
    return np.array(rows, dtype=np.uint64)


def binomial_law(cubes: int, chance: float) -> list[float]:
    """Probabilities that 0..cubes of so many cubes fall, by adding one coin after another."""
    law = [1.0]
    for _ in range(cubes):
        law = [a * (1 - chance) + b * chance for a, b in zip([*law, 0.0], [0.0, *law], strict=True)]
    return law


def _sum_law(one: list[float], other: list[float]) -> list[float]:
    """The law of the sum of two independent counts; plain loops, so that every machine rounds alike."""
    law = [0.0] * (len(one) + len(other) - 1)
    for a, chance in enumerate(one):
        for b, other_chance in enumerate(other):
            law[a + b] += chance * other_chance
    return law


def _alias_row(law: list[float], columns: int) -> list[int]:
    """Vose's construction in exact integers: columns of weight 2**58, each shared by at most two outcomes."""
    full = 1 << _THRESHOLD_BITS
    weight = [round(float(probability) * columns * full) for probability in law]
    weight[max(range(len(weight)), key=weight.__getitem__)] += columns * full - sum(weight)
    weight += [0] * (columns - len(weight))
    alias, threshold = list(range(columns)), [full - 1] * columns
    small = [column for column in range(columns) if weight[column] < full]
    large = [column for column in range(columns) if weight[column] > full]
    while small:
        column = small.pop()
        donor = large[-1]
        threshold[column], alias[column] = weight[column], donor
        weight[donor] -= full - weight[column]
        if weight[donor] <= full:
            large.pop()
            if weight[donor] < full:
                small.append(donor)
    return [(cut << 6) | other for cut, other in zip(threshold, alias, strict=True)]
