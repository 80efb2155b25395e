"""Two policies at one table: every way to seat them in equal numbers, and their results against each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import polars as pl

from wallsim.runs.folder.results import Run
from wallsim.stats.blocks import Estimate, block_mean, block_values


def seatings(one: str, other: str, players: int = 4) -> list[tuple[str, ...]]:
    """Every way to give half of the seats to one policy and half to the other, as one policy per seat.

    Over all of them each policy has every seat, and so every line-up, equally often. ValueError for an odd number of
    players.
    """
    if players % 2:
        raise ValueError(f"players: {players} seats cannot be divided equally between two policies")
    return [
        tuple(one if seat in seats else other for seat in range(players))
        for seats in combinations(range(players), players // 2)
    ]


def versus(runs: Sequence[Run], one: str) -> tuple[Estimate, Estimate]:
    """The results of one policy against the other half of the table, over runs with different seatings.

    First the total share of wins of the seats of `one`, a win shared by k counting 1/k: one half if the policies are
    equal. Then the mean victory points of a seat of `one` minus those of a seat of the other. A block is a game number
    with its games of all runs; all runs must have the same games.
    """
    wins, ahead = [], []
    side = pl.when(pl.col("policy").cast(pl.String) == one)
    for run in runs:
        sums = block_values(
            run.scan("seats"),
            run.manifest["games"],
            wins=side.then(pl.col("win")).otherwise(0).sum(),
            lead=side.then(pl.col("vp")).otherwise(-pl.col("vp")).sum(),
        )
        wins.append(sums["wins"])
        ahead.append(sums["lead"] / (run.manifest["experiment"]["identity"]["players"] / 2))
    return block_mean(np.mean(wins, axis=0)), block_mean(np.mean(ahead, axis=0))
