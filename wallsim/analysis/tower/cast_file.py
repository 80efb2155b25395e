"""Reads and writes logs of casts as CSV files: one row per cast, the columns those of the template.

Cubes are conserved in a log: all cubes that fall out or are inside must have been thrown in.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TextIO
from unicodedata import normalize

import numpy as np

from wallsim.analysis.tower.cast_table import INTO, MAX_CUBES, OUT, CastTable, Problems, read_table
from wallsim.analysis.tower.casts import ACCIDENTS, EMPTY, EVENTS, CastLog, session_starts, sums_before
from wallsim.rules.files import normal_text, read_input
from wallsim.spreadsheet import cell_of, safe_csv, spreadsheet

_MAX_BYTES = 1 << 26  # of the most rows allowed, at 67 a row


def read_casts(path: str | Path) -> CastLog:
    """The log of casts in a CSV file.

    CastError names all errors of form or, if there are none, the first violation of conservation: more cubes out than
    there were, a closing inventory that differs from the cubes inside, numbers of casts that do not rise, more cubes
    from the tray than it held. Lines count from 1, the header.
    """
    errors = Problems(str(path))
    text = _read_text(Path(path), errors)
    table = None if text is None else read_table(text, errors)
    errors.raise_any()
    assert table is not None  # else there is an error
    log = _log_of(table)
    wrong = first_contradiction(log, table.number, table.rethrown)
    if wrong:
        errors.refuse(int(log.line[wrong.row]), wrong.column, wrong.text)
        errors.raise_any()
    return replace(log, notes=notes_on(log, table))


def write_casts(log: CastLog, target: str | Path | TextIO, *, tray_rethrown: Sequence[int | str] | None = None) -> None:
    """Writes a log to a path or an open text file; `read_casts` gives it back. Casts are numbered from 0 by session.

    `tray_rethrown` has one value per row; without it that column is blank, as are edition, pour and note. ValueError,
    before anything is written, for values that `read_casts` would refuse: names with blanks around them, upper-case
    colours, counts above MAX_CUBES.
    """
    _refuse_unreadable(log)
    file = io.StringIO(newline="")
    into, out = ([side + colour for colour in log.colours] for side in (INTO, OUT))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["session", "cast", "event", *into, *out, "tray_rethrown", "edition", "pour", "note"])
    rethrown = [""] * len(log.event) if tray_rethrown is None else tray_rethrown
    cast, previous = 0, None
    for session, event, thrown, fallen, again in zip(
        log.session, log.event, log.thrown.tolist(), log.fallen.tolist(), rethrown, strict=True
    ):
        cast = cast + 1 if session == previous else 0
        previous = session
        writer.writerow([cell_of(session), cast, event, *thrown, *fallen, again, "", "", ""])
    if isinstance(target, str | Path):
        Path(target).write_bytes(spreadsheet(file.getvalue()))
    else:
        target.write(safe_csv(file.getvalue()))


def _read_text(path: Path, errors: Problems) -> str | None:
    try:
        data = read_input(path, _MAX_BYTES)
    except IsADirectoryError:
        errors.refuse(0, "", "is a folder; a log of casts is a CSV file")
        return None
    except OSError as error:
        errors.refuse(0, "", f"cannot be read: {error.strerror}")
        return None
    text = normal_text(data, lambda line, words: errors.refuse(line, "", words))
    if text is not None and "\0" in text:
        errors.refuse(text.count("\n", 0, text.index("\0")) + 1, "", "byte 0x00 is not text; save the file as CSV")
        return None
    return text


def _log_of(table: CastTable) -> CastLog:
    thrown, fallen, line = (np.array(values, np.int64) for values in (table.thrown, table.fallen, table.line))
    line.setflags(write=False)
    return replace(CastLog.of(table.colours, table.session, table.event, thrown, fallen), line=line)


def _refuse_unreadable(log: CastLog) -> None:
    for colour in log.colours:
        if colour != _plain(colour.lower()) or not colour:
            raise ValueError(f"colour {colour!r} could not be read again; use small letters without blanks around them")
    for session in dict.fromkeys(log.session):
        if session != _plain(session) or not session:
            raise ValueError(f"session {session!r} could not be read again; use a name without blanks around it")
    for event in dict.fromkeys(log.event):
        if event not in EVENTS:
            raise ValueError(f"event {event!r} is not one of {', '.join(EVENTS)}")
    for counts in (log.thrown, log.fallen):
        if counts.size and not 0 <= counts.min() <= counts.max() <= MAX_CUBES:
            raise ValueError(f"counts from {counts.min()} to {counts.max()}; 0 to {MAX_CUBES} are allowed")


def _plain(name: str) -> str:
    # The name as a cell of a file would give it.
    return normalize("NFC", name).replace("\n", "").replace("\r", "").replace("\0", "").strip()


_LISTED = 5  # the most sessions or editions that a note names
_LESS = "the log shows less of which cubes were thrown and which lay inside"


class Contradiction(NamedTuple):
    """An impossible row of a log, if the rows above it are right; `row` counts from 0."""

    row: int
    column: str
    text: str


def first_contradiction(log: CastLog, number: Sequence[int], rethrown: Sequence[int]) -> Contradiction | None:
    """The first row that violates conservation, None if there is none.

    `number` [rows] are the numbers of the casts, -1 where none is written; `rethrown` [rows] the cubes of each throw
    that lay in the tray before.
    """
    result = (_order(log, number), _too_many_out(log), _wrong_inventory(log), _wrong_tray(log, rethrown))
    return min((wrong for wrong in result if wrong), key=lambda wrong: wrong.row, default=None)


def notes_on(log: CastLog, table: CastTable) -> tuple[str, ...]:
    """Warnings to read before trusting a fit: mixed towers, sessions without an inventory, cubes without colours."""
    notes = []
    for names, what in ((table.editions, "editions"), (table.pours, "pours")):
        if len(names) > 1:
            notes.append(f"{what} are mixed: {_list(names.values())}; a fit takes all casts for those of one tower")
    ends = np.append(session_starts(log.session)[1:], True)
    unproved = [log.session[row] for row in np.flatnonzero(ends) if log.event[row] != EMPTY]
    if unproved:
        notes.append(f"no closing inventory in {_sessions(unproved)}: nothing proves that no cube was missed")
    idle = sum(event not in ACCIDENTS for event in log.event) - len(log.casts().event)
    if idle:
        notes.append(f"rows without a cube thrown: {idle}; a fit leaves them out, like bumps")
    if len(log.colours) == 1:
        notes.append(f"one colour only ({log.colours[0]}): {_LESS}")
        return tuple(notes)
    firsts = np.flatnonzero(session_starts(log.session))
    colours = (np.add.reduceat(log.thrown, firsts, axis=0) > 0).sum(axis=1)
    plain = [log.session[first] for first, count in zip(firsts, colours, strict=True) if count == 1]
    if plain:
        notes.append(f"one colour only in {_sessions(plain)}: {_LESS}")
    return tuple(notes)


def _order(log: CastLog, number: Sequence[int]) -> Contradiction | None:
    # The rows of a session are consecutive, and the numbers of its casts rise.
    ended: set[str] = set()
    last = -1
    for row, session in enumerate(log.session):
        if row and session != log.session[row - 1]:
            ended.add(log.session[row - 1])
            last = -1
            if session in ended:
                text = f"'{session}' begins again after another session; the rows of a session must stand together"
                return Contradiction(row, "session", text)
        if 0 <= number[row] <= last:
            text = f"cast {number[row]} is below cast {last}; the numbers must rise within a session"
            return Contradiction(row, "cast", text)
        last = max(last, number[row])
    return None


def _too_many_out(log: CastLog) -> Contradiction | None:
    # A row `empty` is checked by its inventory instead.
    most = log.held + log.thrown
    casts = np.array([event != EMPTY for event in log.event])
    rows, colours = np.nonzero((log.fallen > most) & casts[:, None])
    if not len(rows):
        return None
    row, colour = rows[0], colours[0]
    text = (
        f"{log.fallen[row, colour]} fell out, at most {most[row, colour]} can: {log.held[row, colour]} inside "
        f"and {log.thrown[row, colour]} thrown, {_since(log, row)}"
    )
    return Contradiction(int(row), OUT + log.colours[colour], text)


def _wrong_inventory(log: CastLog) -> Contradiction | None:
    emptied = np.array([event == EMPTY for event in log.event])
    wrong = (log.fallen != log.held) & emptied[:, None]
    if not wrong.any():
        return None
    row = int(wrong.any(axis=1).argmax())
    colours = np.flatnonzero(wrong[row])
    counts = ", ".join(
        f"{log.colours[colour]} {log.fallen[row, colour]} counted, {log.held[row, colour]} expected"
        for colour in colours
    )
    text = f"closing inventory: {counts}, {_since(log, row)}"
    if not log.fallen[row].any():
        text += f"; the {OUT} columns of this row must hold what was inside"
    return Contradiction(row, OUT + log.colours[colours[0]], text)


def _wrong_tray(log: CastLog, rethrown: Sequence[int]) -> Contradiction | None:
    # A cube is in the tray if it fell out and was not thrown again since; some may have been taken away.
    again, thrown, fallen = np.asarray(rethrown, np.int64), log.thrown.sum(axis=1), log.fallen.sum(axis=1)
    lying = sums_before((fallen - again)[:, None], session_starts(log.session))[:, 0]
    wrong = np.flatnonzero(again > np.minimum(thrown, lying))
    if not len(wrong):
        return None
    row = int(wrong[0])
    if again[row] > thrown[row]:
        text = f"{again[row]} of the cubes thrown are said to have lain in the tray; {thrown[row]} were thrown in all"
    else:
        text = (
            f"{again[row]} cubes are said to have lain in the tray; at most {lying[row]} could, of those that fell out"
        )
    return Contradiction(row, "tray_rethrown", text)


def _since(log: CastLog, row: int) -> str:
    first = int(row)
    while first and log.session[first - 1] == log.session[row] and log.event[first - 1] != EMPTY:
        first -= 1
    return f"by the rows from line {log.line[first]} on, before which the tower was empty"


def _sessions(names: list[str]) -> str:
    return f"session{'s' if len(names) > 1 else ''} {_list(names)}"


def _list(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - _LISTED
    return ", ".join(every[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
