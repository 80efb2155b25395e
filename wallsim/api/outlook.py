"""Predictions for each seat from a table: points, lead and chance to win, by a value learned from games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wallsim.errors import InputError
from wallsim.policies.catalogue import ALIASES
from wallsim.policies.value.features import MOMENTS
from wallsim.trace.match import Match
from wallsim.trace.state import State, states_of

TABLES = ("casual", "experienced")  # kinds of table, each with values of its own in data/values
UNEQUAL = "the seats differ in strength, and win probabilities are calibrated for seats of equal strength"
_CASUAL = frozenset(("amateur", "casual"))  # as strong as each other


class Outlook(NamedTuple):
    """What a seat can expect: points at the end, lead over the best other seat (both VP), chance to win (0 to 1)."""

    points: float
    lead: float
    wins: float


def outlook(state: State, table: str = "experienced", policies: Sequence[str] | None = None) -> list[Outlook]:
    """What each seat can expect at the end of a season, by a value that was learned from games of bots.

    Win probabilities are calibrated for the bots that the value was learned from: `casual-4p` in every seat of a casual
    table, `master`, `scholar` and `expert` at an experienced one. Among seats of unequal strength they are wrong. The
    page on learned values says how accurate they are.

    Parameters
    ----------
    state
        The table, from `Trace.states` or put together by hand.
    table
        The kind of bots that the value was learned from: `casual` or `experienced`.
    policies
        Who has the seats, such as `Trace.match.policies`, if that is known: seats of unequal strength are rejected.

    Returns
    -------
    list of Outlook
        One for each seat; the chances add up to 1.

    Raises
    ------
    InputError
        If no such value was learned: for the first edition, expansions, changed rules, or another kind of table. If
        the policies are of unequal strength.

    Examples
    --------
    >>> import wallsim
    >>> events = wallsim.trace(wallsim.Experiment(players=3, policies="casual"), 17)
    >>> [round(each.wins, 2) for each in wallsim.outlook(events.states()[-1], "casual")]  # doctest: +SKIP
    """
    found = outlooks([state], table)[0]
    if policies is not None and not equal_strength(policies, state.players):
        raise InputError(f"policies: {UNEQUAL}")
    return found


def calibrated_for(table: str, players: int) -> tuple[str, ...]:
    """The bots that win probabilities of a kind of table are calibrated for: those that their value was learned from.

    InputError for another kind of table or number of players.
    """
    from wallsim.policies.value.value_file import load_value
    from wallsim.rules.terms import MAX_PLAYERS, MIN_PLAYERS

    _check_table(table)
    if players not in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        raise InputError(f"players: {players!r} is not 3, 4 or 5")
    casual = f"casual-{players}p"
    shown = {ALIASES[casual]: casual}
    return tuple(shown.get(name, name) for name in load_value(f"{table}-{players}p").contents["policies"])


def equal_strength(policies: Sequence[str], players: int) -> bool:
    """Whether seats are of about equal strength: one policy in all, or those that a value was learned from, mixed."""
    named = true_names(policies)
    trained = [true_names(calibrated_for(each, players)) for each in TABLES]
    return len(named) <= 1 or named <= _CASUAL or any(named <= each for each in trained)


def true_names(policies: Sequence[str]) -> set[str]:
    """The policies without their further names."""
    return {ALIASES.get(name, name) for name in policies}


def outlooks(states: Sequence[State], table: str) -> list[list[Outlook]]:
    """What each seat can expect in each of several states of one kind of game, as `outlook`; the value is read once."""
    for state in states:
        _refuse_unvalued(state, table)
    if not states:
        return []
    import numpy as np

    from wallsim.policies.value.model import LEAD, OUTLOOK, POINTS, WIN, look_ahead
    from wallsim.policies.value.value_file import load_value
    from wallsim.rules.board import load_board
    from wallsim.rules.record import pack_rules
    from wallsim.rules.tower import DEFAULT_TOWER, load_tower

    players = states[0].players
    rules = pack_rules(load_board(), states[0].ruleset(), load_tower(DEFAULT_TOWER))[0]
    value, found = load_value(f"{table}-{players}p").packed()[0], []
    for state in states:
        result = np.zeros(1, OUTLOOK)[0]
        look_ahead(state.record()[0], rules, value, result)
        rows = result.outlook[:players]
        found.append([Outlook(*map(float, row)) for row in rows[:, (POINTS, LEAD, WIN)]])
    return found


def _check_table(table: str) -> None:
    if table not in TABLES:
        raise InputError(f"table: {table!r} is not one of {', '.join(TABLES)}")


def _refuse_unvalued(state: State, table: str) -> None:
    if not isinstance(state, State):
        raise InputError(f"state: {type(state).__name__} is given; allowed is a State, such as those of Trace.states()")
    _check_table(table)
    if state.edition != "2e":
        raise InputError(f"edition: no value was learned for {state.edition!r}; allowed is 2e")
    if state.expansions:
        raise InputError(f"expansions: no value was learned for {', '.join(state.expansions)}; allowed are none")
    if state.changed:
        raise InputError(f"changed: no value was learned for games that differ in {', '.join(state.changed)}")


FIRST_KNOWN = "fall 1"  # before, a value explains little of who wins: docs/values.md


def table_of(match: Match) -> str:
    """The kind of table whose value is asked for a game: `casual` if only casual policies play, else `experienced`."""
    return "casual" if true_names(match.policies) <= _CASUAL else "experienced"


def chances_of(match: Match, lines: Sequence[dict[str, Any]], table: str) -> dict[int, tuple[float, ...]]:
    """The chances of each seat to win by the number of the `state` line, from FIRST_KNOWN on.

    {} without a value, and among seats of unequal strength, for which no value is calibrated. InputError for another
    kind of table.
    """
    _check_table(table)
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
