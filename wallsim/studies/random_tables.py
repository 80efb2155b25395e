"""Random tables: every seat of each table has a policy drawn at random, and some games in a row are played by one.

So a pool of tables is played as one experiment, by any study's own code. Results are stated for tables: they
are drawn, the games of a table share its policies, and the table is the unit of errors (`by_table`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from wallsim.experiment.components import Components
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.policies.catalogue import load_policy, policy_names
from wallsim.policies.policy import Policy
from wallsim.stats.blocks import Estimate

Table = tuple[str, ...]  # the policy of each seat
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
        known = self._policies()
        tables = tuple(tuple(known[name] for name in table) for table in self.tables)
        return replace(parts, tables=tables, block=self.games_a_table)

    def _policies(self) -> dict[str, Policy]:
        """The policies by their names, each read once: there are some thousand seats."""
        return {name: load_policy(name) for name in {name for table in self.tables for name in table}}

    def hash(self, *, with_games: bool = False) -> str:
        """The sha256 of everything that decides the rows."""
        known = {name: policy.identity() for name, policy in sorted(self._policies().items())}
        facts = [super().hash(with_games=with_games), known, self.tables, self.games_a_table]
        return identity_hash({"tables": facts})


def seated_at_random(experiment: Experiment, tables: Sequence[Table], games_a_table: int) -> TablesExperiment:
    """The same experiment, played by these tables."""
    fields = {name: getattr(experiment, name) for name in type(experiment).model_fields}
    fields |= {"policies": tables[0], "tables": tuple(tables), "games_a_table": games_a_table}
    return TablesExperiment(**fields)


def by_table(outcomes: Mapping[str, Estimate], tables: int) -> dict[str, Estimate]:
    """The same estimates with the table as the unit of errors; the units of each table must stand in a row.

    The influence of a table is the mean of those of its units, as for any sample of clusters. ValueError where tables
    have different numbers of units.
    """
    return {
        name: Estimate(result.value, result.influence.reshape(tables, -1).mean(axis=1))
        for name, result in outcomes.items()
    }
