"""Games with interventions: played, recorded and read by column."""

from __future__ import annotations

import numpy as np

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import JIT
from tests.policies.seating import arena_under
from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import GAME_COLUMNS, columns_of
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.rules.interventions import parse_interventions
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.script import pack_script, table_of
from wallsim.rules.terms import EXPANSIONS, SEASONS
from wallsim.trace.json_lines import trace_lines
from wallsim.trace.match import Match

COUNT = 24 if JIT else 1
SEED = 5
ROUNDS = [f"{season} {year}" for year in (1, 2) for season in SEASONS]
VARIANTS = [
    Ruleset(players=3),
    Ruleset(players=4),
    Ruleset(players=5, setup="draft"),
    Ruleset(players=4, edition="1e"),
    Ruleset(players=4, setup="draft", expansions=EXPANSIONS),
]


def label(rules: Ruleset) -> str:
    """A variant in a few words."""
    return f"{rules.players}-{rules.setup}-{rules.edition}-{len(rules.expansions)}"


def arena(rules: Ruleset, *lines: dict, policy: str | Policy = "random", seed: int = SEED) -> Arena:
    """Games of one policy in all seats, with interventions."""
    steps, errors = parse_interventions(lines, table_of(BOARD, rules))
    assert not errors, errors
    policy = load_policy(policy) if isinstance(policy, str) else policy
    return arena_under(rules, policy, seed=seed, script=pack_script(steps, BOARD, rules.letters()))


def play(rules: Ruleset, *lines: dict, count: int = COUNT, **more) -> Tables:
    """The tables of some games."""
    return arena(rules, *lines, **more).play(0, count, seasons=True, battles=True, counties=True, plans=True)


def trace(rules: Ruleset, *lines: dict, number: int = 0, policy: str | Policy = "random") -> list[dict]:
    """The lines of a game."""
    name = policy if isinstance(policy, str) else policy.name
    match = Match(BOARD, rules, USUAL, SEED, (name,) * rules.players, number)
    return list(trace_lines(match, arena(rules, *lines, policy=policy).trace(number)))


def column(tables: Tables, table: str, name: str, rules: Ruleset) -> np.ndarray:
    """A column of a table by name: of seats [games, seats], of seasons [games, 8, seats]."""
    place = [each.name for each in columns_of(table, rules.expansions)].index(name)
    shape = {"seats": (-1, rules.players), "seasons": (-1, 8, rules.players)}[table]
    return getattr(tables, table)[:, place].astype(int).reshape(shape)


def events(tables: Tables) -> np.ndarray:
    """The cards of the eight seasons of each game."""
    places = {column.name: place for place, column in enumerate(GAME_COLUMNS)}
    of_year = ("event_spring_year{}", "event_summer_year{}", "event_fall_year{}", "winter_event_year{}")
    return tables.games[:, [places[name.format(year)] for year in (1, 2) for name in of_year]]


def assert_same(one: Tables, other: Tables) -> None:
    """Two sets of tables are equal byte by byte."""
    assert [table.tobytes() for table in one] == [table.tobytes() for table in other]
