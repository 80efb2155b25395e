"""The header and rows of a log of casts as written in the file, and the errors of their form.

Reading does not stop at the first error: a wrong cell is noted and counts 0, so that all errors are reported together.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from wallsim.analysis.tower.casts import ACCIDENTS, EVENTS, TOTAL
from wallsim.errors import InputError
from wallsim.rules.board_table import OneOf, Problem, Whole
from wallsim.rules.files import csv_rows
from wallsim.spreadsheet import text_of

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


MAX_ROWS = 1_000_000
MAX_CUBES = 999  # of a colour in one cell
FULL_FILL = 20  # cubes from which on a session's first row without an event is a fill
UNNAMED = "1"  # the session of rows that name none
_COUNT = Whole(0, MAX_CUBES, blank=True)
_CAST = Whole(0, 999_999_999, blank=True)
_EVENT = OneOf(EVENTS)
_COUNTS = {"": 0} | {str(count): count for count in range(MAX_CUBES + 1)}  # quicker than reading digits
_TOTALS = (TOTAL, "total")


@dataclass
class CastTable:
    """The rows of a file, with blanks filled in."""

    colours: tuple[str, ...]
    line: list[int] = field(default_factory=list)
    session: list[str] = field(default_factory=list)
    number: list[int] = field(default_factory=list)  # of the cast; -1 where none is written
    event: list[str] = field(default_factory=list)
    thrown: list[int] = field(default_factory=list)  # row after row, a count for each colour
    fallen: list[int] = field(default_factory=list)
    rethrown: list[int] = field(default_factory=list)  # cubes of the throw that lay in the tray
    editions: dict[str, str] = field(default_factory=dict)  # those that occur, by their names in small letters
    pours: dict[str, str] = field(default_factory=dict)


def read_table(text: str, errors: Problems) -> CastTable | None:
    """The rows of a CSV text, separated by commas, semicolons or tabs; adds the errors of its form to `errors`.

    A blank cell is filled in as if the column were missing: a session is that of the row above, an event `fill` in the
    first row of a session if FULL_FILL cubes or more are thrown, else `bench`, a count 0. None if no row can be read.
    """
    rows: _Rows | None = None
    broken: list[int] = []

    def refuse(line: int, words: str) -> None:
        broken.append(line)
        errors.refuse(line, "", words)

    for line, fields in csv_rows(text, refuse, delimiter_of(text)):
        cells = [text_of(cell.strip()) for cell in fields]
        if any(cells) and rows is None:
            header = read_header(line, cells, errors)
            if header is None:
                return None
            rows = _Rows(header, errors)
        elif any(cells) and rows is not None:
            if len(rows.table.line) == MAX_ROWS:
                errors.refuse(line, "", f"exceeds the limit of {MAX_ROWS:,} rows; split the log")
                return None
            rows.read(line, cells)
    if broken:
        return None
    if rows is None:
        errors.refuse(0, "", f"the file is empty; its first line must name the columns: {ALLOWED}")
        return None
    if not rows.table.line and not errors.count:
        errors.refuse(0, "", "there is no row below the header; a log has one for each cast")
    return rows.table


class _Rows:
    # Reads rows under one header into a table.

    def __init__(self, header: Header, errors: Problems) -> None:
        self.table = CastTable(header.colours)
        self._columns, self._places, self._errors = header.columns, header.places, errors
        self._into = [INTO + colour for colour in header.colours]
        self._out = [OUT + colour for colour in header.colours]
        self._named = False  # whether a session was named yet

    def read(self, line: int, cells: list[str]) -> None:
        """Adds a row to the table, and its errors to the others."""
        while len(cells) > len(self._columns) and not cells[-1]:
            cells.pop()
        if len(cells) != len(self._columns):
            # Behind a lost or surplus comma the fields may belong to other columns: none of them is read.
            column = self._columns[min(len(cells), len(self._columns) - 1)]
            allowed = f"{len(self._columns)} are allowed, one for each column"
            self._errors.refuse(line, column, f"{len(cells)} fields; {allowed}")
            return
        table = self.table
        thrown = [self._count(line, cells, column) for column in self._into]
        fallen = [self._count(line, cells, column) for column in self._out]
        previous = table.session[-1] if table.session else ""
        session = self._session(line, cells, previous)
        event = self._event(line, cells, session != previous and sum(thrown) >= FULL_FILL)
        self._check(line, cells, event, thrown)
        table.line.append(line)
        table.session.append(session)
        table.number.append(self._whole(line, cells, "cast", _CAST, -1))
        table.event.append(event)
        table.thrown.extend(thrown)
        table.fallen.extend(fallen)
        table.rethrown.append(self._count(line, cells, "tray_rethrown"))
        for column, names in (("edition", table.editions), ("pour", table.pours)):
            if name := self._cell(cells, column):
                names.setdefault(name.casefold(), name)

    def _cell(self, cells: list[str], column: str) -> str:
        place = self._places.get(column)
        return "" if place is None else cells[place]

    def _count(self, line: int, cells: list[str], column: str) -> int:
        count = _COUNTS.get(self._cell(cells, column))
        return self._whole(line, cells, column, _COUNT, 0) if count is None else count

    def _whole(self, line: int, cells: list[str], column: str, kind: Whole, blank: int) -> int:
        value = kind.read(self._cell(cells, column))
        if value is None:
            self._refuse(line, cells, column, kind)
        return value if isinstance(value, int) else blank

    def _session(self, line: int, cells: list[str], previous: str) -> str:
        session = self._cell(cells, "session")
        if session and previous and not self._named:
            text = f"{shown(session)} is the first session to be named; name one in every row above too"
            self._errors.refuse(line, "session", text)
        self._named = self._named or session != ""
        return previous if session in ("", previous) and previous else session or UNNAMED

    def _event(self, line: int, cells: list[str], is_fill: bool) -> str:
        text = self._cell(cells, "event")
        if not text:
            return "fill" if is_fill else "bench"
        event = _EVENT.read(text.lower())
        if event is None:
            self._refuse(line, cells, "event", _EVENT)
        return event or ""

    def _refuse(self, line: int, cells: list[str], column: str, kind: Whole | OneOf) -> None:
        text = f"{shown(self._cell(cells, column))} is not allowed; it must be {kind.allowed()}"
        self._errors.refuse(line, column, text)

    def _check(self, line: int, cells: list[str], event: str, thrown: list[int]) -> None:
        # Checks between the cells of one row.
        if event in ACCIDENTS:
            for column, count in zip(self._into, thrown, strict=True):
                if count:
                    text = f"{count} is not allowed; a row of event {event} throws nothing, it must be 0 or nothing"
                    self._errors.refuse(line, column, text)
        elif event and self._out and not any(self._cell(cells, column) for column in self._out):
            self._errors.refuse(line, self._out[0], "nothing is written for what fell out; write 0 where nothing fell")
        for column, count in zip(self._into, thrown, strict=True):
            if column.removeprefix(INTO) in _TOTALS and 0 < count < sum(thrown):
                text = f"{count} is not allowed beside cubes of a colour; a cube is counted in one column only"
                self._errors.refuse(line, column, text)
