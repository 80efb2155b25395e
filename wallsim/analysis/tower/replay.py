"""The design of a log, thrown into simulated towers: the same cubes in the same casts, with new random numbers."""

from __future__ import annotations

import numpy as np

from wallsim.analysis.tower.casts import EMPTY, CastLog, session_starts
from wallsim.engine.casting import CastingBench
from wallsim.rules.terms import ARMIES_PER_PLAYER, COLOURS

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
        starts = session_starts(log.session)
        starts[1:] |= np.array([event == EMPTY for event in log.event[:-1]], bool)
        block = np.cumsum(starts)[np.searchsorted(log.line, casts.line)]
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
