"""Which counties are fought for: attacks of players on players there, and how often an owner loses one."""

from __future__ import annotations

from functools import partial

import numpy as np

from wallsim.engine.arena import Arena
from wallsim.engine.columns import columns_of
from wallsim.rules.terms import BATTLE_KINDS, COUNTIES
from wallsim.runs.experiment import Experiment
from wallsim.runs.parallel import in_parallel
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.games import block_size
from wallsim.studies.study import Storage

_PLACES = {
    table: {column.name: place for place, column in enumerate(columns_of(table))} for table in ("battles", "counties")
}
_ON_PLAYER = BATTLE_KINDS.index("player")
_BATCH = 50  # blocks; they limit the memory of a worker


def fought_for(experiment: Experiment, blocks: int, storage: Storage) -> dict[str, tuple[Estimate, Estimate]]:
    """Attacks of players on the owners of each county in a game, and the share of its owners that lose it, in per cent.

    An owner is a seat that holds the county at some time of a game; one that loses it and gets it back has lost it.
    """
    parts = experiment.components()

    def played(_: object) -> dict[str, np.ndarray]:
        arena = parts.arena(experiment.seed)
        batches = [(first, min(_BATCH, blocks - first)) for first in range(0, blocks, _BATCH)]
        counts = list(in_parallel(partial(_counted, arena), batches, checked_workers(storage.workers)))
        return {name: np.concatenate([each[name] for each in counts]) for name in counts[0]}

    result = storage.cache.get("counties fought for", {"experiment": experiment, "blocks": blocks}, played)
    attacks, owners, losers = (result[name].astype(np.float64) for name in ("attacks", "owners", "losers"))
    games = block_size(experiment.players)
    return {
        name: (block_mean(attacks[:, place] / games), block_ratio(losers[:, place], owners[:, place]) * 100.0)
        for place, name in enumerate(parts.board.counties)
        if owners[:, place].any()
    }  # fmt: skip


def _counted(arena: Arena, first: int, count: int) -> dict[str, np.ndarray]:
    """By block and county, int32 [blocks, counties]: attacks on players, owners, and owners that lose the county."""
    size = block_size(arena.seats)
    tables = arena.play(first * size, count * size, battles=True, counties=True)
    battles, held = _PLACES["battles"], _PLACES["counties"]
    on_players = tables.battles[tables.battles[:, battles["kind"]] == _ON_PLAYER]
    rows = tables.counties
    return {
        "attacks": _table(on_players, battles, count, size),
        "owners": _table(rows, held, count, size),
        "losers": _table(rows[rows[:, held["losses"]] > 0], held, count, size),
    }


def _table(rows: np.ndarray, places: dict[str, int], blocks: int, size: int) -> np.ndarray:
    """Rows by block and county; `game` counts from the first game of the batch."""
    cells = rows[:, places["game"]].astype(np.int64) // size * COUNTIES + rows[:, places["county"]]
    return np.bincount(cells, minlength=blocks * COUNTIES).reshape(blocks, COUNTIES).astype(np.int32)
