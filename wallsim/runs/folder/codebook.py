"""The codebook: every table and column of a run with its type and meaning, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from wallsim.runs.folder.schema import TABLES, Vocabulary, schema

GRAIN = {
    "games": "one row a game",
    "seats": "one row a game and seat",
    "seasons": "one row a game, season (winters included) and seat; counts are what the season added",
    "battles": "one row a battle, in the order fought",
}
_SPELLED_OUT = 12  # names that an Enum may have to be listed in the table itself


def codebook_rows(table: str, words: Vocabulary) -> list[tuple[str, str, str]]:
    """Name, type and meaning of each column of a table."""
    types = schema(table, words)
    return [(column.name, type_name(types[column.name]), column.meaning) for column in words.columns(table)]


def codebook_text(words: Vocabulary, tables: Sequence[str] = TABLES) -> str:
    """The codebook of some tables as Markdown, the longer lists of names at its end.

    It has the columns of the expansions in play and no others.
    """
    parts = ["# Codebook\n", "Rule numbers in brackets are those of the rules ledger. Seats count from 0.\n"]
    if words.expansions:
        parts.append(f"With the expansions {', '.join(words.expansions)}.\n")
    for table in tables:
        parts.append(f"## {table}\n\n{GRAIN[table].capitalize()}.\n\n| column | type | meaning |\n|---|---|---|")
        parts += [f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in codebook_rows(table, words)]
        parts.append("")
    used = {column.kind for table in tables for column in words.columns(table)}
    for kind, names in words.names.items():
        if kind in used and len(names) > _SPELLED_OUT - 1:
            parts.append(f"## Names: {kind}\n\n{', '.join(names)}\n")
    return "\n".join(parts)


def type_name(dtype: Any) -> str:
    """A polars type in words; a short Enum with its names."""
    if isinstance(dtype, pl.Enum):
        names = list(dtype.categories)
        return f"Enum of {len(names)} names" if len(names) >= _SPELLED_OUT else "Enum: " + ", ".join(names)
    return str(dtype() if isinstance(dtype, type) else dtype)
