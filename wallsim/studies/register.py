"""The register of figures: the published figures of each study, in a narrow form; docs/figures.md describes the files.

What all figures of a study or of a quantity share stands once, and what an id says is read from it. Rows have the rest.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import Any

from wallsim.errors import InputError
from wallsim.folder.commit import write_whole
from wallsim.rules.files import data_folder
from wallsim.spreadsheet import text_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.shared_columns import EMPTY, KINDS, Shared, as_text, shared_by
from wallsim.studies.shared_files import CODEBOOK, NONE_GIVEN, Carried, read_shared, rows_of, write_shared

ROOM = "figures"  # the folder of `data`
COLUMNS = tuple(KINDS)
_OF_ROW = ("id", "value", "low", "high", "error", "n")  # columns of every file


def register_file(study: str) -> Path:
    """The file of a study in the register, which may not exist yet. FileNotFoundError without the register."""
    return data_folder(ROOM) / f"{study}.csv"


def register_text(figures: Figures) -> str:
    """The figures of a study with all columns: numbers that there are not are empty, and so are players and n of 0."""
    return _text(COLUMNS, (_cells(figure, EMPTY) for figure in figures.values()))


def write_register(
    figures: Figures,
    folder: Path,
    question: str,
    facts: Mapping[str, Any] = NONE_GIVEN,
    families: Mapping[str, str] = NONE_GIVEN,
    carried: Carried | None = None,
) -> None:
    """Write the figures of a study and the study's question into a folder of the register.

    `facts` of the play are its CPU seconds and `rules`, the commit and date of the file by which it is judged.
    `families` say by quantity which intervals hold together. `carried` says to which engine the figures were carried.
    As long as the figures are of the same play, what is not given stays as it is. ValueError for a figure whose columns
    contradict its id; InputError if a file that is there is damaged.
    """
    shared = shared_by(figures.values())
    rows = [_narrow(figures.study, _cells(figure, shared.columns(figure.id, figure.n))) for figure in figures.values()]
    columns = [*_OF_ROW, *(name for name in COLUMNS if name not in _OF_ROW and any(name in row for row in rows))]
    folder.mkdir(parents=True, exist_ok=True)
    write_shared(shared, figures.study, folder, question, facts, families, carried)
    write_whole(folder / f"{figures.study}.csv", _text(columns, rows).encode())


def _text(columns: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    written = io.StringIO(newline="")
    table = csv.DictWriter(written, [*columns], restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()


def _cells(figure: Figure, shared: Mapping[str, Any]) -> dict[str, str]:
    # What is not shared; and what is empty, which no cell can say if something else is shared.
    cells = {}
    for name, value in vars(figure).items():
        if str(value) != str(shared[name]):
            cells[name] = as_text(value)
            if cells[name] == "":
                raise ValueError(f"{figure.id}: {name}: is empty, and not {shared[name]!r} as its id and quantity say")
    return cells


def _narrow(study: str, cells: dict[str, str]) -> dict[str, str]:
    # Ids without the study, which the file's name says, and numbers without a zero before the point.
    if not cells["id"].startswith(f"{study}."):
        raise ValueError(f"{cells['id']}: id: does not begin with the study, {study}")
    numbers = {name: re.sub(r"^(-?)0\.", r"\1.", text) for name, text in cells.items() if KINDS[name] is float}
    return {**cells, **numbers, "id": cells["id"].removeprefix(f"{study}.")}


def read_register(study: str, path: Path | None = None) -> Figures:
    """The published figures of a study, or those of another file: of a folder of the register, or with all columns.

    InputError that names the file, the line, the field and the value if it cannot be read.
    """
    path = register_file(study) if path is None else path
    files = (path, path.with_suffix(".toml"), path.with_name(CODEBOOK))
    stats = [each.stat() if each.is_file() else None for each in files]
    return _figures_of(study, path, *((each.st_mtime_ns, each.st_size) if each else None for each in stats))


@lru_cache(maxsize=64)
def _figures_of(study: str, path: Path, *stamps: object) -> Figures:
    # As long as the files are the same their figures are, which nobody changes.
    (_, header), *lines = rows_of(path) or [(1, [])]
    columns, shared = tuple(header), None
    if columns != COLUMNS:
        if columns[: len(_OF_ROW)] != _OF_ROW or len({*columns} & {*COLUMNS}) < len(columns):
            raise InputError(f"{path}: line 1: has other columns than {', '.join(_OF_ROW)} and more of a figure's")
        shared = read_shared(study, path.parent)
    rows: dict[str, Figure] = {}
    for line, cells in lines:
        try:
            figure = _figure(study, columns, cells, shared)
            if rows.setdefault(figure.id, figure) is not figure:
                raise ValueError(f"id: {figure.id!r}: two figures have this id")
        except ValueError as error:
            raise InputError(f"{path}: line {line}: {error}") from None
    try:
        return Figures(study, rows.values())
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


def _figure(study: str, columns: tuple[str, ...], cells: list[str], shared: Shared | None) -> Figure:
    own: dict[str, Any] = {}
    for name, text in zip(columns, cells, strict=True):
        if text:
            try:
                own[name] = KINDS[name](text_of(text) if shared is None else text)
            except ValueError:
                raise ValueError(f"{name}: {text!r} is not a number") from None
    if shared is None:
        return Figure(**{**EMPTY, **own})
    own["id"] = f"{study}.{own.get('id', '')}"
    return Figure(**{**shared.columns(own["id"], own.get("n", 0)), **own})


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
