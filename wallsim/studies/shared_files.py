"""The files of the register with what figures share: NAME.toml of each study, and codebook.csv of all of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from math import nan
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from wallsim.errors import InputError
from wallsim.escaping import toml_line
from wallsim.folder.commit import write_whole
from wallsim.rules.files import csv_rows, decoded, read_input, read_toml
from wallsim.studies.shared_columns import ABOUT, EMPTY, KINDS, OF_ID, Shared, as_text

CODEBOOK = "codebook.csv"
_COLUMNS = ("study", "quantity", "words", "unit", "n_unit", "null", "family", "question")
NONE_GIVEN: Mapping[str, str] = MappingProxyType({})
_OF_QUANTITY: dict[str, type] = {"seed": int, "level": float, "family": int, "setup": str}  # in NAME.toml
_FORM: dict[str, Any] = {
    "seed": int, "level": float,
    "played": {"engine": int, "digest": str, "cpu_seconds": int, "rules": {"commit": str, "date": str}},
    "carried": {"engine": int, "p": float, "figures": int, "sample": str, "cpu_seconds": int},
    "names": {"*": [str]}, "quantities": {"*": _OF_QUANTITY}, "labels": {"*": str},
    "patterns": {name: {"*": {"*": [str]}} for name in (ABOUT, *OF_ID)},  # patterns by quantity and value
}  # fmt: skip
_IN_WORDS = {int: "a whole number", float: "a number with a point", str: "a text", dict: "a table", list: "a list"}


class Carried(NamedTuple):
    """To which engine version the figures of a study were carried, and by what: the p-value that none of them differs.

    So many `figures` were compared. `sample` are the options by which other games of the study were played, in so many
    CPU seconds, None if some were stored.
    """

    engine: int
    p: float
    figures: int
    sample: str
    cpu_seconds: int | None = None


def read_played(study: str, folder: Path) -> Mapping[str, Any]:
    """Which engine version played the figures of a study in a folder of the register, and the `rules` that judge them.

    The latter are a commit and its date, if they are recorded. InputError as `read_shared` has it.
    """
    return _document(folder / f"{study}.toml")


def read_carried(study: str, folder: Path) -> Carried | None:
    """To which engine the figures of a study in a folder of the register were carried; None if they were not.

    InputError as `read_shared` has it.
    """
    path = folder / f"{study}.toml"
    found = _document(path).get("carried")
    if found is not None and (missing := {*Carried._fields} - {*found} - {*Carried._field_defaults}):
        raise InputError(f"{path}: carried.{min(missing)} is missing")
    return None if found is None else Carried(**found)


def read_shared(study: str, folder: Path) -> Shared:
    """What the figures of a study share, from a folder of the register. InputError that names file, field and value."""
    path = folder / f"{study}.toml"
    document = _document(path)
    of_study = {name: document[name] for name in ("seed", "level", "family", "engine", "digest")}
    quantities = {
        quantity: {**EMPTY, **of_study, **columns, **document["quantities"].get(quantity, {})}
        for quantity, columns in _codebook(folder / CODEBOOK, study).items()
    }
    patterns = {
        name: {quantity: _by_pattern(path, f"patterns.{name}.{quantity}", name, each) for quantity, each in by.items()}
        for name, by in document["patterns"].items()
    }
    return Shared(of_study, document["names"], quantities, document["labels"], patterns)


def _by_pattern(path: Path, field: str, name: str, patterns: Mapping[str, list[str]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text, each in patterns.items():
        try:
            value = KINDS.get(name, str)(text)
        except ValueError:
            raise InputError(f"{path}: {field}: {text!r} is not a number") from None
        if twice := next((pattern for pattern in each if pattern in found), None):
            raise InputError(f"{path}: {field}: {twice!r} stands under two values")
        found |= dict.fromkeys(each, value)
    return found


def _document(path: Path) -> dict[str, Any]:
    try:
        document = read_toml(read_input(path))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as figures: {error}") from None
    _check(path, "", document, _FORM)
    empty: dict[str, Any] = {"names": {}, "quantities": {}, "labels": {}, "patterns": {}, "family": 1}
    document = {**empty, **document, **document.get("played", {})}
    for name in ("seed", "level", "engine", "digest"):
        if name not in document:
            raise InputError(f"{path}: {name} is missing")
    return document


def _check(path: Path, name: str, value: Any, form: Any) -> None:
    # Whether a value has the type, or its entries have those of the table or list that `form` is.
    kind: Any = form if isinstance(form, type) else type(form)
    if type(value) is not kind:
        raise InputError(f"{path}: {name}: {value!r} is not {_IN_WORDS[kind]}")
    entries: dict[Any, Any] = value if kind is dict else dict(enumerate(value, start=1)) if kind is list else {}
    for key, each in entries.items():
        inner = form[0] if kind is list else form.get(key, form.get("*"))
        if inner is None:
            raise InputError(f"{path}: {name}: {key} is not one of {', '.join(form)}")
        _check(path, f"{name}.{key}".lstrip("."), each, inner)


def _codebook(path: Path, study: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for line, (name, quantity, words, unit, n_unit, null, *_) in rows_of(path, _COLUMNS)[1:]:
        if name == study:
            if quantity in found:
                raise InputError(f"{path}: line {line}: quantity: {study}.{quantity} has two rows")
            found[quantity] = {"quantity": words, "unit": unit, "n_unit": n_unit}
            try:
                found[quantity]["null"] = float(null or nan)
            except ValueError:
                raise InputError(f"{path}: line {line}: null: {null!r} is not a number") from None
    return found


def rows_of(path: Path, columns: tuple[str, ...] = ()) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file, each with the number of its first line; the first has `columns` if they are given.

    InputError for any other file, and for a row with more or fewer fields than the first.
    """

    def refuse(line: int, words: str) -> None:
        raise InputError(f"{path}: line {line}: {words}")

    try:
        rows = list(csv_rows(decoded(read_input(path)), refuse))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as figures: {error}") from None
    header = rows[0][1] if rows else []
    if columns and tuple(header) != columns:
        raise InputError(f"{path}: line 1: has other columns than {', '.join(columns)}")
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{path}: line {line}: has {len(cells)} fields; the columns are {', '.join(header)}")
    return rows


