"""What a Parquet file says of itself, so that it can be understood apart from its folder.

Every file carries these keys, each with a text:

- `wallsim.table` and `wallsim.row`: the table, and what one of its rows is;
- `wallsim.name`: the experiment's name, where it has one;
- `wallsim.experiment`: the sha256 of its identity, and `wallsim.identity`: that identity as JSON, which is all that
  decides the rows;
- `wallsim.engine_version`;
- `wallsim.first_game` and `wallsim.games`: which games the file has;
- `wallsim.columns`: JSON, by column `type`, `unit` (null for names and numbers that only identify), `meaning` and
  `rules`, the rule numbers.

Equal experiments give equal bytes on every machine and with any number of workers. So the version of the package is
not among them; the folder's manifest has it.
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
    """What every file of a run's table says; `identity` is that of the experiment, `name` its name."""
    return describe(table, TABLE_BY_NAME[table].row, words.columns(table), words, identity, name)


def describe(
    table: str,
    row: str,
    columns: Sequence[Column],
    words: Vocabulary,
    identity: dict[str, Any],
    name: str | None = None,
) -> dict[str, str]:
    """What every file of a table says: what a row is, its columns with their polars types, and what was played."""
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
    """What a part file with `games` games from game `first` on says, where its table's files say `about`."""
    return {**about, f"{PREFIX}first_game": str(first), f"{PREFIX}games": str(games)}


def _entry(column: Column, words: Vocabulary) -> dict[str, Any]:
    return {
        "type": words.type_name(column.kind),
        "unit": column.unit or None,
        "meaning": column.meaning,
        "rules": column.rules,
    }
