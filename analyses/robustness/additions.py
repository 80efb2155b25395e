"""More games for the claims that a first stage left undecided, as `additions.csv` says.

The file says of each later stage which outcomes of a study got more games, in which cell, and how many: `allocation.py`
chose them by the figures of the stages before and wrote them there. So the games of a stage follow from the file, not
from the register of the day. An addition is played in parts, each with as many rows of games as a cell of the first
stage and a seed of its own, the same for all cells and outcomes.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.stats.stages import SHARES
from wallsim.studies.shared_files import rows_of

FILE = Path(__file__).with_name("additions.csv")
COLUMNS = ("stage", "study", "players", "play", "tower", "setup", "parts", "outcomes")
STAGES = tuple(range(2, len(SHARES) + 1))  # the later stages; the first is the study without additions
OF_STAGE = 10_000  # seeds, so that no part has the seed of another, or that of a study
_ALLOWED = {"stage": STAGES, "players": (3, 4, 5), "parts": range(1, OF_STAGE)}
_BETWEEN = "; "  # outcomes


class Addition(NamedTuple):
    """Games that a stage adds for some outcomes of a study in a cell, in so many parts."""

    stage: int
    study: str
    players: int
    cell: Cell
    parts: int
    outcomes: tuple[str, ...]


@cache
def additions(path: Path = FILE) -> tuple[Addition, ...]:
    """The additions of a file, by default those of the study. InputError that names file, line and field."""
    rows = rows_of(path, COLUMNS)[1:]
    return tuple(_read(f"{path}: line {line}", dict(zip(COLUMNS, cells, strict=True))) for line, cells in rows)


def _read(place: str, row: Mapping[str, str]) -> Addition:
    for name, allowed in _ALLOWED.items():
        if not row[name].isdecimal() or int(row[name]) not in allowed:
            raise InputError(f"{place}: {name}: {row[name]!r}; allowed are {allowed[0]} to {allowed[-1]}")
    stage, players, parts = (int(row[name]) for name in _ALLOWED)
    cell = Cell(row["play"], row["tower"], row["setup"])
    return Addition(stage, row["study"], players, cell, parts, tuple(row["outcomes"].split(_BETWEEN)))


def additions_text(every: Iterable[Addition]) -> str:
    """The text of a file of additions."""
    text = StringIO()
    rows = ((*each[:3], *each.cell, each.parts, _BETWEEN.join(each.outcomes)) for each in every)
    csv.writer(text, lineterminator="\n").writerows((COLUMNS, *rows))
    return text.getvalue()


def seed_of(seed: int, stage: int, part: int) -> int:
    """The seed of a part of a stage, from that of the study."""
    return seed * 1_000_000 + stage * OF_STAGE + part
