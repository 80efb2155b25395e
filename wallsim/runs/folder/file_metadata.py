"""The metadata of a Parquet file, which describe it without its folder.

Every file has these keys; the values are texts:

- `wallsim.table` and `wallsim.row`: the table, and what one of its rows is;
- `wallsim.name`: the experiment's name, if it has one;
- `wallsim.experiment`: the sha256 of the experiment's identity;
- `wallsim.identity`: that identity, everything that decides the rows, as JSON;
- `wallsim.engine_version`: the engine version;
- `wallsim.first_game` and `wallsim.games`: the first game and the number of games in the file;
- `wallsim.columns`: JSON with `type`, `unit` (null for names and for numbers that only identify), `meaning` and
  `rules` (the rule numbers) for each column.

Equal experiments give equal bytes on every machine and with any number of workers. The version of the package is
therefore not included; it is in the folder's manifest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.engine.columns import TABLE_BY_NAME, Column
from wallsim.runs.folder.layout import canonical, identity_hash
from wallsim.runs.folder.schema import Vocabulary

PREFIX = "wallsim."


def metadata_of(table: str, words: Vocabulary, identity: dict[str, Any], name: str | None) -> dict[str, str]:
    """The metadata of every file of a run's table; `identity` and `name` are those of the experiment."""
    return describe(table, TABLE_BY_NAME[table].row, words.columns(table), words, identity, name)


def describe(
    table: str,
    row: str,
    columns: Sequence[Column],
    words: Vocabulary,
    identity: dict[str, Any],
    name: str | None = None,
) -> dict[str, str]:
    """The metadata of every file of a table: what a row is, the columns with their polars types, what was played."""
    facts = {
        "table": table,
        "row": row,
        **({"name": name} if name else {}),
        "experiment": identity_hash(identity),
        "identity": canonical(identity),
        "engine_version": str(identity["engine_version"]),
        "columns": json.dumps({column.name: _entry(column, words) for column in columns}),
    }
    return {f"{PREFIX}{key}": value for key, value in facts.items()}


def part_metadata(about: Mapping[str, str], first: int, games: int) -> dict[str, str]:
    """The metadata of a part file with `games` games starting at game `first`; `about` has those of its table."""
    return {**about, f"{PREFIX}first_game": str(first), f"{PREFIX}games": str(games)}


def _entry(column: Column, words: Vocabulary) -> dict[str, Any]:
    return {
        "type": words.type_name(column.kind),
        "unit": column.unit or None,
        "meaning": column.meaning,
        "rules": column.rules,
    }
