"""The tracked file of measured ratios of speeds, `data/speed/releases.csv`: a row per comparison and policy.

`date`: of the measurement. `version`, `commit`, `engine`: of the measured installation; `against`, `against_engine`: of
the one it was compared with, its commit, or its version where it had none. `ratio`, `low`, `high`: games per CPU second
divided by those of the other, with the 95 % interval. `turns`; `games`: per turn and installation; `speed`,
`against_speed`: games per CPU second, medians of the turns. `processor`: of the machine.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple, get_type_hints

from benchmarks.speed_ratio import Comparison
from wallsim.errors import InputError
from wallsim.folder.commit import write_whole

_SOURCE = "# Measured by `.ci/bench against COMMIT --record`; .ci/benchmarks/releases.py has the columns.\n"


class Release(NamedTuple):
    """A row of the file; its fields are the columns."""

    date: str
    version: str
    commit: str
    engine: int
    against: str
    against_engine: int
    policy: str
    ratio: float
    low: float
    high: float
    turns: int
    games: int
    speed: float
    against_speed: float
    processor: str


def rows_of(comparison: Comparison, processor: str, day: date) -> list[Release]:
    """The rows of a comparison, one per policy, rounded as they are stored."""
    rows = []
    running, other = comparison.running, comparison.other
    for each in comparison.ratios:
        ratio, (low, high) = each.estimate()
        rows.append(Release(
            day.isoformat(), running.version, running.commit, comparison.engine_version,
            other.label, comparison.other_engine_version, each.policy,
            round(ratio, 4), round(low, 4), round(high, 4), comparison.turns, each.games,
            round(each.speed, 1), round(each.other_speed, 1), processor,
        ))  # fmt: skip
    return rows


def read_releases(path: Path) -> list[Release]:
    """The rows of a file in their order, none if it is missing; InputError names a line that cannot be read."""
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    result = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#") or line == ",".join(Release._fields):
            continue
        cells = next(csv.reader([line]), [])
        try:
            values = [read(cell) for read, cell in zip(get_type_hints(Release).values(), cells, strict=True)]
        except ValueError:
            raise InputError(f"{path}: line {number}: needs the columns {', '.join(Release._fields)}") from None
        result.append(Release(*values))
    return result


def write_releases(path: Path, releases: Sequence[Release]) -> None:
    """Write all rows, atomically."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Release._fields)
    writer.writerows(releases)
    write_whole(path, (_SOURCE + text.getvalue()).encode())
