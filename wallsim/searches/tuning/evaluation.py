"""Measuring policies: share of wins and lead in points of one seat against opponents, over all seats.

The search maximises them; the held-out games of a tuned policy have intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import sqrt
from typing import Any, Protocol

import numpy as np

from wallsim.engine.columns import columns_of
from wallsim.play.parallel import in_parallel, on_cluster
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import DEFAULT_POLICY, Policy, load_policy, pack_mind, policy_names, seat_minds
from wallsim.searches.tuning.samples import Table, blocks_for, spread
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import LEVEL, Confidence, wilson

# Maximum game numbers per task: a thread can stop several times per second, while a cluster wants tasks worth sending.
_NUMBERS, _NUMBERS_THERE = 128, 1024


@dataclass(frozen=True)
class Sample:
    """The results of a policy by block: share of wins, and lead over the best opponent in VP, float64 [blocks] each."""

    wins: np.ndarray
    leads: np.ndarray

    @property
    def blocks(self) -> int:
        """The number of blocks, which is the sample size."""
        return len(self.wins)

    @property
    def share(self) -> float:
        """The share of wins; a win shared by k seats counts 1/k."""
        return float(self.wins.mean())

    @property
    def error(self) -> float:
        """The standard error of the share, from the variation between blocks; 0 for a single block."""
        return float(self.wins.std(ddof=1)) / sqrt(self.blocks) if self.blocks > 1 else 0.0

    def score(self, lead_weight: float) -> float:
        """The share of wins plus `lead_weight` times the mean lead in VP, which makes the objective smoother."""
        return self.share + lead_weight * float(self.leads.mean())


class Evaluator(Protocol):
    """Measures policies in so many settings: the engine, or a test double with a known best policy."""

    @property
    def settings(self) -> int:
        """The number of settings that tables may name."""
        ...

    def play(self, policies: Sequence[Policy], tables: Sequence[Table], seed: int) -> list[Sample]:
        """One sample per policy, all from the same game numbers."""
        ...


class Games:
    """The evaluator that plays games: settings, a number of threads, and a callback for the games played."""

    def __init__(
        self,
        setting: Setting,
        workers: int,
        watch: Callable[[int], None] | None = None,
        *,
        further: Sequence[Setting] = (),
    ) -> None:
        """Tables of setting 0 play `setting`, others those of `further`, with equal players and expansions."""
        self._settings = (setting, *further)
        self._seats = setting.seats
        self._workers = workers
        self._watch = watch or (lambda games: None)

    @property
    def settings(self) -> int:
        """The number of settings."""
        return len(self._settings)

    def play(self, policies: Sequence[Policy], tables: Sequence[Table], seed: int) -> list[Sample]:
        """One sample per policy; each plays all numbers of all tables from every seat, with any number of threads."""
        away = on_cluster()
        spans = list(_spans(tables, _NUMBERS_THERE if away else _NUMBERS))
        if away:
            tasks = [(policy, *span, seed) for policy in policies for span in spans]
            return self._samples(in_parallel(partial(_play_block, self._settings), tasks, self._workers), len(spans))
        minds: dict[int, np.ndarray] = {}
        for policy in (*policies, *(opponent for table in tables for opponent in table.opponents)):
            if id(policy) not in minds:  # packing takes as long as two games
                minds[id(policy)] = pack_mind(policy)

        def block(policy: Policy, table: Table, first: int, count: int) -> np.ndarray:
            seated = [minds[id(one)] for one in (policy, *table.opponents)]
            return _block(self._settings[table.setting], seated, table.shift, first, count, seed)

        local = [(policy, *span) for policy in policies for span in spans]
        return self._samples(in_parallel(block, local, self._workers), len(spans))

    def _samples(self, blocks: Iterator[np.ndarray], each: int) -> list[Sample]:
        parts = []
        for part in blocks:
            self._watch(part.shape[1] * self._seats)
            parts.append(part)
        whole = [np.concatenate(parts[at : at + each], axis=1) for at in range(0, len(parts), each)]
        return [Sample(wins, leads) for wins, leads in whole]


def _play_block(
    settings: Sequence[Setting], policy: Policy, table: Table, first: int, count: int, seed: int
) -> np.ndarray:
    """The same in another process, where minds are packed again."""
    seated = [pack_mind(one) for one in (policy, *table.opponents)]
    return _block(settings[table.setting], seated, table.shift, first, count, seed)


def _block(setting: Setting, seated: Sequence[np.ndarray], shift: int, first: int, count: int, seed: int) -> np.ndarray:
    """Mean share of wins and mean lead of the first of these minds over all seats, float64 [2, numbers]."""
    seats = setting.seats
    names = [column.name for column in columns_of("seats", setting.experiment.ruleset().expansions)]
    win, vp = names.index("win"), names.index("vp")
    means = np.zeros((2, count))
    for seat in range(seats):
        players = seat_minds([seated[(s - seat) % seats] for s in range(seats)])
        rows = setting.arena_of(players, seed, shift).play(first, count).seats.reshape(count, seats, -1)
        sharing, points = rows[:, seat, win], rows[:, :, vp].astype(np.int64)
        means[0] += np.where(sharing > 0, 1.0 / np.maximum(sharing, 1), 0.0)
        means[1] += points[:, seat] - np.delete(points, seat, axis=1).max(axis=1)
    return means / seats


def _spans(tables: Sequence[Table], numbers: int) -> Iterator[tuple[Table, int, int]]:
    for table in tables:
        for start in range(0, table.count, numbers):
            yield table, table.first + start, min(numbers, table.count - start)


@dataclass(frozen=True)
class Finding:
    """The share of wins of a policy in one seat against another policy in all others.

    It comes from `games` games in `blocks` blocks. The interval from `low` to `high` is one of
    `n_comparisons` simultaneous intervals of the same evaluation.
    """

    opponent: str
    role: str
    games: int
    blocks: int
    share: float
    low: float
    high: float
    n_comparisons: int

    def fields(self) -> dict[str, Any]:
        """The fields as a dictionary for JSON."""
        return asdict(self)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Finding:
        """A finding from its fields; versions before 0.6 used the name `together` for `n_comparisons`."""
        return cls(**{"n_comparisons" if name == "together" else name: value for name, value in fields.items()})


def held_out(
    evaluator: Evaluator,
    policy: Policy,
    opponents: Sequence[tuple[str, Policy]],
    *,
    seats: int,
    games: int,
    seed: int,
    turn: int,
    n_comparisons: int | None = None,
) -> list[Finding]:
    """Play a policy in one seat against each opponent in all others, with the games of turn `turn` of a seed.

    The number of games is rounded up to whole blocks; a block is a game number played from every seat. The assignments
    of line-ups, and the settings of the evaluator, share the game numbers evenly, and all opponents play the same
    numbers. Intervals are Student's t from
    the variation between blocks, with Bonferroni's correction for all opponents or for `n_comparisons` intervals. If
    all blocks are equal or there are too few of them, they are Wilson's with blocks as trials, which is conservative.
    """
    n_comparisons = n_comparisons or len(opponents)
    blocks, confidence = blocks_for(games, seats), Confidence(LEVEL, n_comparisons)
    findings = []
    for role, opponent in opponents:
        every = [(opponent,) * (seats - 1)] * seats * evaluator.settings
        tables = spread(blocks, every, turn, evaluator.settings)
        sample = evaluator.play([policy], tables, seed)[0]
        estimate = block_mean(sample.wins)
        low, high = estimate.interval(confidence) or wilson(estimate.value, blocks, confidence.z)
        findings.append(
            Finding(
                opponent=opponent.name, role=role, games=blocks * seats, blocks=blocks, share=estimate.value,
                low=max(0.0, low), high=min(1.0, high), n_comparisons=n_comparisons,
            )
        )  # fmt: skip
    return findings


def warnings_of(findings: Sequence[dict[str, Any]], fair: float) -> list[str]:
    """A sentence for each finding, given by its fields, whose whole interval is below the fair share."""
    return [
        f"against {finding.opponent} it wins {finding.share:.1%} ({finding.low:.1%} to {finding.high:.1%}), less than "
        f"the fair share of {fair:.1%}"
        for finding in (Finding.from_fields(fields) for fields in findings)
        if finding.high < fair
    ]


def opponents_for(start: Policy, pool: Sequence[Policy]) -> tuple[tuple[str, Policy], ...]:
    """The opponents of a tuning's held-out games with their roles: the start, `balanced`, and the sanity list.

    The sanity list has all other policies of the package that are not in the pool, including `random`. Policies that
    search are left out, because the held-out games would take hours.
    """
    opponents = [("start", start)]
    if start.name != DEFAULT_POLICY:
        opponents.append(("reference", load_policy(DEFAULT_POLICY)))
    known = {policy.name for policy in (start, *pool)} | {DEFAULT_POLICY}
    others = (load_policy(name) for name in policy_names() if name not in known)
    return (*opponents, *(("sanity", policy) for policy in others if policy.search is None))
