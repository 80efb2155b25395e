"""A log of casts: the cubes thrown into a dice tower, those that fell out, and those that must have been inside.

A `Replay` throws the same cubes in the same casts into simulated towers, with new random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np

from wallsim.engine.casting import CastingBench
from wallsim.rules.terms import ARMIES_PER_PLAYER, COLOURS

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
        held = sums_before(into - out, emptied_before(session, event))
        line = np.arange(2, len(event) + 2)
        names = (tuple(colours), tuple(session), tuple(event))
        return cls(*names, _frozen(into), _frozen(out), _frozen(held), _frozen(line))

    def casts(self) -> CastLog:
        """The casts alone: rows that throw at least one cube, neither `bump` nor `empty`; `held` stays as it is."""
        usable = np.array([event not in ACCIDENTS for event in self.event], bool) & (self.thrown.sum(axis=1) > 0)
        arrays: dict[str, Any] = {
            name: _frozen(getattr(self, name)[usable]) for name in ("thrown", "fallen", "held", "line")
        }
        session, event = (tuple(compress(names, usable)) for names in (self.session, self.event))
        return replace(self, session=session, event=event, **arrays)

    def totals(self) -> CastLog:
        """The same rows without colours: one column, named TOTAL, that counts all cubes."""
        sums: dict[str, Any] = {
            name: _frozen(getattr(self, name).sum(axis=1, keepdims=True)) for name in ("thrown", "fallen", "held")
        }
        return replace(self, colours=(TOTAL,), **sums)


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


def emptied_before(session: Sequence[str], event: Sequence[str]) -> np.ndarray:
    """Bool [rows]: whether the tower was empty before a row, since a session began or it had been emptied."""
    starts = session_starts(session)
    starts[1:] |= np.array([before == EMPTY for before in event[:-1]], bool)
    return starts


def _frozen(array: np.ndarray) -> np.ndarray:
    frozen: np.ndarray = np.array(array, np.int64)
    frozen.setflags(write=False)
    return frozen


GAME_EVENTS = ("battle", "revolt")
MAX_THROWN = 150  # cubes in one cast


class Replay:
    """The casts of a log as a bench throws them.

    The thrown cubes are treated as given. That is exact for a bench log, where throws do not depend on what fell. In a
    game the tray's cubes are thrown again, so throws depend on what fell before: there a replay is an approximation,
    since it throws the cubes that fell from the tower of the log, not from the simulated one.

    Nothing is thrown in a row `bump`, and nothing falls: the models do not cover knocks at the table.

    A log of one column, a colour or totals, has its cubes spread over six colours cube by cube. Colours do not matter
    to how many cubes fall in any of the models, and a box has 62 of each.

    Attributes: `thrown`, int64 [casts, columns]; `emptied`, bool [casts], the tower was empty before the cast because
    a session began, it was emptied, or a bump let everything out; `fallen`, int64 [casts, columns], what the log saw;
    `of_games`, whether some casts are battles or revolts.
    """

    def __init__(self, log: CastLog) -> None:
        """Take the casts of a whole log. ValueError if it has none, or more colours or cubes than the box."""
        casts = log.casts()
        self.thrown, self.fallen = casts.thrown, casts.fallen
        self.of_games = any(event in GAME_EVENTS for event in casts.event)
        rows, columns = self.thrown.shape
        if rows == 0:
            raise ValueError("the log holds no cast: no fill, battle, revolt or bench row throws a cube")
        if columns > COLOURS:
            raise ValueError(
                f"the log has {columns} colours; a simulated tower takes at most {COLOURS}: leave colours out of the "
                "file that were never thrown, or log totals"
            )
        block = np.cumsum(emptied_before(log.session, log.event))[np.searchsorted(log.line, casts.line)]
        after = casts.held[:-1] + casts.thrown[:-1] - casts.fallen[:-1]
        self.emptied = np.diff(block, prepend=0) > 0
        self.emptied[1:] |= (casts.held[1:].sum(axis=1) == 0) & (after.sum(axis=1) > 0)
        self._bench_thrown = np.zeros((rows, COLOURS), np.int64)
        if columns == 1:
            through = np.cumsum(self.thrown[:, 0])
            for colour in range(COLOURS):
                # Cubes are numbered through the log; a colour has those whose number leaves its remainder.
                upto = (through + COLOURS - 1 - colour) // COLOURS
                self._bench_thrown[:, colour] = np.diff(upto, prepend=0)
        else:
            self._bench_thrown[:, :columns] = self.thrown
        self._refuse_too_many(casts)

    def throw(self, bench: CastingBench, seed: int, number: int) -> np.ndarray | None:
        """What falls from a simulated tower, int64 [casts, columns]; None if it comes to hold more cubes than a box."""
        try:
            fallen = bench.throw(self._bench_thrown, self.emptied, seed=seed, number=number)
        except ValueError:
            return None
        columns = self.thrown.shape[1]
        return fallen.sum(axis=1, keepdims=True) if columns == 1 else fallen[:, :columns]

    def _refuse_too_many(self, casts: CastLog) -> None:
        spread = 1 if casts.thrown.shape[1] > 1 else COLOURS
        cubes = -(-(casts.thrown + casts.held) // spread)
        many = np.flatnonzero((cubes > ARMIES_PER_PLAYER).any(axis=1) | (casts.thrown.sum(axis=1) > MAX_THROWN))
        if len(many):
            row, colour = int(many[0]), int(cubes[many[0]].argmax())
            raise ValueError(
                f"line {casts.line[row]}: {casts.thrown[row].sum()} cubes are thrown, and of {casts.colours[colour]} "
                f"{casts.thrown[row, colour] + casts.held[row, colour]} are thrown or inside; a simulated tower takes "
                f"casts of at most {MAX_THROWN} cubes and {ARMIES_PER_PLAYER * spread} of a colour"
            )
