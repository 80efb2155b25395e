"""Random tables: every seat of each table has a policy drawn at random, and some games in a row are played by one.

So a pool of tables is played as one experiment, by any study's own code. Results are stated for tables: they
are drawn, the games of a table share its policies, and the table is the unit of errors (`by_table`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from wallsim.engine.arena import Arena, Tables
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.policies.catalogue import load_policy, pack_mind, pack_players, policy_names, seat_minds
from wallsim.policies.policy import Policy
from wallsim.rules.record import pack_rules
from wallsim.rules.script import pack_script
from wallsim.stats.blocks import Estimate

Table = tuple[str, ...]  # the policy of each seat
Seating = Callable[[np.ndarray, int, np.ndarray | None], Arena]  # the arena of rules, a seed and a script
_NUMBERED = {3: "-3p", 4: "-4p", 5: "-5p"}  # in the names of policies for one number of players
START = "plain"  # of the line that is taught by trials alone


def zoo_of(players: int) -> tuple[str, ...]:
    """The policies of the zoo that a seat may draw: all but those for other numbers of players, taught ones, searches.

    A search takes a thousand times as long as the others, a taught policy more than twice as long. `plain` is left out,
    too: it is the start of a line, not a way to play.
    """
    others = [mark for number, mark in _NUMBERED.items() if number != players]
    fit = (name for name in policy_names() if name != START and not any(mark in name for mark in others))
    known = {name: load_policy(name) for name in fit}
    return tuple(name for name, policy in known.items() if policy.search is None and policy.correction is None)


def random_tables(players: int, number: int, seed: int) -> tuple[Table, ...]:
    """So many tables, each seat with a policy of `zoo_of` drawn at random, with replacement."""
    names = zoo_of(players)
    drawn = np.random.default_rng(seed).integers(len(names), size=(number, players))
    return tuple(tuple(names[at] for at in table) for table in drawn)


class TablesExperiment(Experiment):
    """An experiment that is played by many tables, each `games_a_table` games in a row, from game 0 on.

    Its own `policies` are those of the first table. A copy with other policies is played by them alone.
    """

    tables: tuple[Table, ...]
    games_a_table: int

    def components(self) -> Components:
        """Board, ruleset and tower, and the policies of all tables."""
        parts = super().components()
        if self.policies != self.tables[0]:
            return parts
        return TablesComponents(**vars(parts), tables=self.tables, games_a_table=self.games_a_table)

    def hash(self, *, with_games: bool = False) -> str:
        """The sha256 of everything that decides the rows."""
        known = {
            name: load_policy(name).identity() for name in sorted({name for table in self.tables for name in table})
        }
        facts = [super().hash(with_games=with_games), known, self.tables, self.games_a_table]
        return identity_hash({"tables": facts})


def seated_at_random(experiment: Experiment, tables: Sequence[Table], games_a_table: int) -> TablesExperiment:
    """The same experiment, played by these tables."""
    fields = {name: getattr(experiment, name) for name in type(experiment).model_fields}
    fields |= {"policies": tables[0], "tables": tuple(tables), "games_a_table": games_a_table}
    return TablesExperiment(**fields)


@dataclass(frozen=True)
class TablesComponents(Components):
    """The components of a `TablesExperiment`; a seat whose policy has answers of its own has them at every table."""

    tables: tuple[Table, ...] = ()
    games_a_table: int = 1

    def arena(self, seed: int, *, checked: bool = False) -> Arena:
        """The arena of all tables. ValueError for `checked`: policies of the zoo need no check."""
        if checked:
            raise ValueError("tables drawn at random are not checked")
        rules = pack_rules(self.board, self.ruleset, self.tower)
        return seating_of(self)(rules, seed, pack_script(self.interventions, self.board, self.ruleset.letters()))

    def players(self) -> list[np.ndarray]:
        """The PLAYERS array of every table."""
        zoo = {name: load_policy(name) for name in {name for table in self.tables for name in table}}
        minds: dict[tuple[int, str], np.ndarray] = {}
        for seat, own in enumerate(self.policies):
            minds |= {(seat, name): pack_mind(_answering(policy, own)) for name, policy in zoo.items()}
        return [seat_minds([minds[place] for place in enumerate(table)]) for table in self.tables]


def _answering(policy: Policy, other: Policy) -> Policy:
    return replace(policy, answers={**policy.answers, **other.answers}, code=policy.code + other.code)


class TablesArena(Arena):
    """Tables that take turns: each plays `games_a_table` games in a row, the first from game 0 on."""

    def __init__(
        self, rules: np.ndarray, tables: Sequence[np.ndarray], seed: int, games_a_table: int, script: np.ndarray | None
    ) -> None:
        """Keeps one arena a table; `tables` has the PLAYERS array of each."""
        super().__init__(rules, tables[0], seed, script=script)
        self._arenas = [Arena(rules, players, seed, script=script) for players in tables]
        self._each = games_a_table

    def with_rules(self, rules: np.ndarray) -> TablesArena:
        """The same tables under other rules."""
        other = super().with_rules(rules)
        other._arenas = [arena.with_rules(rules) for arena in self._arenas]
        return other

    def play(
        self,
        first: int,
        count: int,
        *,
        seasons: bool = False,
        battles: bool = False,
        counties: bool = False,
        plans: bool = False,
    ) -> Tables:
        """Play games `first` ... `first + count - 1`, each at its table. ValueError for games beyond the last table."""
        if first + count > len(self._arenas) * self._each:
            raise ValueError(f"games to {first + count}: {len(self._arenas)} tables play {self._each} each")
        result: list[Tables] = []
        at = first
        while at < first + count:
            table = at // self._each
            number = min((table + 1) * self._each, first + count) - at
            tables = self._arenas[table].play(
                at, number, seasons=seasons, battles=battles, counties=counties, plans=plans
            )
            for rows in (tables.battles, tables.counties):
                rows[:, 0] += at - first  # these count games from the first of the range
            result.append(tables)
            at += number
        return Tables(*(np.concatenate(each) for each in zip(*result, strict=True)))


def seating_of(parts: Components) -> Seating:
    """Seats the policies of components at any rules: those of one table, or of many that take turns."""
    if isinstance(parts, TablesComponents):
        return partial(_seat_all, parts.players(), parts.games_a_table)
    return partial(_seat, pack_players(list(parts.policies)))


def _seat(players: np.ndarray, rules: np.ndarray, seed: int, script: np.ndarray | None) -> Arena:
    return Arena(rules, players, seed, script=script)


def _seat_all(
    tables: Sequence[np.ndarray], each: int, rules: np.ndarray, seed: int, script: np.ndarray | None
) -> Arena:
    return TablesArena(rules, tables, seed, each, script)


def by_table(outcomes: Mapping[str, Estimate], tables: int) -> dict[str, Estimate]:
    """The same estimates with the table as the unit of errors; the units of each table must stand in a row.

    The influence of a table is the mean of those of its units, as for any sample of clusters. ValueError where tables
    have different numbers of units.
    """
    return {
        name: Estimate(result.value, result.influence.reshape(tables, -1).mean(axis=1))
        for name, result in outcomes.items()
    }
