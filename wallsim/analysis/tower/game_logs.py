"""The log of casts that an observer would have written during simulated games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.tower.casts import EMPTY, CastLog
from wallsim.analysis.tower.protocols import COLOUR_NAMES
from wallsim.runs.experiment import Experiment
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

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
