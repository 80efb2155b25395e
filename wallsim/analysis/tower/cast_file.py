"""Reads and writes logs of casts as CSV files: one row per cast, the columns those of the template."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO
from unicodedata import normalize

import numpy as np

from wallsim.analysis.tower.cast_accounts import first_contradiction, notes_on
from wallsim.analysis.tower.cast_errors import CastError, Problems
from wallsim.analysis.tower.cast_header import INTO, OUT
from wallsim.analysis.tower.cast_table import MAX_CUBES, CastTable, read_table
from wallsim.analysis.tower.casts import EVENTS, CastLog
from wallsim.rules.files import normal_text, read_input
from wallsim.spreadsheet import safe_csv, spreadsheet

__all__ = ["CastError", "read_casts", "write_casts"]

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


def write_casts(
    log: CastLog,
    target: str | Path | TextIO,
    *,
    tray_rethrown: Sequence[int] | None = None,
    edition: Sequence[str] | None = None,
    pour: Sequence[str] | None = None,
    note: Sequence[str] | None = None,
) -> None:
    """Writes a log to a path or an open text file; `read_casts` gives it back. Casts are numbered from 0 by session.

    The other columns have one value per row, blank where they are not given. ValueError, before anything is written,
    for values that `read_casts` would refuse: names with blanks around them, upper-case colours, counts above
    MAX_CUBES.
    """
    optional = {"tray_rethrown": tray_rethrown, "edition": edition, "pour": pour, "note": note}
    _refuse_unreadable(log, optional)
    text = _text(log, optional)
    if isinstance(target, str | Path):
        Path(target).write_bytes(spreadsheet(text))
    else:
        target.write(safe_csv(text))


def _text(log: CastLog, optional: dict[str, Sequence | None]) -> str:
    file = io.StringIO(newline="")
    into, out = ([side + colour for colour in log.colours] for side in (INTO, OUT))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["session", "cast", "event", *into, *out, *optional])
    blank = [""] * len(log.event)
    others = [blank if values is None else values for values in optional.values()]
    cast, previous = 0, None
    for session, event, thrown, fallen, *about in zip(
        log.session, log.event, log.thrown.tolist(), log.fallen.tolist(), *others, strict=True
    ):
        cast = cast + 1 if session == previous else 0
        previous = session
        writer.writerow([session, cast, event, *thrown, *fallen, *about])
    return file.getvalue()


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
    thrown, fallen, line = (np.frombuffer(values, np.int64) for values in (table.thrown, table.fallen, table.line))
    line.setflags(write=False)
    return replace(CastLog.of(table.colours, table.session, table.event, thrown, fallen), line=line)


def _refuse_unreadable(log: CastLog, optional: dict[str, Sequence | None]) -> None:
    for column, values in optional.items():
        if values is not None and len(values) != len(log.event):
            raise ValueError(f"{column} has {len(values)} values; {len(log.event)} are allowed, one per row")
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
