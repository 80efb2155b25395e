"""Designs of bench sessions that measure a tower, and the logs that simulated towers produce for them.

The bench session is the most informative for its effort: casts of single colours show directly how many cubes of other
colours are knocked loose, casts of all sizes how that grows with the cast, casts of one size the variance, and complete
fills of an empty tower which calibration is near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.tower.casts import ACCIDENTS, EMPTY, CastLog
from wallsim.engine.casting import CastingBench
from wallsim.experiment.experiment import Experiment
from wallsim.rules.terms import COLOURS
from wallsim.rules.tower import TowerModel
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

COLOUR_NAMES = ("red", "blue", "yellow", "purple", "green", "black")
BATCHES, BATCH = 8, 6  # the tower is filled by so many casts of so many cubes
MAX_THROWN = 14  # of the casts of all sizes
REPEATED, REPEATED_SIZE = 30, 8  # casts of one size
FILLS, FILL = 5, 38  # complete fills, each into an empty tower: those of four players
PEASANTS_OF_FILL = 10
MIN_CASTS = BATCHES + REPEATED + FILLS


class Design(NamedTuple):
    """The planned rows of a log, before anything is thrown."""

    thrown: np.ndarray  # int64 [rows, colours] cubes to throw in; none in rows of the event `empty`
    emptied: np.ndarray  # bool [rows] the tower is empty before the row, whatever was inside
    events: tuple[str, ...]  # [rows]


def bench_design(casts: int = 200, colours: int = 5, seed: int = 1) -> Design:
    """The design of a bench session of `casts` casts in total, one colour per cast in rotation.

    Eight batches of 6 cubes fill the tower. Then come casts of 1 to 14 cubes, each number as likely, drawn by `seed`;
    30 casts of 8; and 5 complete fills of 38 cubes of all colours, each into an empty tower. Before and after each
    fill is a row `empty`, the closing inventory that proves the balance: 6 rows more than casts. ValueError for fewer
    casts than the 43 that are fixed, or not 1 to 6 colours.
    """
    if not 1 <= colours <= COLOURS:
        raise ValueError(f"{colours} colours; 1 to {COLOURS} are allowed")
    if casts < MIN_CASTS:
        fixed = f"{BATCHES} batches, {REPEATED} casts of {REPEATED_SIZE} and {FILLS} fills"
        raise ValueError(f"{casts} casts; a bench session has at least {MIN_CASTS}: {fixed}")
    drawn = np.random.default_rng(seed).integers(1, MAX_THROWN + 1, casts - MIN_CASTS)
    sizes = np.concatenate((np.full(BATCHES, BATCH), drawn, np.full(REPEATED, REPEATED_SIZE)))
    single = np.zeros((len(sizes), colours), np.int64)
    single[np.arange(len(sizes)), np.arange(len(sizes)) % colours] = sizes
    closing = np.zeros((2 * FILLS + 1, colours), np.int64)  # an inventory, then a fill and an inventory at a time
    closing[1::2] = fill_of(colours)
    events = ("bench",) * len(sizes) + (EMPTY, "fill") * FILLS + (EMPTY,)
    emptied = np.array([row == 0 or events[row - 1] == EMPTY for row in range(len(events))], bool)
    return Design(np.concatenate((single, closing)), emptied, events)


def fill_of(colours: int) -> np.ndarray:
    """The 38 cubes of a complete fill, int64 [colours]: 10 peasants, the last colour; the others equally many."""
    if colours == 1:
        return np.array([FILL], np.int64)
    armies, players = FILL - PEASANTS_OF_FILL, colours - 1
    each = [armies // players + (seat < armies % players) for seat in range(players)]
    return np.array([*each, PEASANTS_OF_FILL], np.int64)


def simulate_log(
    tower: TowerModel, design: Design, colours: Sequence[str] | None = None, seed: int = 1, number: int = 0
) -> CastLog:
    """The log of a simulated tower into which a design is thrown; `number` tells logs of one seed apart.

    Rows `empty` count out what was inside; in a row `bump`, or without cubes, nothing falls. A row before which the
    tower is emptied without such a count begins a new session. Colours are named, or those of COLOUR_NAMES. ValueError
    for more than 6 colours, another number of names, or more than 62 cubes of a colour thrown and inside together.
    """
    rows, columns = design.thrown.shape
    names = tuple(COLOUR_NAMES[:columns] if colours is None else colours)
    if columns > COLOURS:
        raise ValueError(f"{columns} colours; at most {COLOURS} are allowed")
    if len(names) != columns:
        raise ValueError(f"{len(names)} names for {columns} colours")
    throws = np.array([event not in ACCIDENTS for event in design.events], bool) & (design.thrown.sum(axis=1) > 0)
    counted = np.array([row > 0 and design.events[row - 1] == EMPTY for row in range(rows)], bool)
    starts = design.emptied | counted
    starts[:1] = True
    blocks = np.cumsum(starts)
    places = np.flatnonzero(throws)
    thrown = np.zeros((len(places), COLOURS), np.int64)
    thrown[:, :columns] = design.thrown[places]
    emptied = np.diff(blocks[places], prepend=0) > 0
    fallen = np.zeros_like(design.thrown)
    fallen[places] = CastingBench(tower).throw(thrown, emptied, seed=seed, number=number)[:, :columns]
    inside = np.zeros(columns, np.int64)
    for row in range(rows):
        inside = np.where(starts[row], 0, inside)
        if design.events[row] == EMPTY:
            fallen[row] = inside
        inside = inside + design.thrown[row] - fallen[row]
    session = np.cumsum(starts & ~counted)
    return CastLog.of(names, [str(number) for number in session], design.events, design.thrown, fallen)


_PEASANTS = "green"


class GameLog(NamedTuple):
    """A log with, for each of its rows, how many of the thrown cubes had lain in the tray."""

    log: CastLog
    tray_rethrown: tuple[int, ...]


def game_log(experiment: Experiment, first: int = 0) -> GameLog:
    """The casts of an experiment's games from number `first` on, one session per game, each closed by an inventory.

    Seats have the colours red, blue, yellow, purple and black in their order, peasants are green.
    """
    parts = experiment.components()
    arena = parts.arena(experiment.seed)
    names = [str(seat) for seat in range(experiment.players)] + ["peasants"]
    rows: list[_Row] = []
    session: list[str] = []
    for number in range(first, first + experiment.games):
        match = Match(parts.board, parts.ruleset, parts.tower, experiment.seed, parts.names(), number)
        rows_of_game = list(_rows(trace_lines(match, arena.trace(number)), names))
        rows += rows_of_game
        session += [f"game {number}"] * len(rows_of_game)
    log = CastLog.of(
        _colours(experiment.players), session, [row.event for row in rows],
        np.array([row.thrown for row in rows]), np.array([row.fallen for row in rows]),
    )  # fmt: skip
    return GameLog(log, tuple(row.rethrown for row in rows))


class _Row(NamedTuple):
    event: str
    thrown: list[int]
    fallen: list[int]
    rethrown: int = 0


def _colours(players: int) -> tuple[str, ...]:
    armies = [name for name in COLOUR_NAMES if name != _PEASANTS]
    return (*armies[:players], _PEASANTS)


def _rows(lines: Iterator[dict[str, Any]], names: list[str]) -> Iterator[_Row]:
    inside = [0] * len(names)
    for line in lines:
        if line["t"] == "fill":
            thrown, fallen = _counts(line["dropped"], names), _counts(line["out"], names)
            inside = [into - out for into, out in zip(thrown, fallen, strict=True)]
            yield _Row("fill", thrown, fallen)
        elif line["t"] == "battle":
            before = _counts(line["tray_before"], names)
            thrown = [tray + new for tray, new in zip(before, _counts(line["engaged"], names), strict=True)]
            event = "revolt" if line["attacker"] == "peasants" else "battle"
            inside = _counts(line["tower_after"], names)
            yield _Row(event, thrown, _counts(line["tray_after_drop"], names), sum(before))
    yield _Row(EMPTY, [0] * len(names), inside)


def _counts(cubes: dict[str, int], names: list[str]) -> list[int]:
    return [cubes.get(name, 0) for name in names]
