"""What a policy file says about counties: a table `[counties.N]` of worths in the draft at tables of N players (B1.4).

Counties are those of the board that ships with wallsim, by name; on another board a worth applies to the county in the
same line of its `counties.csv`. A county that is left out is worth 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from wallsim.errors import quoted, short
from wallsim.rules.board_check import read_board_names
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import MAX_PLAYERS, MIN_PLAYERS

MOST = 20.0  # VP: the bounds are -MOST and MOST
PLAYERS = {str(players): players for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}

Counties = dict[int, dict[str, float]]  # VP by number of players and county; no zeros, no empty tables


@lru_cache(maxsize=1)
def county_names() -> tuple[str, ...]:
    """The counties of the shipped board, in their order."""
    return read_board_names().counties


def errors_of_counties(path: str, kind: str, tables: Mapping[Any, Any]) -> list[str]:
    """What is wrong with the tables `[counties.N]` of a file."""
    if not tables:
        return []
    if kind == "random":
        return [f"{path}: counties: a policy of kind 'random' has no table of counties"]
    errors, names = [], county_names()
    for players, table in tables.items():
        field = f"{path}: counties.{short(players)}"
        if str(players) not in PLAYERS:
            errors.append(f"{field}: unknown number of players; allowed are {', '.join(PLAYERS)}")
        elif not isinstance(table, Mapping):
            errors.append(f"{field}: {quoted(table)} is not a table of counties")
        else:
            errors += _errors_of_table(field, table, names)
    return errors


def _errors_of_table(field: str, table: Mapping[Any, Any], names: tuple[str, ...]) -> Iterator[str]:
    for county, value in table.items():
        if county not in names:
            allowed = f"allowed are {', '.join(names)}{did_you_mean(county, names)}"
            yield f"{field}.{short(county)}: {quoted(value)} is given to an unknown county; {allowed}"
        elif isinstance(value, bool) or not isinstance(value, int | float) or not -MOST <= value <= MOST:
            yield f"{field}.{county}: {quoted(value)} is not a number from {-MOST} to {MOST}"


def counties_over(base: Counties, tables: Mapping[str, Mapping[str, float]]) -> Counties:
    """The tables of a base, `base`, below those of a file, county by county and in the order of the board."""
    said = {PLAYERS[str(players)]: table for players, table in tables.items()}
    if not said:
        return base
    result, names = {}, county_names()
    for players in PLAYERS.values():
        merged = {**base.get(players, {}), **said.get(players, {})}
        table = {name: float(merged[name]) for name in names if merged.get(name, 0.0) != 0.0}
        if table:
            result[players] = table
    return result


def packed_counties(counties: Counties) -> list[list[float]]:
    """The worths by number of players and county, [3][45], as MIND holds them; `counties` is not empty."""
    names = county_names()
    return [[counties.get(players, {}).get(name, 0.0) for name in names] for players in PLAYERS.values()]
