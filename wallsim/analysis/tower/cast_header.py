"""The header of a log of casts: its columns, colours and separator; and errors by file, line and column."""

from __future__ import annotations

import io
from dataclasses import dataclass

from wallsim.errors import InputError
from wallsim.rules.board_table import Problem

PROBLEMS_SHOWN = 20
_SHOWN = 40  # characters of a wrong value that an error repeats


class CastError(InputError):
    """An unusable log of casts; `errors` has one line per error: position, value, what is allowed."""


class Problems:
    """The errors of one file: all are counted, the first PROBLEMS_SHOWN are listed."""

    def __init__(self, file: str) -> None:
        """None yet."""
        self.count = 0
        self._file = file
        self._listed: list[str] = []

    def refuse(self, line: int, column: str, text: str) -> None:
        """Adds an error; line 0 means the whole file, an empty column the whole line."""
        self.count += 1
        if self.count <= PROBLEMS_SHOWN:
            self._listed.append(str(Problem(self._file, line, column, text)))

    def raise_any(self) -> None:
        """CastError with the listed errors and the number of the others, if there is any."""
        more = self.count - len(self._listed)
        if self.count:
            rest = [f"{self._file}: and {more:,} more error{'s' if more > 1 else ''}"] if more else []
            raise CastError(self._listed + rest)


def shown(text: str) -> str:
    """A value in quotes, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


COLUMNS = ("session", "cast", "event", "tray_rethrown", "edition", "pour")
ALLOWED = f"allowed are in_<colour>, out_<colour>, {', '.join(COLUMNS)} and columns whose names begin with note"
INTO, OUT, NOTE = "in_", "out_", "note"


@dataclass(frozen=True)
class Header:
    """The columns of a file in their order, and the colours that have both an in_ and an out_ column."""

    columns: tuple[str, ...]
    places: dict[str, int]  # by column
    colours: tuple[str, ...]  # in the order of the in_ columns


def delimiter_of(text: str) -> str:
    """Comma, semicolon or tab: the separator that splits the first line into the most known columns."""
    header = next((line for line in io.StringIO(text) if line.strip()), "")

    def known(delimiter: str) -> int:
        return sum(_is_known(column.strip().strip('"').lower()) for column in header.split(delimiter))

    return max((",", ";", "\t"), key=known)  # the first of equals


def read_header(line: int, cells: list[str], errors: Problems) -> Header | None:
    """The header in a file's first line, in upper or lower case; None, with an error, if no column is known."""
    columns = [cell.lower() for cell in cells]
    while columns and not columns[-1]:
        columns.pop()  # a spreadsheet's blank columns on the right
    if not any(map(_is_known, columns)):
        errors.refuse(line, "", f"no column is known; this line must name the columns: {ALLOWED}")
        return None
    places: dict[str, int] = {}
    for place, column in enumerate(columns):
        if not _is_known(column):
            errors.refuse(line, column, f"unknown column {shown(column)}; {ALLOWED}")
        elif column in (INTO, OUT):
            errors.refuse(line, column, f"{shown(column)} names no colour; {ALLOWED}")
        elif column in places and not column.startswith(NOTE):
            errors.refuse(line, column, f"duplicate column {shown(column)}")
        else:
            places[column] = place
    return Header(tuple(columns), places, _colours(line, places, errors))


def _colours(line: int, places: dict[str, int], errors: Problems) -> tuple[str, ...]:
    into = [column.removeprefix(INTO) for column in places if column.startswith(INTO)]
    out = [column.removeprefix(OUT) for column in places if column.startswith(OUT)]
    for own, others, side, other in ((into, out, INTO, OUT), (out, into, OUT, INTO)):
        for colour in own:
            if colour not in others:
                text = f"there is no column {shown(other + colour)}; a colour has both, what went in and what came out"
                errors.refuse(line, side + colour, text)
    if not into and not out:
        errors.refuse(
            line, "", f"no column counts cubes; name some as {INTO}red and {OUT}red or {INTO}all and {OUT}all"
        )
    return tuple(colour for colour in into if colour in out)


def _is_known(column: str) -> bool:
    return column in COLUMNS or column.startswith((INTO, OUT, NOTE))