def write_shared(
    shared: Shared, study: str, folder: Path, question: str, facts: Mapping[str, Any], families: Mapping[str, str],
    carried: Carried | None = None,
) -> None:  # fmt: skip
    """Write NAME.toml, and the study's rows of the codebook.

    `facts` of the play that are not given stay, and so does what the file says of carrying, as long as the figures are
    of the same play. InputError if a file that is there is damaged.
    """
    path, codebook = folder / f"{study}.toml", folder / CODEBOOK
    known = _document(path) if path.is_file() else {}
    if all(known.get(name) == shared.study[name] for name in ("engine", "digest")):
        facts = {**known.get("played", {}), **facts}
        carried = read_carried(study, folder) if carried is None else carried
    rows = [cells for _, cells in rows_of(codebook, _COLUMNS)[1:] if cells[0] != study] if codebook.is_file() else []
    first = next(iter(shared.quantities))
    for name, columns in shared.quantities.items():
        texts = [as_text(columns[each]) for each in ("quantity", "unit", "n_unit", "null")]
        rows.append([study, name, *texts, families.get(name, ""), question if name == first else ""])
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows([_COLUMNS, *sorted(rows, key=lambda cells: cells[0])])
    write_whole(path, _toml(shared, facts, carried).encode())
    write_whole(codebook, written.getvalue().encode())


def _toml(shared: Shared, facts: Mapping[str, Any], carried: Carried | None) -> str:
    usual = shared.study
    played = {**dict.fromkeys(_FORM["played"]), **facts, "engine": usual["engine"], "digest": usual["digest"]}
    lines = [toml_line(name, _OF_QUANTITY[name](usual[name])) for name in ("seed", "level")]
    for name, facts in (("played", played), ("carried", {} if carried is None else carried._asdict())):
        if facts:
            lines.append(toml_line(name, {key: value for key, value in facts.items() if value is not None}))
    own = {
        quantity: {name: kind(of[name]) for name, kind in _OF_QUANTITY.items() if of[name] != usual.get(name, "")}
        for quantity, of in shared.quantities.items()
    }
    patterns = {f"patterns.{name}": {quantity: _by_value(each) for quantity, each in by.items()}
             for name, by in shared.patterns.items()}  # fmt: skip
    for title, table in {"names": shared.names, "quantities": own, **patterns, "labels": shared.labels}.items():
        entries = [toml_line(name, value) for name, value in table.items() if value]
        lines += ["", f"[{title}]", *entries] if entries else []
    return "\n".join([*lines, ""])


def _by_value(patterns: Mapping[str, Any]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for pattern, value in patterns.items():
        values.setdefault(as_text(value), []).append(pattern)
    return values
