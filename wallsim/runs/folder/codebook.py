"""The codebook: every table and column of a run with its type, unit and meaning."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.engine.columns import TABLE_BY_NAME, Column
from wallsim.markdown import literal, markdown_table
from wallsim.runs.folder.schema import TABLES, Vocabulary

_MAX_NAMES_INLINE = 12  # an Enum with fewer names is listed in the table itself
_HEADINGS = ("column", "type", "unit", "meaning")
NOTES = "Rule numbers in brackets are those of the rules ledger. Seats count from 0.\n"


def codebook_rows(table: str, words: Vocabulary) -> list[tuple[str, str, str, str]]:
    """Name, type, unit and meaning of each column of a table."""
    return described(words.columns(table), words)


def described(columns: Sequence[Column], words: Vocabulary) -> list[tuple[str, str, str, str]]:
    """Name, type, unit and meaning of each column."""
    return [(column.name, words.type_name(column.kind), column.unit, column.meaning) for column in columns]


def codebook_table(name: str, row: str, rows: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """The section of a table in a codebook as lines of Markdown; `row` describes one row."""
    table = markdown_table(_HEADINGS, [(f"`{column}`", literal(kind), *facts) for column, kind, *facts in rows])
    return [f"## {name}\n\n{row[0].upper()}{row[1:]}.\n\n{table}", ""]


def codebook_text(words: Vocabulary, tables: Sequence[str] = TABLES) -> str:
    """The codebook of some tables as Markdown, with the longer lists of names at its end.

    It has the columns of the base game and of the expansions in play.
    """
    parts = ["# Codebook\n", NOTES]
    if words.expansions:
        parts.append(f"With the expansions {', '.join(words.expansions)}.\n")
    for table in tables:
        parts += codebook_table(table, TABLE_BY_NAME[table].row, codebook_rows(table, words))
    used = {column.kind for table in tables for column in words.columns(table)}
    for kind, names in words.names.items():
        if kind in used and len(names) > _MAX_NAMES_INLINE - 1:
            parts.append(f"## Names: {kind}\n\n{', '.join(map(literal, names))}\n")
    return "\n".join(parts)
