"""Recording measurements in a checkout: a data file with its source, and the marked blocks of a page made from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import TypeAdapter, ValidationError

from benchmarks.installation import Installation, is_checkout, uncommitted
from wallsim.errors import InputError
from wallsim.folder.commit import write_whole
from wallsim.policies.policy import is_policy_file
from wallsim.report.tables.columns import json_text
from wallsim.report.tables.marked_blocks import marked_text, put_between_marks

Measured = TypeVar("Measured")


class Source(NamedTuple):
    """Where measurements come from: the date, the version and commit that were measured, and the command."""

    date: str
    version: str
    commit: str
    command: str

    @property
    def words(self) -> str:
        """The source in a sentence."""
        return f"Measured on {self.date} with wallsim {self.version}, commit `{self.commit}`, by `{self.command}`."


class Place(NamedTuple):
    """A data file in `data/speed`, and the page in `docs` whose blocks follow from it.

    `writer` is the command that the marks name, `names` are those of the blocks.
    """

    file: str
    page: str
    writer: str
    names: tuple[str, ...]

    def paths(self, folder: Path) -> tuple[Path, Path]:
        """The file and the page in a checkout."""
        return folder / "data" / "speed" / self.file, folder / "docs" / self.page


RATIOS = Place("releases.csv", "speed.md", ".ci/bench against --record", ("ratios",))
SPEEDS = Place("speeds.json", "speed.md", ".ci/bench speed --record", ("policies", "settings", "costs"))
SCALE = Place("scale.json", "scale.md", ".ci/bench scale --record", ("scale",))


def source_of(running: Installation, command: str) -> Source:
    """The source of what the running installation measures today."""
    return Source(datetime.now(UTC).date().isoformat(), running.version, running.commit, command)


def refuse_unrecordable(running: Installation, policies: Sequence[str], place: Place) -> None:
    """InputError, before anything is measured, if it could not be recorded.

    The running installation must be a checkout without changes that could decide the speed, the policies shipped ones,
    and the page must have the marks.
    """
    for name in policies:
        if is_policy_file(name):
            raise InputError(f"record: {name} is a file; allowed are shipped policies")
    if not is_checkout(running.folder):
        raise InputError(f"record: needs a git checkout; wallsim runs from {running.folder}")
    changed = uncommitted(running.folder)
    if changed:
        raise InputError(f"record: {changed[0]} has uncommitted changes; commit or undo them first")
    marked_text(place.paths(running.folder)[1], place.names)


def record(
    running: Installation, place: Place, command: str, measured: Any, blocks: Callable[[Source, Any], dict[str, str]]
) -> tuple[Path, Path]:
    """Write measurements, a dataclass, and the blocks of the page that follow from them; returns the paths of both."""
    source, (file, page) = source_of(running, command), place.paths(running.folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json_text({"source": source, "measured": measured}).encode())
    put_between_marks([page], blocks(source, measured), "", place.writer)
    return file, page


def read_record(path: Path, kind: type[Measured]) -> tuple[Source, Measured]:
    """The source and the measurements of a file, a dataclass of this kind; InputError if it does not have them."""
    try:
        document = json.loads(path.read_text("utf-8"))
        return Source(**document["source"]), TypeAdapter(kind).validate_python(document["measured"])
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(f"{path}: has no record of measurements: {error}") from None
