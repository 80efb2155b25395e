"""Two companies for a policy, among copies of itself and alone among another, and what it does in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from wallsim.analysis.behaviour.measures import Measure, measures_of
from wallsim.analysis.behaviour.profiles import Behaviour, Sums, behaviour_from, once, sums_of
from wallsim.policies.catalogue import Policy
from wallsim.runs.folder.schema import Collector, vocabulary
from wallsim.runs.setting import Setting

_BATCH = 500  # game numbers between two looks at the progress; bounds the memory
_TABLES = ("seats", "seasons")
Played = Callable[[int], None]  # told how many more games were played


@dataclass(frozen=True)
class Company:
    """A table to sit at: a policy a seat, and the seats that are looked at."""

    policies: tuple[Policy, ...]
    seats: tuple[int, ...]


def among_its_like(policy: Policy, players: int) -> list[Company]:
    """The table where every seat plays the policy; all seats are looked at."""
    return [Company((policy,) * players, tuple(range(players)))]


def alone_among(policy: Policy, host: Policy, players: int) -> list[Company]:
    """The tables where one seat plays the policy and the others the host: a table a seat, so that it has each once."""
    return [
        Company(tuple(policy if seat == own else host for seat in range(players)), (own,)) for own in range(players)
    ]


class Observatory:
    """Plays companies at one setting, all with the same game numbers of a seed, and measures what they do."""

    def __init__(self, setting: Setting, games: int, seed: int, played: Played | None = None) -> None:
        """`games` is the number of game numbers, which are the blocks; `played` is told as games are done."""
        self.setting, self.games, self.seed = setting, games, seed
        self.measures: tuple[Measure, ...] = measures_of(setting.experiment.edition, setting.experiment.expansions)
        self._parts = setting.experiment.parts()
        self._played = played or (lambda _: None)

    def measure(self, policy: Policy, companies: Sequence[Company]) -> Behaviour:
        """What the seats looked at do, all companies together. ValueError for a seat looked at in two of them."""
        looked_at = once([company.seats for company in companies])
        return behaviour_from(policy.name, self.measures, self.sums(companies), looked_at, len(companies))

    def sums(self, companies: Sequence[Company]) -> Sums:
        """What `measure` is made of: the sums of each measure by block, the games of all companies played for it."""
        arenas = [self.setting.arena(company.policies, self.seed) for company in companies]
        pieces: list[Sums] = []
        for first in range(0, self.games, _BATCH):
            count = min(_BATCH, self.games - first)
            rows: dict[str, list[pl.DataFrame]] = {table: [] for table in _TABLES}
            for company, arena in zip(companies, arenas, strict=True):
                collector = Collector(_TABLES, vocabulary(replace(self._parts, policies=company.policies)), 0)
                collector.add(arena.play(first, count, seasons=True))
                for table in _TABLES:
                    wanted = pl.col("seat").is_in(list(company.seats))
                    rows[table].append(collector.frame(table).filter(wanted).drop("policy"))
                self._played(count)
            seats, seasons = (pl.concat(rows[table]).lazy() for table in _TABLES)
            pieces.append(sums_of(self.measures, seats, seasons, count))
        return {name: np.concatenate([piece[name] for piece in pieces], axis=1) for name in pieces[0]}


@dataclass(frozen=True)
class Portrait:
    """A policy measured in both companies, beside the host among its like, over the same game numbers."""

    policy: Policy
    host: Policy
    alike: Behaviour
    guest: Behaviour
    hosts: Behaviour
    measures: tuple[Measure, ...]


def portraits(observatory: Observatory, policies: Sequence[Policy], host: Policy) -> list[Portrait]:
    """Measure each policy among its like and alone among the host, whose own company is played once."""
    players = observatory.setting.seats
    hosts = observatory.measure(host, among_its_like(host, players))
    found = []
    for policy in policies:
        alike = guest = hosts  # a host alone among its like plays the very same games, seat by seat
        if policy != host:
            alike = observatory.measure(policy, among_its_like(policy, players))
            guest = observatory.measure(policy, alone_among(policy, host, players))
        found.append(Portrait(policy, host, alike, guest, hosts, observatory.measures))
    return found


def games_of(policies: Sequence[Policy], host: Policy, games: int, players: int) -> int:
    """How many games the portraits of some policies take, at so many game numbers."""
    return games * (1 + (1 + players) * sum(policy != host for policy in policies))
