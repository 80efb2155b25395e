"""A number by county from a CSV file, for the colours of a map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from wallsim.errors import InputError
from wallsim.report.map.document import shown
from wallsim.rules.files import csv_rows, normal_text, read_input
from wallsim.rules.suggestions import did_you_mean

COUNTY = "county"
MOST_BYTES = 1_000_000  # far more than any table with one line per county


@dataclass(frozen=True)
class CountyValues:
    """The numbers of one column by county; None where the cell is empty or says nan."""

    column: str
    numbers: dict[str, float | None]


def read_values(path: str | Path, column: str | None, counties: Sequence[str]) -> CountyValues:
    """The numbers of a CSV file with a column `county`, and of several other columns the one named `column`.

    InputError names what is wrong by line and column: unknown or repeated counties, and cells that are no finite
    number.
    """
    path = Path(path)
    rows = _rows(path)
    if not rows:
        raise InputError(f"{path}: is empty; the first line must name the columns, {COUNTY} among them")
    line, header = rows[0]
    chosen = _chosen(path, line, header, column)
    place = header.index(COUNTY), header.index(chosen)
    numbers: dict[str, float | None] = {}
    errors: list[str] = []
    for line, cells in rows[1:]:
        if len(cells) != len(header):
            errors.append(f"{path}, line {line}: {len(cells)} fields; {len(header)} are allowed, one for each column")
            continue
        county, text = cells[place[0]], cells[place[1]].strip()
        number = _number(text)
        if county not in counties:
            errors.append(f"{path}, line {line}, column {COUNTY}: unknown county {shown(county)}"
                          f"{did_you_mean(county, counties)}")  # fmt: skip
        elif county in numbers:
            errors.append(f"{path}, line {line}, column {COUNTY}: duplicate county {county!r}")
        elif number is not None and math.isinf(number):
            errors.append(f"{path}, line {line}, column {chosen}: {shown(text)} is not a finite number, nan or nothing")
        else:
            numbers[county] = None if number is None or math.isnan(number) else number
    if errors:
        raise InputError(errors)
    return CountyValues(chosen, numbers)


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The lines of the file that are not empty, each with its number."""

    def refuse(line: int, words: str) -> NoReturn:
        raise InputError(f"{path}{f', line {line}' if line else ''}: {words}")

    try:
        data = read_input(path, MOST_BYTES)
    except OSError as error:
        refuse(0, f"cannot be read: {error.strerror}")
    text = normal_text(data, refuse)
    assert text is not None  # else it was refused
    return list(csv_rows(text, refuse))


def _chosen(path: Path, line: int, header: list[str], column: str | None) -> str:
    others = [name for name in header if name != COUNTY]
    if header.count(COUNTY) != 1 or len(set(others)) < len(others):
        raise InputError(f"{path}, line {line}: the columns are {', '.join(header)}; {COUNTY} and others, each once, "
                         "are allowed")  # fmt: skip
    if column is None and len(others) != 1:
        raise InputError(f"{path}, line {line}: has {len(others)} columns beside {COUNTY}; name one of "
                         f"{', '.join(others) or 'several'}")  # fmt: skip
    if column is not None and column not in others:
        raise InputError(f"column: {column!r} is not one of {', '.join(others)}{did_you_mean(column, others)}")
    return others[0] if column is None else column


def _number(text: str) -> float | None:
    """A cell as a number: None for an empty one, infinity for what is no number."""
    try:
        return float(text) if text else None
    except ValueError:
        return math.inf
