"""The rows of a log of casts as written in the file, and the errors of their form.

Reading does not stop at the first error: a wrong cell is noted and counts 0, so that all errors are reported together.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from wallsim.analysis.tower.cast_header import ALLOWED, INTO, OUT, Header, Problems, delimiter_of, read_header, shown
from wallsim.analysis.tower.casts import ACCIDENTS, EVENTS, TOTAL
from wallsim.rules.board_cells import OneOf, Whole
from wallsim.rules.files import csv_rows
from wallsim.spreadsheet import text_of

MAX_ROWS = 1_000_000
MAX_CUBES = 999  # of a colour in one cell
FULL_FILL = 20  # cubes from which on a session's first row without an event is a fill
UNNAMED = "1"  # the session of rows that name none
_COUNT = Whole(0, MAX_CUBES, blank=True)
_CAST = Whole(0, 999_999_999, blank=True)
_EVENT = OneOf(EVENTS)
_COUNTS = {"": 0} | {str(count): count for count in range(MAX_CUBES + 1)}  # quicker than reading digits
_TOTALS = (TOTAL, "total")


def _integers() -> array:
    return array("q")


@dataclass
class CastTable:
    """The rows of a file, with blanks filled in."""

    colours: tuple[str, ...]
    line: array = field(default_factory=_integers)
    session: list[str] = field(default_factory=list)
    number: array = field(default_factory=_integers)  # of the cast; -1 where none is written
    event: list[str] = field(default_factory=list)
    thrown: array = field(default_factory=_integers)  # row after row, a count for each colour
    fallen: array = field(default_factory=_integers)
    rethrown: array = field(default_factory=_integers)  # cubes of the throw that lay in the tray
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
