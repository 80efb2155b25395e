"""Measures a policy at two kinds of table: among copies of itself, and alone among another policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from wallsim.analysis.behaviour.measures import Measure, measures_of
from wallsim.analysis.behaviour.profiles import Behaviour, Sums, behaviour_from, once, sums_of
from wallsim.policies.catalogue import Policy
from wallsim.runs.folder.chunk_tables import ChunkTables
from wallsim.runs.folder.schema import vocabulary
from wallsim.runs.setting import Setting

_BATCH = 500  # game numbers between two looks at the progress; bounds the memory
_RESULTS = ("seats", "seasons")
Played = Callable[[int], None]  # receives how many more games were played


@dataclass(frozen=True)
class Table:
    """A table to sit at: one policy per seat, and the seats that are looked at."""

    policies: tuple[Policy, ...]
    seats: tuple[int, ...]


def among_its_like(policy: Policy, players: int) -> list[Table]:
    """The table where every seat plays the policy; all seats are looked at."""
    return [Table((policy,) * players, tuple(range(players)))]


def alone_among(policy: Policy, host: Policy, players: int) -> list[Table]:
    """The tables where one seat plays the policy and the others the host: a table a seat, so that it has each once."""
    return [Table(tuple(policy if seat == own else host for seat in range(players)), (own,)) for own in range(players)]


class BehaviourMeasurement:
    """Plays tables at one setting, all with the same game numbers of a seed, and measures what they do."""

    def __init__(self, setting: Setting, games: int, seed: int, played: Played | None = None) -> None:
        """`games` is the number of game numbers, which are the blocks; `played` is called as games are done."""
        self.setting, self.games, self.seed = setting, games, seed
        self.measures: tuple[Measure, ...] = measures_of(setting.experiment.edition, setting.experiment.expansions)
        self._parts = setting.experiment.components()
        self._played = played or (lambda _: None)

    def measure(self, policy: Policy, tables: Sequence[Table]) -> Behaviour:
        """What the seats looked at do, over all tables. ValueError for a seat looked at in two of them."""
        looked_at = once([table.seats for table in tables])
        return behaviour_from(policy.name, self.measures, self.sums(tables), looked_at, len(tables))

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
                    looked_at = pl.col("seat").is_in(list(table.seats))
                    rows[name].append(chunk_tables.frame(name).filter(looked_at).drop("policy"))
                self._played(count)
            seats, seasons = (pl.concat(rows[name]).lazy() for name in _RESULTS)
            pieces.append(sums_of(self.measures, seats, seasons, count))
        return {name: np.concatenate([piece[name] for piece in pieces], axis=1) for name in pieces[0]}


@dataclass(frozen=True)
class PolicyProfile:
    """A policy measured at both kinds of table, beside the host among its like, over the same game numbers."""

    policy: Policy
    host: Policy
    alike: Behaviour
    guest: Behaviour
    hosts: Behaviour
    measures: tuple[Measure, ...]


def policy_profiles(observatory: BehaviourMeasurement, policies: Sequence[Policy], host: Policy) -> list[PolicyProfile]:
    """Measure each policy among its like and alone among the host, whose own table is played once."""
    players = observatory.setting.seats
    hosts = observatory.measure(host, among_its_like(host, players))
    found = []
    for policy in policies:
        alike = guest = hosts  # a host alone among its like plays the very same games, seat by seat
        if policy != host:
            alike = observatory.measure(policy, among_its_like(policy, players))
            guest = observatory.measure(policy, alone_among(policy, host, players))
        found.append(PolicyProfile(policy, host, alike, guest, hosts, observatory.measures))
    return found


def games_of(policies: Sequence[Policy], host: Policy, games: int, players: int) -> int:
    """How many games the profiles of some policies take, at so many game numbers."""
    return games * (1 + (1 + players) * sum(policy != host for policy in policies))
