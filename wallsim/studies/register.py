"""The register of figures: `data/figures/NAME.csv` has every published figure of a study, one row each."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import lru_cache
from math import isnan, nan
from pathlib import Path
from typing import Any

from wallsim.errors import InputError
from wallsim.rules.files import data_folder
from wallsim.spreadsheet import text_of
from wallsim.studies.figure import Figure, Figures

ROOM = "figures"  # the folder of `data`
COLUMNS = tuple(each.name for each in fields(Figure))
_KINDS = {each.name: {"int": int, "float": float, "str": str}[str(each.type)] for each in fields(Figure)}


def register_file(study: str) -> Path:
    """The file of a study in the register, which may not exist yet. FileNotFoundError without the register."""
    return data_folder(ROOM) / f"{study}.csv"


def register_text(figures: Figures) -> str:
    """The text of a study's file: numbers that there are not are empty, and so are 0 players and samples of 0."""
    written = io.StringIO(newline="")
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    for figure in figures.values():
        table.writerow([_written(value) for value in asdict(figure).values()])
    return written.getvalue()


def read_register(study: str, path: Path | None = None) -> Figures:
    """The published figures of a study, or those of another file.

    InputError that names the file, the line, the field and the value if it cannot be read.
    """
    path = register_file(study) if path is None else path
    try:
        facts = path.stat()
    except OSError as error:
        raise InputError(f"{path}: cannot be read as figures: {error}") from None
    return _figures_of(study, path, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=64)
def _figures_of(study: str, path: Path, changed: int, size: int) -> Figures:
    # As long as the file is the same its figures are, which nobody changes.
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise InputError(f"{path}: has other columns than {', '.join(COLUMNS)}")
            rows = [_read(path, reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as figures: {error}") from None
    try:
        return Figures(study, rows)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


def moved(published: Mapping[str, Figure], played: Mapping[str, Figure]) -> list[str]:
    """Which figures lie outside of the published intervals, which are new and which are missing, one line each.

    A figure has moved if its value differs by more than the larger half-width of both intervals; without an interval
    if it differs.
    """
    lines = []
    for key, new in played.items():
        old = published.get(key)
        if old is not None and _has_moved(old, new):
            lines.append(f"{key}: {old.value:.6g} before, {new.value:.6g} now")
    missing = [key for key in published if key not in played]
    unknown = [key for key in played if key not in published]
    for keys, what in ((unknown, "new"), (missing, "missing")):
        if keys:
            more = f" and {len(keys) - 3:,} more" if len(keys) > 3 else ""
            lines.append(f"{len(keys):,} figures are {what}: {', '.join(keys[:3])}{more}")
    return lines


def differing(published: Mapping[str, Figure], played: Mapping[str, Figure]) -> list[str]:
    """Which figures differ in anything, or are in one of both alone, one line each."""
    keys = dict.fromkeys((*published, *played))
    return [f"{key}: differs" for key in keys if published.get(key) != played.get(key)]


def _has_moved(old: Figure, new: Figure) -> bool:
    if isnan(old.value) or isnan(new.value):
        return isnan(old.value) != isnan(new.value)
    widths = [(each.ends[1] - each.ends[0]) / 2 for each in (old, new) if each.ends is not None]
    return abs(old.value - new.value) > max(widths, default=0.0)


def _written(value: object) -> str:
    if isinstance(value, float):
        return "" if isnan(value) else f"{value:.10g}"
    return "" if value == 0 and isinstance(value, int) else str(value)


def _read(path: Path, line: int, row: Mapping[str, str | None]) -> Figure:
    values: dict[str, Any] = {}
    for name, kind in _KINDS.items():
        text = row[name]
        if text is None:
            raise InputError(f"{path}: line {line}: {name} is missing")
        try:
            text = text_of(text)
            values[name] = (nan if kind is float else kind()) if text == "" else kind(text)
        except ValueError:
            raise InputError(f"{path}: line {line}: {name}: {text!r} is not a number") from None
    return Figure(**values)
