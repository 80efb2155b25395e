"""What a saying brings a seat that is tuned for it: policies tuned with it against one that was tuned as long without.

`tuning.py` made the policies of the folder `tuned`. A habit is tuned where it costs points untuned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.policies.catalogue import read_policy
from wallsim.policies.policy import Policy
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.study import Storage

from .changes import POINTS, WINS, changes_with, unchanged
from .habits import HABITS
from .tables import PLAYERS, TABLES, experiment_of

TUNED = Path(__file__).with_name("tuned")
NAMES = dict(zip(TABLES, ("casual", "first", "second"), strict=True))  # of tables, in file names
_LATER = ("No war in year one", "Attack only when it is safe", "Act first")
_STRONG = ("Take neutral land first", "Leave neutral land alone", "Bid nothing", "Keep grain to spare")
_LAST = "Spend all in the last fall"
_BUILD, _SAVE = "Build in the first spring", "Build nothing in the first spring"
# The habits that are known to cost an untuned seat points at a table, in games of four, where they take effect.
COSTLY = dict(
    zip(
        TABLES,
        (
            (_BUILD, _SAVE, *_LATER, "Leave the leader alone", _LAST),
            (_BUILD, *_LATER, *_STRONG, _LAST),
            (_SAVE, *_LATER, *_STRONG, _LAST),
        ),
        strict=True,
    )
)


class Prepared(NamedTuple):
    """A seat that is tuned for a saying.

    `points` and `wins` (in percentage points) are against a seat that was tuned as long without it, `gain` is points
    against a seat that was not tuned, and `kept` how far the measure is from that of an untuned seat.
    """

    points: Estimate
    wins: Estimate
    gain: Estimate
    kept: Estimate


class TunedTable(NamedTuple):
    """A table: what tuning alone gains a seat, in points and in wins, and every habit that costs there by name."""

    points: Estimate
    wins: Estimate
    habits: dict[str, Prepared]


def file_name(table: Cell, habit: str | None) -> str:
    """The name of the policy tuned at a table with a habit, or without one."""
    return NAMES[table] if habit is None else f"{NAMES[table]}-{habit.lower().replace(' ', '-')}"


def policy_of(table: Cell, habit: str | None) -> Policy:
    """The policy tuned at a table, with its habit."""
    policy = read_policy(TUNED / f"{file_name(table, habit)}.toml")
    return policy if habit is None else HABITS[habit].of(policy)


def tuned_for(table: Cell, blocks: int, storage: Storage) -> TunedTable:
    """What the tuned policies of a table bring one seat of it, in blocks of the table's games."""
    experiment = experiment_of(PLAYERS, table)
    measures = tuple(HABITS[name].measure for name in COSTLY[table])
    before = cache(partial(unchanged, experiment, measures, blocks, storage.workers))

    def changes(habit: str | None) -> Mapping[str, np.ndarray]:
        policy = policy_of(table, habit)
        names = COSTLY[table] if habit is None else (habit,)
        own = tuple(HABITS[name].measure for name in names)
        words = [measure.words for measure in own]
        facts = {"experiment": experiment, "blocks": blocks, "policy": policy.identity(), "measures": words}

        def played(_: object) -> dict[str, np.ndarray]:
            return changes_with(experiment, lambda _: policy, own, blocks, storage.workers, before())

        return storage.cache.get("tuned habit", facts, played)

    return _compared(table, changes)


def _compared(table: Cell, changes: Callable[[str | None], Mapping[str, np.ndarray]]) -> TunedTable:
    alone = changes(None)
    habits = {}
    for name in COSTLY[table]:
        with_it = changes(name)
        habits[name] = Prepared(
            block_mean(with_it[POINTS] - alone[POINTS]),
            block_mean(with_it[WINS] - alone[WINS]),
            block_mean(with_it[POINTS]),
            block_mean(with_it[HABITS[name].measure.words]),
        )
    return TunedTable(block_mean(alone[POINTS]), block_mean(alone[WINS]), habits)
