"""The chances of each seat to win at the ends of the seasons of a game, where a value was learned for such games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wallsim.api.outlook import TABLES, equal_strength, outlook
from wallsim.errors import InputError
from wallsim.policies.catalogue import ALIASES
from wallsim.policies.value.features import MOMENTS
from wallsim.trace.match import Match
from wallsim.trace.state import states_of

FIRST_KNOWN = "fall 1"  # before, a value explains little of who wins: docs/values.md
CASUAL = ("amateur", "casual", *ALIASES)  # at a table of these the value of casual tables is asked


def table_of(match: Match) -> str:
    """The kind of table whose value is asked for a game: `casual` if only casual policies play, else `experienced`."""
    return "casual" if all(name in CASUAL for name in match.policies) else "experienced"


def chances_of(match: Match, lines: Sequence[dict[str, Any]], table: str) -> dict[int, tuple[float, ...]]:
    """The chances of each seat to win by the number of the `state` line, from FIRST_KNOWN on.

    {} without a value, and among seats of unequal strength, for which no value is calibrated. InputError for another
    kind of table.
    """
    if table not in TABLES:
        raise InputError(f"table: {table!r} is not one of {', '.join(TABLES)}")
    if not equal_strength(match.policies, match.players):
        return {}
    ends = _season_ends(lines)
    try:
        return {
            number: tuple(each.wins for each in outlook(state, table))
            for number, state in zip(ends, states_of(match, lines), strict=True)
            if MOMENTS.index(state.after) >= MOMENTS.index(FIRST_KNOWN)
        }
    except InputError:
        return {}


def _season_ends(lines: Sequence[dict[str, Any]]) -> list[int]:
    """The numbers of the lines with the table at the end of each season but the last."""
    states = [number for number, line in enumerate(lines) if line["t"] == "state"]
    return states[1 : 1 + len(MOMENTS)]  # the first is that of the set-up
