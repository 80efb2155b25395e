"""Recording a comparison of speeds in a checkout: rows of `data/speed/releases.csv`, and the table of docs/speed.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.installation import Installation, is_checkout, uncommitted
from benchmarks.ratio_tables import BLOCK, releases_block
from benchmarks.releases import FILE, read_releases, rows_of, write_releases
from benchmarks.scale import this_machine
from benchmarks.speed_ratio import Comparison
from wallsim.errors import InputError
from wallsim.policies.policy import is_policy_file
from wallsim.report.tables.marked_blocks import marked_text, put_between_marks

WRITER = ".ci/bench against --record"  # named in the opening mark of the page


def refuse_unrecordable(running: Installation, policies: Sequence[str]) -> None:
    """InputError, before anything is measured, if a comparison with these policies could not be recorded.

    The running installation must be a checkout without changes that could decide the speed, the policies shipped ones.
    """
    for name in policies:
        if is_policy_file(name):
            raise InputError(f"record: {name} is a file; allowed are shipped policies")
    if not is_checkout(running.folder):
        raise InputError(f"record: needs a git checkout; wallsim runs from {running.folder}")
    changed = uncommitted(running.folder)
    if changed:
        raise InputError(f"record: {changed[0]} has uncommitted changes; commit or undo them first")
    file, page = _places(running.folder)
    read_releases(file)
    marked_text(page, [BLOCK])


def add_to_record(comparison: Comparison) -> tuple[Path, Path]:
    """Add the rows of a comparison to the file and write the table of the page; returns the paths of both."""
    file, page = _places(comparison.running.folder)
    rows = rows_of(comparison, this_machine().processor, datetime.now(UTC).date())
    releases = [*read_releases(file), *rows]
    write_releases(file, releases)
    put_between_marks([page], {BLOCK: releases_block(releases)}, "", WRITER)
    return file, page


def _places(folder: Path) -> tuple[Path, Path]:
    return folder / "data" / "speed" / FILE, folder / "docs" / "speed.md"
