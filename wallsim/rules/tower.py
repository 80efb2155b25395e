"""Tower files: which model of the dice tower is used, with which parameters, and where they come from."""

from __future__ import annotations

from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.errors import InputError, quoted, short
from wallsim.escaping import UNPRINTABLE, in_toml, is_printable
from wallsim.rules.files import data_folder, read_input, read_toml
from wallsim.rules.suggestions import did_you_mean

DEFAULT_TOWER = "spielbyweb"
MAX_FLOORS = 4
MAX_CELLS = 1000


class TowerError(InputError):
    """A tower that cannot be used: the message names file, field, value and what is allowed."""


@dataclass(frozen=True)
class Independent:
    """Every cube by itself, independent of what else is thrown or lies inside."""

    p: float  # chance that a thrown cube falls through
    q: float  # chance that a cube inside is knocked loose by a cast

    def in_words(self) -> str:
        """What happens to cubes, as a clause."""
        return f"a cube falls through with chance {self.p:.4g}, one inside is knocked loose with {self.q:.4g}"


@dataclass(frozen=True)
class Urn:
    """A tower that fills up, and from which larger casts knock more loose.

    A cast of N cubes first releases each cube inside with chance 1 - exp(-G kappa N^beta), where G is 1, or drawn for
    the cast from a Gamma distribution of mean 1 and variance phi. Then the thrown cubes come in random order, and each
    stays with chance retention * max(0, 1 - (cubes inside / capacity)^alpha). Cubes that come in one clump, a geometric
    number with mean `clump`, share one random number.
    """

    retention: float
    capacity: float  # cubes
    kappa: float
    beta: float
    alpha: float = 1.0
    phi: float = 0.0
    clump: float = 1.0

    def in_words(self) -> str:
        """What happens to cubes, as a clause."""
        share = f"S/{self.capacity:.4g}" if self.alpha == 1 else f"(S/{self.capacity:.4g})^{self.alpha:.4g}"
        power = f"^{self.beta:.4g}" if self.beta != 1 else ""
        strength = f", a strength that varies from cast to cast with variance {self.phi:.4g}" if self.phi else ""
        return (
            f"with S cubes inside a thrown one stays with chance {self.retention:.4g} (1 - {share}), and a cast of N "
            f"first knocks each of them loose with chance 1 - exp(-{self.kappa:.4g} N{power})"
            f"{strength}{_clumps(self.clump)}"
        )


@dataclass(frozen=True)
class Layered:
    """Floors with cells, from the top; the cubes come in random order.

    On a floor of which the share s is taken, a cube stays with chance stick * (1 - s). With chance knock * s it knocks
    loose one held cube and geometrically many more, each with chance `cascade`; these fall to the next floor, and the
    cube takes the place with chance `swap`, else it falls on too. Otherwise it falls on. Cubes that come in one clump
    share the random number that decides this, floor by floor.
    """

    cells: tuple[int, ...]
    stick: tuple[float, ...]
    knock: tuple[float, ...]
    cascade: float = 0.0
    swap: float = 0.0
    clump: float = 1.0

    def in_words(self) -> str:
        """What happens to cubes, as a clause."""
        more = f", {self.cascade:.4g} for each more" if self.cascade else ""
        swap = f", to take its place with {self.swap:.4g}" if self.swap else ""
        return (
            f"{len(self.cells)} floor{'s' if len(self.cells) > 1 else ''} with {_each(self.cells)} cells, where a cube "
            f"sticks with chance {_each(self.stick)} if all are free and knocks one loose with {_each(self.knock)} if "
            f"all are taken{more}{swap}{_clumps(self.clump)}"
        )


def _each(numbers: tuple[float, ...]) -> str:
    return f"{numbers[0]:.4g}" if len(set(numbers)) == 1 else ", ".join(f"{number:.4g}" for number in numbers)


def _clumps(mean: float) -> str:
    return f"; cubes come in clumps of {mean:.4g} on average" if mean != 1 else ""


TowerParameters = Independent | Urn | Layered
PARAMETERS: dict[str, type[TowerParameters]] = {"independent": Independent, "urn": Urn, "layered": Layered}
MODELS = tuple(PARAMETERS)
INDEPENDENT, URN, LAYERED = range(len(MODELS))


