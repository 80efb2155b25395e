"""The tables of a run: their columns, the names of codes, and the types of the columns."""

from __future__ import annotations

from collections.abc import Sequence
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
    Column,
    columns_of,
)
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.terms import ACTIONS, BATTLE_KINDS, OUTCOME_NAMES, RESULTS, SEASONS, TILES
from wallsim.runs.folder.layout import FORMAT

if TYPE_CHECKING:  # reading results does not need the engine
    from wallsim.rules.board import Board
    from wallsim.rules.board_check import BoardNames
    from wallsim.runs.components import Components
    from wallsim.runs.experiment import Experiment

TABLES = tuple(table.name for table in RESULT_TABLES)
ON_REQUEST = tuple(table.name for table in RESULT_TABLES if table.on_request)

# The name of the polars type of each kind of column that is not an Enum, by format of the folder. Ordinary arithmetic
# with narrow types is wrong without an error: 100 * x, x - 1, and sums of 32 bits in polars. Parquet packs all alike.
_NARROW = {"int8": "Int8", "int16": "Int16", "int32": "Int32", "int64": "Int64", "win": "Float32", "seat": "UInt8"}
TYPES = {4: _NARROW, FORMAT: {**dict.fromkeys(_NARROW, "Int64"), "win": "Float64"}}
_MAX_NAMES_INLINE = 12  # an Enum with fewer names is written out


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
            "lineup": tuple(LETTERS),
            "policy": policies,
            "county": board.counties,
            "event": board.events,
            "tile": TILES,
            "season": SEASONS,
            "bid": BIDS,
            "battle": BATTLE_KINDS,
            "result": RESULTS,
            "action": ACTIONS,
            "card": (*board.counties, *CARDS),
            "outcome": OUTCOME_NAMES,
            "combat": COMBATS,
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
