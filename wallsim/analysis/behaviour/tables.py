"""Measures a policy at two kinds of table: among copies of itself, and alone among another policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from wallsim.analysis.behaviour.measures import Measure, measures_of
from wallsim.analysis.behaviour.openings import Openings, openings_of
from wallsim.analysis.behaviour.profiles import Behaviour, Sums, behaviour_from, once, sums_of
from wallsim.policies.catalogue import Policy
from wallsim.runs.folder.chunk_tables import ChunkTables
from wallsim.runs.folder.schema import vocabulary
from wallsim.runs.setting import Setting

_BATCH = 500  # game numbers between two reports of progress; limits the memory used
_RESULTS = ("seats", "seasons")
OPENINGS = 1_000  # game numbers whose openings are compared, at most: their variety is one among so many games
Played = Callable[[int], None]  # called with the number of games played since the last call


@dataclass(frozen=True)
class Table:
    """A table: one policy per seat, and the seats that are measured."""

    policies: tuple[Policy, ...]
    seats: tuple[int, ...]


def among_copies(policy: Policy, players: int) -> list[Table]:
    """The table where every seat plays the policy; all seats are measured."""
    return [Table((policy,) * players, tuple(range(players)))]


def alone_among(policy: Policy, host: Policy, players: int) -> list[Table]:
    """The tables where one seat plays the policy and all others the host: one table per seat."""
    return [
        Table(tuple(policy if seat == its_seat else host for seat in range(players)), (its_seat,))
        for its_seat in range(players)
    ]


class BehaviourMeasurement:
    """Plays tables in one setting, all with the same game numbers of a seed, and measures their behaviour."""

    def __init__(self, setting: Setting, games: int, seed: int, played: Played | None = None) -> None:
        """`games` is the number of game numbers, which are the blocks; `played` is called as games finish."""
        self.setting, self.games, self.seed = setting, games, seed
        self.measures: tuple[Measure, ...] = measures_of(setting.experiment.edition, setting.experiment.expansions)
        self._parts = setting.experiment.components()
        self._played = played or (lambda _: None)

    def measure(self, policy: Policy, tables: Sequence[Table]) -> Behaviour:
        """The behaviour of the measured seats over all tables. ValueError for a seat measured at two tables."""
        n_seats = once([table.seats for table in tables])
        return behaviour_from(policy.name, self.measures, self.sums(tables), n_seats, len(tables))

    def sums(self, tables: Sequence[Table]) -> Sums:
        """The sums of each measure by block, from the games of all tables."""
        arenas = [self.setting.arena(table.policies, self.seed) for table in tables]
        pieces: list[Sums] = []
        for first in range(0, self.games, _BATCH):
            count = min(_BATCH, self.games - first)
            rows: dict[str, list[pl.DataFrame]] = {name: [] for name in _RESULTS}
            for table, arena in zip(tables, arenas, strict=True):
                chunk_tables = ChunkTables(_RESULTS, vocabulary(replace(self._parts, policies=table.policies)), 0)
                chunk_tables.add(arena.play(first, count, seasons=True))
                for name in _RESULTS:
                    measured = pl.col("seat").is_in(list(table.seats))
                    rows[name].append(chunk_tables.frame(name).filter(measured).drop("policy"))
                self._played(count)
            seats, seasons = (pl.concat(rows[name]).lazy() for name in _RESULTS)
            pieces.append(sums_of(self.measures, seats, seasons, count))
        return {name: np.concatenate([piece[name] for piece in pieces], axis=1) for name in pieces[0]}

    def openings(self, policy: Policy) -> Openings | None:
        """The variety of the policy's openings among copies of itself; None in a draft, which deals new counties."""
        if self.setting.experiment.setup == "draft":
            return None
        arena = self.setting.arena([policy] * self.setting.seats, self.seed)
        return openings_of(arena, min(self.games, OPENINGS))


@dataclass(frozen=True)
class PolicyProfile:
    """A policy measured over the same game numbers: among copies of itself and alone among hosts.

    `copies` and `guest` are these two behaviours of the policy, `hosts` is the host among copies of itself. `openings`
    are those of the policy among copies of itself, None in a draft.
    """

    policy: Policy
    host: Policy
    copies: Behaviour
    guest: Behaviour
    hosts: Behaviour
    measures: tuple[Measure, ...]
    openings: Openings | None


def policy_profiles(measurement: BehaviourMeasurement, policies: Sequence[Policy], host: Policy) -> list[PolicyProfile]:
    """Measure each policy among copies of itself and alone among hosts; the table of hosts is played once."""
    players = measurement.setting.seats
    hosts = measurement.measure(host, among_copies(host, players))
    profiles = []
    for policy in policies:
        copies = guest = hosts  # a host alone among hosts plays the same games
        if policy != host:
            copies = measurement.measure(policy, among_copies(policy, players))
            guest = measurement.measure(policy, alone_among(policy, host, players))
        profiles.append(
            PolicyProfile(policy, host, copies, guest, hosts, measurement.measures, measurement.openings(policy))
        )
    return profiles


def games_of(policies: Sequence[Policy], host: Policy, games: int, players: int) -> int:
    """The number of games that the profiles of `policies` take with `games` game numbers, openings apart."""
    return games * (1 + (1 + players) * sum(policy != host for policy in policies))
