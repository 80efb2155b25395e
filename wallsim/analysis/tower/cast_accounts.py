"""Conservation of cubes in a log of casts: all cubes that fall out or are inside must have been thrown in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from wallsim.analysis.tower.cast_header import OUT
from wallsim.analysis.tower.cast_table import CastTable
from wallsim.analysis.tower.casts import ACCIDENTS, EMPTY, CastLog, session_starts, sums_before

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
