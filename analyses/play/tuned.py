"""What a saying brings a seat that is tuned for it: policies tuned with it against one that was tuned as long without.

`tuning.py` made the policies of the folder `tuned`. A habit is tuned where it costs points untuned.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.policies.catalogue import read_policy
from wallsim.policies.policy import Policy
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.study import Storage

from .changes import POINTS, SHOWN, WINS, changes_with, unchanged
from .habits import HABITS
from .tables import PLAYERS, TABLES, experiment_of

GAIN = "VP of an untuned seat"  # more than that
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


def file_name(table: Cell, habit: str | None) -> str:
    """The name of the policy tuned at a table with a habit, or without one."""
    return NAMES[table] if habit is None else f"{NAMES[table]}-{habit.lower().replace(' ', '-')}"


def policy_of(table: Cell, habit: str | None) -> Policy:
    """The policy tuned at a table, with its habit."""
    policy = read_policy(TUNED / f"{file_name(table, habit)}.toml")
    return policy if habit is None else HABITS[habit].of(policy)


def tuned_for(table: Cell, blocks: int, storage: Storage) -> dict[str, Estimate]:
    """What the tuned policies of a table bring one seat of it, in blocks of the table's games, by item.

    Points and wins by tuning alone; of each habit points and wins against a seat that was tuned as long without it,
    points against an untuned one (GAIN), and how far the measure is from that of an untuned seat.
    """
    experiment = experiment_of(PLAYERS, table)
    measures = tuple(HABITS[name].measure for name in COSTLY[table])
    before = cache(partial(unchanged, experiment, measures, blocks, storage.workers))

    def changes(habit: str | None) -> Mapping[str, np.ndarray]:
        policy = policy_of(table, habit)
        own = tuple(HABITS[name].measure for name in (COSTLY[table] if habit is None else (habit,)))
        words = [measure.words for measure in own]
        facts = {"experiment": experiment, "blocks": blocks, "policy": policy.identity(), "measures": words}

        def played(_: object) -> dict[str, np.ndarray]:
            return changes_with(experiment, lambda _: policy, own, blocks, storage.workers, before())

        return storage.cache.get("tuned habit", facts, played)

    alone = changes(None)
    found = {what: block_mean(alone[what]) for what in (POINTS, WINS)}
    for name in COSTLY[table]:
        with_it = changes(name)
        found[f"{name} {POINTS}"] = block_mean(with_it[POINTS] - alone[POINTS])
        found[f"{name} {WINS}"] = block_mean(with_it[WINS] - alone[WINS])
        found[f"{name} {GAIN}"] = block_mean(with_it[POINTS])
        found[f"{name} {SHOWN}"] = block_mean(with_it[HABITS[name].measure.words])
    return found
