"""Rows of games compared with those that are counted again from their traces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from tests.trace.rows_from_trace import Rows
from wallsim.engine.arena import Arena
from wallsim.engine.columns import RESULT_TABLES, columns_of
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match


def differences(arena: Arena, matches: Sequence[Match]) -> list[tuple[str, int, str, int | None, int | None]]:
    """Where rows of successive games and those counted differ: (table, row, column, played, counted).

    A count that never came up is 0.
    """
    tables = arena.play(matches[0].number, len(matches), seasons=True, battles=True, counties=True, plans=True)
    counted: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for game, match in enumerate(matches):
        for table, rows in Rows(match, trace_lines(match, arena.trace(match.number))).by_table(game).items():
            counted[table] += rows
    assert set(counted) == {table.name for table in RESULT_TABLES}
    result = []
    for table, counts in counted.items():
        names = [column.name for column in columns_of(table, matches[0].ruleset.expansions)]
        played = getattr(tables, table).tolist()
        if len(played) != len(counts):
            result.append((table, -1, "rows", len(played), len(counts)))
        for number, (values, row) in enumerate(zip(played, counts, strict=False)):
            seen = dict(zip(names, values, strict=True))
            unknown = {name for name, value in row.items() if value} - set(seen)
            result += [(table, number, name, None, row[name]) for name in unknown]
            result += [
                (table, number, name, value, row.get(name, 0))
                for name, value in seen.items()
                if value != row.get(name, 0)
            ]
    return result
