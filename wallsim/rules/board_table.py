"""One CSV file of a board folder as rows of checked cells; whatever is wrong with it becomes a `Problem`.

Reading goes on after an error: a wrong cell is noted and read as None, and checks that need it skip it, so that one
mistake is reported once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from wallsim.escaping import UNPRINTABLE, escaped, escaped_line, is_printable
from wallsim.rules.files import csv_rows, normal_text
from wallsim.rules.suggestions import did_you_mean

_INTEGER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True)
class Whole:
    """A cell that holds a whole number from `least` to `most`; with `blank` it may be empty (read as "")."""

    least: int
    most: int
    blank: bool = False

    def read(self, text: str) -> int | str | None:
        """The number, "" for an empty cell that may be empty, None if the text is not allowed."""
        if self.blank and text == "":
            return text
        if not _INTEGER.fullmatch(text):
            return None
        return int(text) if self.least <= int(text) <= self.most else None

    def allowed(self) -> str:
        """What may stand in the cell, in words."""
        return f"a whole number from {self.least} to {self.most}" + (" or nothing" if self.blank else "")


@dataclass(frozen=True)
class Word:
    """A cell that holds any text without spaces around it; only with `blank` may it be empty, with `lines` have lines.

    What stands on a board is printed: characters that act on a terminal are not allowed.
    """

    blank: bool = False
    lines: bool = False

    def read(self, text: str) -> str | None:
        """The text, or None if it is not allowed."""
        shown = escaped(text) == text if self.lines else is_printable(text)
        return text if shown and text == text.strip() and (text or self.blank) else None

    def allowed(self) -> str:
        """What may stand in the cell, in words."""
        return f"text without {UNPRINTABLE}, or spaces around it" + ("" if self.blank else ", not empty")


@dataclass(frozen=True)
class OneOf:
    """A cell that holds one of a few words."""

    words: tuple[str, ...]

    def read(self, text: str) -> str | None:
        """The word, or None if it is not among those allowed."""
        return text if text in self.words else None

    def allowed(self) -> str:
        """What may stand in the cell, in words."""
        return "one of " + ", ".join(self.words)


Cell = Whole | Word | OneOf


_MOST_ROWS = 500  # far more than any table of 45 counties
_SHOWN = 40  # characters of a wrong value that an error repeats


class Problem(NamedTuple):
    """One thing that is wrong with a board folder.

    `line` counts from 1, the header; 0 where the whole file is meant. `column` is the column's name, empty
    where no single column is meant. `text` names the value and what is allowed instead.
    """

    file: str
    line: int
    column: str
    text: str

    def __str__(self) -> str:
        """The error in one line: file, line and column where there are such, then the text."""
        line = f", line {self.line}" if self.line else ""
        column = f", column {self.column}" if self.column else ""
        return escaped_line(f"{self.file}{line}{column}: {self.text}")


@dataclass(frozen=True)
class Row:
    """One line of a table. `row[column]` is the cell's value, None if it is missing or was refused."""

    line: int
    cells: dict[str, Any]

    def __getitem__(self, column: str) -> Any:
        """The value of a column: int or str by its kind, None if there is none to go by."""
        return self.cells.get(column)


class Table:
    """The rows of one file, and the list to which its errors are added."""

    def __init__(self, file: str, errors: list[Problem]) -> None:
        """An empty table; `errors` is shared by all tables of the folder."""
        self.file = file
        self.rows: list[Row] = []
        self._errors = errors

    def refuse(self, line: int, column: str, text: str) -> None:
        """Adds an error of this file."""
        self._errors.append(Problem(self.file, line, column, text))

    def first_lines(self, column: str) -> dict[Any, int]:
        """The line on which each value of a column first stands; every repetition is an error."""
        lines: dict[Any, int] = {}
        for row in self.rows:
            value = row[column]
            if value is None:
                continue
            if value in lines:
                text = f"{value!r} duplicates line {lines[value]}"
                self.refuse(row.line, column, text)
            else:
                lines[value] = row.line
        return lines

    def demand_rows(self, column: str, count: int) -> None:
        """Any other number of rows is an error, named at the first row too many or else at the last line."""
        if len(self.rows) != count:
            row_lines = [row.line for row in self.rows]
            line = row_lines[count] if len(row_lines) > count else max(row_lines, default=1)
            self.refuse(line, column, f"{len(row_lines)} rows below the header; exactly {count} are allowed")


def read_table(file: str, data: bytes, schema: Mapping[str, Cell], errors: list[Problem]) -> Table | None:
    """Reads a file's bytes as UTF-8 CSV with a header; the columns of `schema`, in any order, and no others.

    Adds every error of header, rows and cells to `errors`. Returns None where no rows can be made out.
    """
    table, broken = Table(file, errors), list[int]()
    text = normal_text(data, lambda line, words: table.refuse(line, "", words))
    if text is None:
        return None

    def refuse(line: int, words: str) -> None:
        broken.append(line)
        table.refuse(line, "", words)

    header: list[str] = []
    for line, fields in csv_rows(text, refuse):
        if not header:
            header = fields
            _check_header(table, line, header, schema)
        elif len(table.rows) == _MOST_ROWS:
            refuse(line, f"more than {_MOST_ROWS} rows below the header")
            break
        else:
            table.rows.append(Row(line, _read_cells(table, line, header, fields, schema)))
    if broken:
        return None
    if not header:
        table.refuse(1, "", f"the file is empty; it must begin with the columns {', '.join(schema)}")
        return None
    return table


def _check_header(table: Table, line: int, header: list[str], schema: Mapping[str, Cell]) -> None:
    allowed = "allowed are " + ", ".join(schema)
    if len(header) == 1 and ";" in header[0]:
        table.refuse(line, "", "the columns are separated by semicolons; save the file as CSV with commas")
        return
    for place, column in enumerate(header):
        if column not in schema:
            table.refuse(line, column, f"unknown column {_shown(column)}; {allowed}{did_you_mean(column, schema)}")
        elif column in header[:place]:
            table.refuse(line, column, f"duplicate column {_shown(column)}")
    for column in schema:
        if column not in header:
            table.refuse(line, column, f"missing column {column!r}; {allowed}")


def _read_cells(
    table: Table, line: int, header: list[str], fields: list[str], schema: Mapping[str, Cell]
) -> dict[str, Any]:
    kept = len(header)
    if len(fields) != len(header):
        column = header[min(len(fields), len(header) - 1)]
        table.refuse(line, column, f"{len(fields)} fields; {len(header)} are allowed, one for each column")
        kept = 1  # after a missing or extra comma the fields may belong to other columns
    cells: dict[str, Any] = {}
    for column, text in zip(header[:kept], fields, strict=False):
        if column not in schema or column in cells:
            continue
        cells[column] = schema[column].read(text)
        if cells[column] is None:
            allowed = schema[column].allowed()
            table.refuse(line, column, f"{_shown(text)} is not allowed; it must be {allowed}")
    return cells


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
