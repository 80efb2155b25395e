"""Measures a policy at two kinds of table: among copies of itself, and alone among another policy.

An opening is the plan of spring of year one: the card on every box of the mat, the bid included. Openings vary from
game to game with the same line-up: what lies open while planning differs, so even a policy without chance in it has
more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.behaviour.measures import Measure, measures_of
from wallsim.analysis.behaviour.profiles import Behaviour, Sums, behaviour_from, sums_of
from wallsim.engine.arena import Arena
from wallsim.engine.log_lines import PLAN, line_places
from wallsim.folder.chunk_tables import ChunkTables
from wallsim.folder.schema import vocabulary
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy
from wallsim.rules.terms import ACTIONS, BOXES, COUNTIES
from wallsim.stats.blocks import Estimate, combined

LEAST_COVERED = 0.1  # with fewer openings seen before, the estimate of the entropy says nothing
_PLAN = line_places(PLAN)


class Openings(NamedTuple):
    """The variety of a policy's openings, a mean over seats; a block is a game.

    `entropy` is Shannon's in bits, as Chao and Shen (2003) estimate it. `repeated` is the chance in per cent that a
    seat opens a further game with a plan of these games (Good and Turing, 1953). `least` is the entropy in bits of
    the openings as counted, which is too low.
    """

    entropy: Estimate
    repeated: Estimate
    least: float

    @property
    def known(self) -> bool:
        """Whether enough openings came up again for the estimate of the entropy; `least` is a lower bound if not."""
        return self.repeated.value >= 100 * LEAST_COVERED


def opening_plans(arena: Arena, games: int) -> np.ndarray:
    """The opening of every seat in games 0 to `games` - 1 of an arena: cards by box, int64 [games, seats, BOXES]."""
    plans = np.empty((games, arena.seats, BOXES), np.int64)
    for game in range(games):
        lines = arena.trace(game).lines
        first = lines[lines[:, 0] == PLAN][: arena.seats]
        plans[game, first[:, _PLAN.seat]] = first[:, _PLAN.cards : _PLAN.cards + BOXES]
    return plans


def kinds_of(plans: np.ndarray) -> np.ndarray:
    """The kind of each plan [..., boxes]: which actions get a county card, as a mask of actions, int64 [...]."""
    actions = plans[..., : len(ACTIONS)]
    return np.asarray(((actions >= 0) & (actions < COUNTIES)) @ (1 << np.arange(len(ACTIONS))))


def openings_of(arena: Arena, games: int) -> Openings:
    """The variety of the openings of all seats of an arena, which should play one policy with line-ups.

    ValueError for fewer than two games.
    """
    return variety(opening_plans(arena, games))


def variety(plans: np.ndarray) -> Openings:
    """The variety of plans [games, seats, boxes]. ValueError for fewer than two games."""
    games, seats = plans.shape[:2]
    if games < 2:
        raise ValueError(f"games: {games} is too few; at least two are needed to compare openings")
    by_seat = [_variety_of_seat(plans[:, seat]) for seat in range(seats)]
    equal = [1 / seats] * seats
    return Openings(
        combined(equal, [each.entropy for each in by_seat]),
        combined(equal, [each.repeated for each in by_seat]),
        sum(each.least for each in by_seat) / seats,
    )


def _variety_of_seat(plans: np.ndarray) -> Openings:
    _, kind, times = np.unique(plans, axis=0, return_inverse=True, return_counts=True)
    seen = times[kind.reshape(-1)]  # how often the opening of each game came up
    whole = _entropy(times), _covered(times)
    # By the jackknife: without a game its opening came up once less, so equal counts have equal influence.
    without = {count: _without_one(times, count) for count in np.unique(times)}
    parts = np.array([without[count] for count in seen])
    influence = (len(plans) - 1) * (parts.mean(axis=0) - parts)
    shares = times / len(plans)
    return Openings(
        Estimate(whole[0], influence[:, 0]),
        Estimate(100 * whole[1], 100 * influence[:, 1]),
        float(-(shares * np.log2(shares)).sum()),
    )


def _without_one(times: np.ndarray, count: int) -> tuple[float, float]:
    fewer = times.copy()
    fewer[np.flatnonzero(times == count)[0]] -= 1
    fewer = fewer[fewer > 0]
    return _entropy(fewer), _covered(fewer)


def _covered(times: np.ndarray) -> float:
    """Good and Turing's estimate of the share of all games that open with one of the openings seen."""
    return 1 - float((times == 1).sum()) / float(times.sum())


