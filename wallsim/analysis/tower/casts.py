"""A log of casts: the cubes thrown into a dice tower, those that fell out, and those that must have been inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

EVENTS = ("fill", "battle", "revolt", "bench", "bump", "empty")
EMPTY = "empty"  # the tower is emptied and its cubes are counted: the closing inventory
ACCIDENTS = ("bump", EMPTY)  # rows without a throw: the table was knocked, or the tower was emptied
TOTAL = "all"  # the one colour of a log that counts cubes without their colours


@dataclass(frozen=True, eq=False)
class CastLog:
    """The rows of a log in their order; cubes are conserved: none appears or disappears. Arrays are read-only."""

    colours: tuple[str, ...]
    session: tuple[str, ...]  # [rows] the tower was empty when a session began
    event: tuple[str, ...]  # [rows] one of EVENTS
    thrown: np.ndarray  # int64 [rows, colours] cubes thrown in, from hand and tray
    fallen: np.ndarray  # int64 [rows, colours] cubes that came out; of an `empty` row the closing inventory
    held: np.ndarray  # int64 [rows, colours] cubes inside before the row
    line: np.ndarray  # int64 [rows] line of the file, the header being line 1
    notes: tuple[str, ...] = ()  # what a reader should know before trusting a fit

    @classmethod
    def of(
        cls, colours: Sequence[str], session: Sequence[str], event: Sequence[str], thrown: Any, fallen: Any
    ) -> CastLog:
        """A log from its rows; `thrown` and `fallen` are [rows, colours], what was held follows from them.

        Lines are numbered as `write_casts` will write them. Nothing is checked.
        """
        shape = (len(event), len(colours))
        into = np.asarray(thrown, np.int64).reshape(shape)
        out = np.asarray(fallen, np.int64).reshape(shape)
        held = sums_before(into - out, _emptied_before(session, event))
        line = np.arange(2, len(event) + 2)
        names = (tuple(colours), tuple(session), tuple(event))
        return cls(*names, _frozen(into), _frozen(out), _frozen(held), _frozen(line))

    def casts(self) -> CastLog:
        """The casts alone: rows that throw at least one cube, neither `bump` nor `empty`; `held` stays as it is."""
        usable = np.array([event not in ACCIDENTS for event in self.event], bool) & (self.thrown.sum(axis=1) > 0)
        places = np.flatnonzero(usable)
        return replace(
            self,
            session=tuple(self.session[place] for place in places),
            event=tuple(self.event[place] for place in places),
            thrown=_frozen(self.thrown[places]),
            fallen=_frozen(self.fallen[places]),
            held=_frozen(self.held[places]),
            line=_frozen(self.line[places]),
        )

    def totals(self) -> CastLog:
        """The same rows without colours: one column, named TOTAL, that counts all cubes."""
        thrown, fallen, held = (
            _frozen(cubes.sum(axis=1, keepdims=True)) for cubes in (self.thrown, self.fallen, self.held)
        )
        return replace(self, colours=(TOTAL,), thrown=thrown, fallen=fallen, held=held)


def sums_before(change: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The sum of `change` over the rows before each row, int64 [rows, columns], restarting at 0 where `starts`.

    `starts` is bool [rows], and True for the first row.
    """
    before = np.zeros((len(change) + 1, change.shape[1]), np.int64)
    np.cumsum(change, axis=0, out=before[1:])
    first = np.maximum.accumulate(np.where(starts, np.arange(len(change)), 0))
    sums: np.ndarray = before[:-1] - before[first]
    return sums


def session_starts(session: Sequence[str]) -> np.ndarray:
    """Bool [rows]: whether a row is the first of its session."""
    return np.array([row == 0 or session[row] != session[row - 1] for row in range(len(session))], bool)


def _emptied_before(session: Sequence[str], event: Sequence[str]) -> np.ndarray:
    starts = session_starts(session)
    starts[1:] |= np.array([before == EMPTY for before in event[:-1]], bool)
    return starts


def _frozen(array: np.ndarray) -> np.ndarray:
    frozen: np.ndarray = np.array(array, np.int64)
    frozen.setflags(write=False)
    return frozen