class Bound(NamedTuple):
    """What a number of a tower file may be."""

    low: float
    high: float
    words: str
    open_below: bool = False

    def allows(self, value: object) -> bool:
        """Whether a value is such a number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return self.low < value <= self.high if self.open_below else self.low <= value <= self.high


_SURE = Bound(0, 1, "a number above 0 and at most 1", True)
_CHANCE = Bound(0, 1, "a number from 0 to 1")
_BELOW_ONE = Bound(0, 0.99, "a number from 0 to 0.99")
_CLUMP = Bound(1, 10, "a number from 1 to 10")
BOUNDS: dict[str, Bound] = {
    "p": _SURE,
    "q": _SURE,
    "retention": _CHANCE,
    "capacity": Bound(1, 1e6, "a number from 1 to 1000000"),
    "kappa": Bound(0, 10, "a number from 0 to 10"),
    "beta": Bound(-1, 3, "a number from -1 to 3"),
    "alpha": Bound(0.1, 10, "a number from 0.1 to 10"),
    "phi": _CHANCE,
    "cells": Bound(1, MAX_CELLS, f"a list of 1 to {MAX_FLOORS} whole numbers from 1 to {MAX_CELLS}"),
    "stick": Bound(0, 1, "a list of numbers from 0 to 1, one per floor"),
    "knock": Bound(0, 1, "a list of numbers from 0 to 1, one per floor"),
    "cascade": _BELOW_ONE,
    "swap": _CHANCE,
    "clump": _CLUMP,
}
_LISTS = ("cells", "stick", "knock")


@dataclass(frozen=True)
class TowerModel:
    """A tower: name of the preset or file, its model with parameters, where they come from, and the evidence."""

    name: str
    parameters: TowerParameters
    source: str = ""
    evidence: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """The name of the model."""
        return next(name for name, kind in PARAMETERS.items() if isinstance(self.parameters, kind))

    def numbers(self) -> dict[str, Any]:
        """Model and parameters by name, floors as lists: what files, manifests and traces hold."""
        numbers = asdict(self.parameters).items()
        return {"model": self.model, **{name: list(n) if isinstance(n, tuple) else n for name, n in numbers}}


def parameters_of(numbers: dict[str, Any]) -> TowerParameters:
    """The parameters in what `TowerModel.numbers` returns; other keys are ignored. KeyError or TypeError."""
    kind = PARAMETERS[numbers["model"]]
    known = {field.name for field in fields(kind)}
    chosen: dict[str, Any] = {name: tuple(n) if isinstance(n, list) else n for name, n in numbers.items()}
    return kind(**{name: number for name, number in chosen.items() if name in known})


def tower_presets() -> tuple[str, ...]:
    """The names that `load_tower` knows without a file."""
    return tuple(sorted(path.stem for path in data_folder("tower").glob("*.toml")))


def is_tower_file(tower: str) -> bool:
    """Whether a tower is named by a path, not as a preset."""
    return tower.endswith(".toml") or "/" in tower


def load_tower(name_or_path: str = DEFAULT_TOWER) -> TowerModel:
    """A preset by name, or a TOML file by path (it contains a slash or ends in .toml); raises TowerError."""
    is_path = is_tower_file(name_or_path)
    if not is_path and name_or_path not in tower_presets():
        meant = did_you_mean(name_or_path, tower_presets())
        presets = ", ".join(tower_presets())
        raise TowerError(f"tower: {name_or_path!r} is neither a preset ({presets}) nor a .toml file{meant}")
    path = Path(name_or_path) if is_path else data_folder("tower") / f"{name_or_path}.toml"
    try:
        entries = read_toml(read_input(path))
    except OSError as error:
        raise TowerError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise TowerError(f"{path}: not a TOML file: {error}") from None
    return _checked(path, entries)


def _checked(path: Path, entries: dict[str, Any]) -> TowerModel:
    about = ("model", "source", "evidence")
    model = entries.get("model")
    kind = PARAMETERS.get(model) if isinstance(model, str) else None
    meant = did_you_mean(model, MODELS)
    errors = [] if is_printable(path.stem) else [f"{path}: its name may have no {UNPRINTABLE}; rename the file"]
    errors += [] if kind else [f"{path}: model: {quoted(model)} is not one of {', '.join(MODELS)}{meant}"]
    known = fields(kind) if kind else ()
    if kind:
        allowed = ("model", *(field.name for field in known), *about[1:])
        unknown = sorted(set(entries) - {*about, *(field.name for field in known)})
        errors += [
            f"{path}: {short(key)}: unknown field of the model {model}; allowed are {', '.join(allowed)}"
            f"{did_you_mean(key, allowed)}"
            for key in unknown
        ]
    floors = len(entries["cells"]) if isinstance(entries.get("cells"), list) else 0
    for field in known:
        if field.name in entries or field.default is MISSING:
            value, bound = entries.get(field.name), BOUNDS[field.name]
            if not (_is_list(field.name, value, floors) if field.name in _LISTS else bound.allows(value)):
                errors.append(f"{path}: {field.name}: {quoted(value)} is not {bound.words}")
    if not isinstance(entries.get("source", ""), str):
        errors.append(f"{path}: source: {quoted(entries['source'])} is not a text")
    evidence = entries.get("evidence", [])
    if not isinstance(evidence, list) or not all(isinstance(line, str) for line in evidence):
        errors.append(f"{path}: evidence: {quoted(evidence)} is not a list of texts")
    if errors or not kind:
        raise TowerError(errors)
    numbers = {field.name: _plain(field.name, entries[field.name]) for field in known if field.name in entries}
    return TowerModel(path.stem, kind(**numbers), entries.get("source", ""), tuple(evidence))


def _is_list(name: str, value: object, floors: int) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_FLOORS or len(value) != floors:
        return False
    whole = name != "cells" or all(type(number) is int for number in value)
    return whole and all(BOUNDS[name].allows(number) for number in value)


def _plain(name: str, value: Any) -> Any:
    # Numbers as the model holds them: `1` in a file is the same tower as `1.0`.
    if name == "cells":
        return tuple(value)
    return tuple(map(float, value)) if name in _LISTS else float(value)


HEADLINE = "# wallsim tower"  # how a file of ours begins, which may be written again


def tower_text(tower: TowerModel, remark: str = "") -> str:
    """The TOML of a tower: headline, a remark of one line, model, numbers, source and evidence.

    `load_tower` gives the same numbers back to the last digit. ValueError if the remark is not one line of printable
    text.
    """
    if remark and not remark.isprintable():
        raise ValueError(f"remark: {remark!r} is not one line of printable text")
    lines = [f"{key} = {in_toml(value)}" for key, value in tower.numbers().items()]
    lines.append(f"source = {in_toml(tower.source)}")
    if tower.evidence:
        texts = (f"  {in_toml(text)}," for text in tower.evidence)
        lines += ["evidence = [", *texts, "]"]
    return "\n".join([f"{HEADLINE}{f': {remark}' if remark else ''}", *lines, ""])
