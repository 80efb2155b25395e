"""More games for the claims that a first stage left undecided: which were added, and how they are played.

`additions.csv` says of each later stage which outcomes of a study got more games, in which cell, and how many:
`allocation.py` chose them by the figures of the stages before and wrote them there. So the games of a stage follow from
the file, not from the register of the day. An addition is played in parts, each with as many rows of games as a cell of
the first stage and a seed of its own, the same for all cells and outcomes.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate
from wallsim.stats.stages import SHARES
from wallsim.studies.cache import Cache

from .sources import Source, source
from .sources import outcomes_of as outcomes_played

FILE = Path(__file__).with_name("additions.csv")
COLUMNS = ("stage", "study", "players", "play", "tower", "setup", "parts", "outcomes")
STAGES = tuple(range(2, len(SHARES) + 1))  # the later stages; the first is the study without additions
_BETWEEN = "; "  # outcomes
_SEEDS, _OF_STAGE = 1_000_000, 10_000  # so that no part has the seed of another, or that of a study


class Addition(NamedTuple):
    """Games that a stage adds for some outcomes of a study in a cell, in so many parts."""

    stage: int
    study: str
    players: int
    cell: Cell
    parts: int
    outcomes: tuple[str, ...]

    @property
    def source(self) -> Source:
        """The study whose code plays them."""
        return source(self.study)


@cache
def additions(path: Path = FILE) -> tuple[Addition, ...]:
    """The additions of a file, by default those of the study. InputError that names file, line and field."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise InputError(f"{path}: has other columns than {', '.join(COLUMNS)}")
        return tuple(_read(path, reader.line_num, row) for row in reader)


def _read(path: Path, line: int, row: Mapping[str, str]) -> Addition:
    numbers = {}
    for name, allowed in (("stage", STAGES), ("players", (3, 4, 5)), ("parts", range(1, _OF_STAGE))):
        if not row[name].isdecimal() or int(row[name]) not in allowed:
            raise InputError(f"{path}: line {line}: {name}: {row[name]!r}; allowed are {allowed[0]} to {allowed[-1]}")
        numbers[name] = int(row[name])
    cell = Cell(row["play"], row["tower"], row["setup"])
    outcomes = tuple(row["outcomes"].split(_BETWEEN))
    return Addition(numbers["stage"], row["study"], numbers["players"], cell, numbers["parts"], outcomes)


def additions_text(every: Collection[Addition]) -> str:
    """The text of a file of additions."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((*each[:3], *each.cell, each.parts, _BETWEEN.join(each.outcomes)) for each in every)
    return text.getvalue()


def seed_of(seed: int, stage: int, part: int) -> int:
    """The seed of a part of a stage, from that of the study."""
    return seed * _SEEDS + stage * _OF_STAGE + part


def outcomes_of(
    addition: Addition, experiments: Mapping[int, Experiment], rows: int, cache: Cache
) -> dict[str, Estimate]:
    """The outcomes of an addition, from its experiments by part, each of so many rows of games."""
    parts = [
        outcomes_played(addition.source, "more games", each, rows, addition.players, cache, addition.outcomes)
        for each in experiments.values()
    ]
    return {name: _joined([part[name] for part in parts]) for name in addition.outcomes}


def _joined(parts: list[Estimate]) -> Estimate:
    # The mean of estimates from as many rows each; the influence of a row is that in its own part.
    return Estimate(float(np.mean([part.value for part in parts])), np.concatenate([part.influence for part in parts]))