def _entropy(times: np.ndarray) -> float:
    """Chao and Shen's entropy in bits: shares are scaled to the coverage, and weighted by the chance to be seen."""
    games = float(times.sum())
    covered = max(_covered(times), 1 / games)
    shares = covered * times / games
    seen = 1 - (1 - shares) ** games
    return float(-(shares * np.log2(shares) / seen).sum()) + 0.0


_BATCH = 500  # game numbers between two reports of progress; limits the memory used
_RESULTS = ("seats", "seasons")
OPENINGS = 1_000  # game numbers whose openings are compared, at most: their variety is one among so many games
Played = Callable[[int], None]  # called with the number of games played since the last call


def seatings_of(policy: Policy, host: Policy | None, players: int) -> list[tuple[tuple[Policy, ...], list[int]]]:
    """The tables of a policy, each with the seats that are measured.

    Without a `host` every seat of one table plays the policy; else there is a table per seat, where all others play the
    host.
    """
    if host is None:
        return [((policy,) * players, [*range(players)])]
    return [(tuple(policy if seat == own else host for seat in range(players)), [own]) for own in range(players)]


class BehaviourMeasurement:
    """Plays tables in one setting, all with the same game numbers of a seed, and measures their behaviour."""

    def __init__(self, setting: Setting, games: int, seed: int, played: Played | None = None) -> None:
        """`games` is the number of game numbers, which are the blocks; `played` is called as games finish."""
        self.setting, self.games, self.seed = setting, games, seed
        self.measures: tuple[Measure, ...] = measures_of(setting.experiment.edition, setting.experiment.expansions)
        self._parts = setting.experiment.components()
        self._played = played or (lambda _: None)

    def measure(self, policy: Policy, host: Policy | None = None) -> Behaviour:
        """The behaviour of a policy in every seat, among copies of itself or, with a `host`, alone among hosts."""
        players = self.setting.seats
        return behaviour_from(policy.name, self.measures, self.sums(policy, host), players, players if host else 1)

    def sums(self, policy: Policy, host: Policy | None = None) -> Sums:
        """The sums of each measure by block, from the games of all these tables."""
        tables = seatings_of(policy, host, self.setting.seats)
        arenas = [self.setting.arena(policies, self.seed) for policies, _ in tables]
        pieces: list[Sums] = []
        for first in range(0, self.games, _BATCH):
            count = min(_BATCH, self.games - first)
            rows: dict[str, list[pl.DataFrame]] = {name: [] for name in _RESULTS}
            for (policies, measured), arena in zip(tables, arenas, strict=True):
                chunk_tables = ChunkTables(_RESULTS, vocabulary(replace(self._parts, policies=policies)), 0)
                chunk_tables.add(arena.play(first, count, seasons=True))
                for name in _RESULTS:
                    rows[name].append(chunk_tables.frame(name).filter(pl.col("seat").is_in(measured)).drop("policy"))
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
    hosts = measurement.measure(host)
    profiles = []
    for policy in policies:
        copies = guest = hosts  # a host alone among hosts plays the same games
        if policy != host:
            copies, guest = measurement.measure(policy), measurement.measure(policy, host)
        profiles.append(
            PolicyProfile(policy, host, copies, guest, hosts, measurement.measures, measurement.openings(policy))
        )
    return profiles


def games_of(policies: Sequence[Policy], host: Policy, games: int, players: int) -> int:
    """The number of games that the profiles of `policies` take with `games` game numbers, openings apart."""
    return games * (1 + (1 + players) * sum(policy != host for policy in policies))
