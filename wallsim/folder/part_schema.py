"""The columns and the metadata that a part file must have, by what was played; digests alone do not show a forged file.

Names, types and order of the columns are compared, and the metadata that follow from the identity and the chunk. Names
of counties and events follow from the board's files, which may be elsewhere: any names pass.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from wallsim.engine.columns import EDITED_SOURCES, SOURCES, Column
from wallsim.experiment.identity import canonical, identity_hash
from wallsim.folder.layout import FORMAT, MANIFEST, PartFile
from wallsim.folder.parquet_footer import schema_and_rows
from wallsim.folder.schema import FIXED_NAMES, PREFIX, TYPES
from wallsim.rules.files import read_json

if TYPE_CHECKING:
    import polars as pl

_ARROW = "ARROW:schema"  # the key of the metadata in which the types of columns are
# The lists of names that an Enum may have, by kind of column.
_NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    **{kind: (names,) for kind, names in FIXED_NAMES.items()},
    "source": (tuple(SOURCES), (*SOURCES, *EDITED_SOURCES)),
}


@dataclass
class Expected:
    """What the footer of a file must say: its columns, the names of policies, and the identity of what was played."""

    table: str
    columns: tuple[Column, ...]
    policies: tuple[str, ...]
    identity: dict[str, Any]
    format: int
    passed: tuple[bytes, str] = (b"", "")  # the schema of the last file whose columns had no error, as it is stored

    @cached_property
    def types(self) -> dict[str, str]:
        """The names of the polars types of columns that are no Enum, by kind."""
        return TYPES[self.format]

    def widened(self, frame: pl.LazyFrame) -> pl.LazyFrame:
        """A frame of such files with the types of the newest format."""
        import polars as pl

        if self.format == FORMAT:
            return frame
        types = TYPES[FORMAT]
        return frame.cast({each.name: getattr(pl, types[each.kind]) for each in self.columns if each.kind in types})

    @cached_property
    def metadata(self) -> dict[str, str]:
        """What the metadata of each file must say, without the prefix of the keys."""
        return {
            "table": self.table,
            "experiment": identity_hash(self.identity),
            "identity": canonical(self.identity),
            "engine_version": str(self.identity.get("engine_version")),
        }


def part_errors(part: PartFile, footer: bytes, expected: Expected | None, chunk: Mapping[str, Any] | None) -> list[str]:
    """The errors of a file's footer, one line each: of its columns, of its metadata, or of the number of its rows.

    `expected` is None for a table that is not known. `chunk` is the manifest's entry for the chunk of the file, if it
    has one.
    """
    import polars as pl

    try:
        about = pl.read_parquet_metadata(io.BytesIO(footer))
        schema, rows = schema_and_rows(footer, expected.passed[0] if expected else b"")
        errors = _footer_errors(part, footer, about, schema, expected, chunk) if expected else []
    except (pl.exceptions.PolarsError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else "its footer is damaged"
        return [f"{part.file}: cannot be read as Parquet: {reason}"]
    if not errors and rows != part.rows:
        errors.append(f"{part.file}: has {rows:,} rows, {MANIFEST} says {part.rows:,}")
    return errors


def _footer_errors(
    part: PartFile, footer: bytes, about: Mapping[str, str], schema: bytes, expected: Expected,
    chunk: Mapping[str, Any] | None,
) -> list[str]:  # fmt: skip
    import polars as pl

    errors = [f"{part.file}: metadata {key}: {text}" for key, text in _metadata_errors(about, expected, chunk)]
    read = schema, about.get(_ARROW, "")  # what polars makes the columns of
    if read == expected.passed:
        return errors
    wrong = _column_errors(part, pl.read_parquet_schema(io.BytesIO(footer)), expected)
    if not wrong:
        expected.passed = read
    return wrong + errors


def _column_errors(part: PartFile, there: Mapping[str, Any], expected: Expected) -> list[str]:
    names = [column.name for column in expected.columns]
    errors = [f"{part.file}: column {name}: is missing" for name in names if name not in there]
    errors += [f"{part.file}: column {name}: does not belong to {part.table}" for name in there if name not in names]
    if not errors and list(there) != names:
        name = next(name for name, right in zip(there, names, strict=True) if name != right)
        errors.append(f"{part.file}: column {name}: is not in its position")
    for column in expected.columns:
        if column.name in there and (wrong := _type_error(column, there[column.name], expected)):
            errors.append(f"{part.file}: column {column.name}: {wrong}")
    return errors


def _type_error(column: Column, there: Any, expected: Expected) -> str:
    import polars as pl

    if right := expected.types.get(column.kind):
        return "" if there == getattr(pl, right) else f"type {_name(there)}, expected {right}"
    if not isinstance(there, pl.Enum):
        return f"type {_name(there)}, expected Enum"
    allowed = (expected.policies,) if column.kind == "policy" else _NAMES.get(column.kind)
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
    if _described(about.get(PREFIX + "columns", "")) != [column.name for column in expected.columns]:
        errors.append((f"{PREFIX}columns", "does not describe the columns of the table"))
    return errors


@lru_cache(maxsize=16)  # the text is the same in all files of a table
def _described(columns: str) -> list[str]:
    try:
        return list(read_json(columns))
    except (ValueError, TypeError):
        return []
