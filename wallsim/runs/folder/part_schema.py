"""The columns and the metadata that a part file must have, by what was played; digests alone do not show a forged file.

Names, types and order of the columns are compared, and the metadata that follow from the identity and the chunk. Names
of counties and events follow from the board's files, which may be elsewhere: any names pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wallsim.engine.columns import BIDS, COMBATS, EDITED_SOURCES, SOURCES, Column
from wallsim.rules.files import read_json
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import ACTIONS, BATTLE_KINDS, OUTCOME_NAMES, RESULTS, SEASONS, TILES
from wallsim.runs.folder.file_metadata import PREFIX
from wallsim.runs.folder.layout import PartFile, canonical, identity_hash
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.schema import TYPES

# The lists of names that an Enum may have, by kind of column.
_NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "lineup": (tuple(LETTERS),),
    "tile": (tuple(TILES),),
    "season": (tuple(SEASONS),),
    "bid": (tuple(BIDS),),
    "battle": (tuple(BATTLE_KINDS),),
    "result": (tuple(RESULTS),),
    "action": (tuple(ACTIONS),),
    "outcome": (tuple(OUTCOME_NAMES),),
    "combat": (tuple(COMBATS),),
    "source": (tuple(SOURCES), (*SOURCES, *EDITED_SOURCES)),
}


@dataclass(frozen=True)
class Expected:
    """What the footer of a file must say: its columns, the names of policies, and the identity of what was played."""

    table: str
    columns: tuple[Column, ...]
    policies: tuple[str, ...]
    identity: dict[str, Any]

    @cached_property
    def metadata(self) -> dict[str, str]:
        """What the metadata of each file must say, without the prefix of the keys."""
        return {
            "table": self.table,
            "experiment": identity_hash(self.identity),
            "identity": canonical(self.identity),
            "engine_version": str(self.identity.get("engine_version")),
        }


def part_errors(place: FileStore, part: PartFile, expected: Expected, chunk: Mapping[str, Any] | None) -> list[str]:
    """The errors of a file's footer, one line each; OSError is passed on.

    `chunk` is the manifest's entry for the chunk of the file, if it has one.
    """
    import polars as pl

    url = place.url(part.file)
    try:
        there = dict(pl.scan_parquet(url, glob=False, **place.polars_options).collect_schema())
        about = pl.read_parquet_metadata(url, **place.polars_options)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0] if str(error) else "its footer is damaged"
        return [f"{part.file}: cannot be read as Parquet: {reason}"]
    names = [column.name for column in expected.columns]
    errors = [f"{part.file}: column {name}: is missing" for name in names if name not in there]
    errors += [f"{part.file}: column {name}: does not belong to {part.table}" for name in there if name not in names]
    if not errors and list(there) != names:
        name = next(name for name, right in zip(there, names, strict=True) if name != right)
        errors.append(f"{part.file}: column {name}: is not in its position")
    for column in expected.columns:
        if column.name in there and (wrong := _type_error(column, there[column.name], expected.policies)):
            errors.append(f"{part.file}: column {column.name}: {wrong}")
    errors += [f"{part.file}: metadata {key}: {text}" for key, text in _metadata_errors(about, expected, chunk)]
    return errors


def _type_error(column: Column, there: Any, policies: tuple[str, ...]) -> str:
    import polars as pl

    if column.kind in TYPES:
        right = getattr(pl, TYPES[column.kind])
        return "" if there == right else f"type {_name(there)}, expected {TYPES[column.kind]}"
    if not isinstance(there, pl.Enum):
        return f"type {_name(there)}, expected Enum"
    allowed = (policies,) if column.kind == "policy" else _NAMES.get(column.kind)
    if allowed is not None and tuple(there.categories) not in allowed:
        return f"its Enum does not have the names of {column.kind}"
    return ""


def _name(dtype: Any) -> str:
    return str(dtype).partition("(")[0]


def _metadata_errors(
    about: Mapping[str, str], expected: Expected, chunk: Mapping[str, Any] | None
) -> list[tuple[str, str]]:
    right = dict(expected.metadata)
    if chunk is not None:
        right |= {"first_game": str(chunk["first"]), "games": str(chunk["games"])}
    errors = []
    for key, value in right.items():
        result = about.get(PREFIX + key)
        if result != value:
            errors.append((PREFIX + key, "is missing" if result is None else "is not that of this folder"))
    try:
        described = list(read_json(about[PREFIX + "columns"]))
    except (KeyError, ValueError, TypeError):
        described = []
    if described != [column.name for column in expected.columns]:
        errors.append((f"{PREFIX}columns", "does not describe the columns of the table"))
    return errors
