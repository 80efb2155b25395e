"""The blocks of pages that follow from what is recorded, and a comparison of versions added to its file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.ratio_tables import releases_block
from benchmarks.recorded import RATIOS, SCALE, SPEEDS, Source
from benchmarks.records import Scale
from benchmarks.releases import Release, read_releases, rows_of, write_releases
from benchmarks.scale import this_machine
from benchmarks.scale_tables import scale_block
from benchmarks.speed_ratio import Comparison
from benchmarks.speed_tables import parts_of_speeds
from benchmarks.speeds import Speeds
from wallsim.report.tables.marked_blocks import put_between_marks


def ratio_blocks(releases: Sequence[Release]) -> dict[str, str]:
    """The ratios of versions, for docs/speed.md."""
    return dict(zip(RATIOS.names, [releases_block(releases)], strict=True))


def speed_blocks(source: Source, speeds: Speeds) -> dict[str, str]:
    """The speeds, for docs/speed.md."""
    first, *others = (part.markdown for part in parts_of_speeds(speeds))
    return dict(zip(SPEEDS.names, [f"{first} {source.words}", *others], strict=True))


def scale_blocks(source: Source, scale: Scale) -> dict[str, str]:
    """The whole runs, for docs/scale.md."""
    return dict(zip(SCALE.names, [f"{source.words} {scale_block(scale)}"], strict=True))


def add_to_record(comparison: Comparison) -> tuple[Path, Path]:
    """Add the rows of a comparison to the file and write the table of the page; returns the paths of both."""
    file, page = RATIOS.paths(comparison.running.folder)
    rows = rows_of(comparison, this_machine().processor, datetime.now(UTC).date())
    releases = [*read_releases(file), *rows]
    write_releases(file, releases)
    put_between_marks([page], ratio_blocks(releases), "", RATIOS.writer)
    return file, page
