"""What a policy is worth: its share of wins and its lead in points, in one seat against a table, over all seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, delayed

from wallsim.engine.columns import columns_of
from wallsim.policies.catalogue import Policy
from wallsim.runs.setting import Setting
from wallsim.runs.tuning.samples import Table

_NUMBERS = 128  # game numbers a task at most: a thread looks up several times per second


@dataclass(frozen=True)
class Sample:
    """How a policy did, block by block: share of wins and lead over the best opponent in VP, float64 [blocks] each."""

    wins: np.ndarray
    leads: np.ndarray

    @property
    def blocks(self) -> int:
        """How many blocks were played: the sample size."""
        return len(self.wins)

    @property
    def share(self) -> float:
        """The share of wins; a win shared by k counts 1/k."""
        return float(self.wins.mean())

    @property
    def error(self) -> float:
        """The standard error of the share, from the spread of the blocks; 0 for a single one."""
        return float(self.wins.std(ddof=1)) / sqrt(self.blocks) if self.blocks > 1 else 0.0

    def score(self, lead_weight: float) -> float:
        """The share of wins plus `lead_weight` for each VP of mean lead, which smooths it."""
        return self.share + lead_weight * float(self.leads.mean())


class Evaluator(Protocol):
    """Whatever can say how policies do: the engine, or a stand-in with a known best policy."""

    def play(self, policies: Sequence[Policy], tables: Sequence[Table], seed: int) -> list[Sample]:
        """One sample per policy, all from the very same games."""
        ...


class Games:
    """The evaluator that plays: a setting, its threads, and who receives how many games were played."""

    def __init__(self, setting: Setting, workers: int, watch: Callable[[int], None] | None = None) -> None:
        self._setting = setting
        self._workers = workers
        self._watch = watch or (lambda games: None)
        names = [column.name for column in columns_of("seats", setting.experiment.ruleset().expansions)]
        self._win, self._vp = names.index("win"), names.index("vp")

    def play(self, policies: Sequence[Policy], tables: Sequence[Table], seed: int) -> list[Sample]:
        """One sample per policy: each plays all numbers of all tables from every seat. Threads change nothing."""
        spans = list(_spans(tables))
        tasks = (delayed(self._block)(policy, *span, seed) for policy in policies for span in spans)
        pool: Any = Parallel(n_jobs=self._workers, backend="threading", batch_size=1, return_as="generator")
        parts = []
        for part in pool(tasks):
            self._watch(part.shape[1] * self._setting.seats)
            parts.append(part)
        whole = [np.concatenate(parts[at : at + len(spans)], axis=1) for at in range(0, len(parts), len(spans))]
        return [Sample(wins, leads) for wins, leads in whole]

    def _block(self, policy: Policy, table: Table, first: int, count: int, seed: int) -> np.ndarray:
        # Mean share of wins and mean lead over all seats, float64 [2, numbers].
        seats = self._setting.seats
        found = np.zeros((2, count))
        for seat in range(seats):
            seated = [policy, *table.opponents]
            arena = self._setting.arena([seated[(s - seat) % seats] for s in range(seats)], seed, table.shift)
            rows = arena.play(first, count).seats.reshape(count, seats, -1)
            sharing, points = rows[:, seat, self._win], rows[:, :, self._vp].astype(np.int64)
            found[0] += np.where(sharing > 0, 1.0 / np.maximum(sharing, 1), 0.0)
            found[1] += points[:, seat] - np.delete(points, seat, axis=1).max(axis=1)
        return found / seats


def _spans(tables: Sequence[Table]) -> Iterator[tuple[Table, int, int]]:
    for table in tables:
        for start in range(0, table.count, _NUMBERS):
            yield table, table.first + start, min(_NUMBERS, table.count - start)
