"""The tables of a run: columns, names of codes, types of columns, and what codebook and files' metadata say of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wallsim.engine.columns import (
    ALL,
    BIDS,
    CARDS,
    COMBATS,
    EDITED_SOURCES,
    RESULT_TABLES,
    SOURCES,
    TABLE_BY_NAME,
    Column,
    columns_of,
)
from wallsim.experiment.identity import canonical, identity_hash
from wallsim.folder.layout import FORMAT
from wallsim.markdown import literal, markdown_table
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.terms import ACTIONS, BATTLE_KINDS, OUTCOME_NAMES, RESULTS, SEASONS, TILES

if TYPE_CHECKING:
    from wallsim.experiment.components import Components
    from wallsim.experiment.experiment import Experiment
    from wallsim.rules.board import Board
    from wallsim.rules.board_check import BoardNames

TABLES = tuple(table.name for table in RESULT_TABLES)
ON_REQUEST = tuple(table.name for table in RESULT_TABLES if table.on_request)

# The name of the polars type of each kind of column that is not an Enum, by format of the folder. Ordinary arithmetic
# with narrow types is wrong without an error: 100 * x, x - 1, and sums of 32 bits in polars. Parquet packs all alike.
_NARROW = {"int8": "Int8", "int16": "Int16", "int32": "Int32", "int64": "Int64", "win": "Float32", "seat": "UInt8"}
TYPES = {4: _NARROW, FORMAT: {**dict.fromkeys(_NARROW, "Int64"), "win": "Float64"}}
# The names of codes that are the same in every run, by kind of column.
FIXED_NAMES: dict[str, tuple[str, ...]] = {
    "lineup": tuple(LETTERS), "tile": TILES, "season": SEASONS, "bid": BIDS, "battle": BATTLE_KINDS, "result": RESULTS,
    "action": ACTIONS, "outcome": OUTCOME_NAMES, "combat": COMBATS,
}  # fmt: skip
_MAX_NAMES_INLINE = 12  # an Enum with fewer names is written out
_HEADINGS = ("column", "type", "unit", "meaning")
NOTES = "Rule numbers in brackets are those of the rules ledger. Seats count from 0.\n"
PREFIX = "wallsim."


@dataclass(frozen=True)
class Vocabulary:
    """The names of codes in one run, by kind of column, in the order of the codes.

    The values of `lineup` and `policy` follow from the seat: `by_seat` has their code for each seat, -1 for none.
    `expansions` are those in play; they decide the columns of `seats` and `seasons`. `choice` is the experiment's
    `columns`, `format` the folder's.
    """

    names: dict[str, tuple[str, ...]]
    by_seat: dict[str, tuple[int, ...]]
    expansions: tuple[str, ...] = ()
    choice: str = ALL
    format: int = FORMAT

    def columns(self, table: str) -> tuple[Column, ...]:
        """The columns of a table in this run. KeyError for an unknown table."""
        return columns_of(table, self.expansions, self.choice)

    def dtype(self, kind: str) -> Any:
        """The polars type of a kind of column. KeyError for an unknown kind."""
        import polars as pl

        types = TYPES[self.format]
        return getattr(pl, types[kind]) if kind in types else pl.Enum(self.names[kind])

    def type_name(self, kind: str) -> str:
        """The name of that type, without importing polars; a short Enum with its names."""
        if kind in (types := TYPES[self.format]):
            return types[kind]
        names = self.names[kind]
        return f"Enum of {len(names)} names" if len(names) >= _MAX_NAMES_INLINE else "Enum: " + ", ".join(names)


def vocabulary(parts: Components, choice: str = ALL, form: int = FORMAT) -> Vocabulary:
    """The names of a run: the board's counties and events, the policies in alphabetical order, the expansions.

    `choice` is the experiment's `columns`, `form` the folder's format.
    """
    return replace(make_vocabulary(parts.board, parts.ruleset, parts.names(), choice), format=form)


def make_vocabulary(
    board: Board | BoardNames, ruleset: Ruleset, seated: Sequence[str], choice: str = ALL
) -> Vocabulary:
    """The names of games on a board under a ruleset; `seated` names the policy of each seat."""
    policies = tuple(sorted(set(seated)))
    letters = ruleset.letters()
    return Vocabulary(
        names={
            "policy": policies,
            "county": board.counties,
            "event": board.events,
            **FIXED_NAMES,
            "card": (*board.counties, *CARDS),
            "source": SOURCES if ruleset.setup != "deal" and not ruleset.lineup_edits else (*SOURCES, *EDITED_SOURCES),
        },
        by_seat={
            "lineup": tuple(LETTERS.index(letter) if letter else -1 for letter in letters),
            "policy": tuple(map(policies.index, seated)),
        },
        expansions=ruleset.expansions,
        choice=choice,
    )


def schema(table: str, words: Vocabulary) -> dict[str, Any]:
    """The polars type of each column of a table by name, in column order."""
    return {column.name: words.dtype(column.kind) for column in words.columns(table)}


def tables_of(experiment: Experiment) -> tuple[str, ...]:
    """The names of the tables that a run writes; tables on request depend on the experiment's key of that name."""
    return tuple(table for table in TABLES if table not in ON_REQUEST or getattr(experiment, table))


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
        if kind in used and len(names) >= _MAX_NAMES_INLINE:
            parts.append(f"## Names: {kind}\n\n{', '.join(map(literal, names))}\n")
    return "\n".join(parts)


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
    """The metadata of every Parquet file of a table, which describe it without its folder; the values are texts.

    - `wallsim.table` and `wallsim.row`: the table, and what one of its rows is;
    - `wallsim.name`: the experiment's name, if it has one;
    - `wallsim.experiment`: the sha256 of the experiment's identity;
    - `wallsim.identity`: that identity, everything that decides the rows, as JSON;
    - `wallsim.engine_version`: the engine version;
    - `wallsim.first_game` and `wallsim.games`: the first game and the number of games in the file (`part_metadata`);
    - `wallsim.columns`: JSON with `type`, `unit` (null for names and for numbers that only identify), `meaning` and
      `rules` (the rule numbers) for each column.

    Equal experiments give equal bytes on every machine and with any number of workers. The version of the package is
    therefore not included; it is in the folder's manifest.
    """
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
