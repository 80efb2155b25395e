"""Line-ups in all arrangements over the seats, to separate the effects of line-up and seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from wallsim.errors import InputError
from wallsim.experiment.identity import identity_hash
from wallsim.folder.results import Run
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.screening import JointTest, hotelling


def arrangements(letters: Sequence[str]) -> list[tuple[str, ...]]:
    """Every rotation of the line-ups over the seats and of their mirror image: two arrangements per seat.

    Over all of them each line-up has every seat equally often, and its neighbours on either side equally often.
    """
    ways = [
        tuple(order[(seat + shift) % len(order)] for seat in range(len(order)))
        for order in (tuple(letters), tuple(reversed(letters)))
        for shift in range(len(order))
    ]
    return list(dict.fromkeys(ways))


@dataclass(frozen=True)
class Arranged:
    """Games of the same numbers in several arrangements: a block is a number, with one game per arrangement.

    `wins` (a win shared by k counts 1/k) and `vp` are float64 [blocks, arrangements, line-ups], the line-ups in the
    order of `letters`; `seats`, int64 [arrangements, line-ups], has the seat of each.
    """

    letters: tuple[str, ...]
    arrangements: tuple[tuple[str, ...], ...]
    wins: np.ndarray
    vp: np.ndarray

    @property
    def blocks(self) -> int:
        """The number of game numbers played."""
        return len(self.wins)

    @property
    def seats(self) -> np.ndarray:
        """The seat of each line-up in each arrangement."""
        return np.array([[way.index(letter) for letter in self.letters] for way in self.arrangements])

    def shares(self) -> dict[str, Estimate]:
        """The share of wins of each line-up over all arrangements, in per cent."""
        return {letter: block_mean(self.wins[:, :, at].mean(axis=1)) * 100 for at, letter in enumerate(self.letters)}

    def points(self) -> dict[str, Estimate]:
        """The mean victory points of each line-up over all arrangements."""
        return {letter: block_mean(self.vp[:, :, at].mean(axis=1)) for at, letter in enumerate(self.letters)}

    def deviation(self, letter: str) -> float:
        """The standard deviation of a line-up's victory points from one game to another."""
        return float(self.vp[:, :, self.letters.index(letter)].std(ddof=1))

    def shares_of_seats(self) -> list[Estimate]:
        """The share of wins of each seat in per cent; every line-up sits there equally often."""
        seats = self.seats
        shares = []
        for seat in range(len(self.letters)):
            here = seats == seat
            shares.append(block_mean(self.wins[:, here].mean(axis=1)) * 100)
        return shares

    def spread(self) -> Estimate:
        """The mean difference in victory points between the first and the last seat of a game."""
        return block_mean((self.vp.max(axis=2) - self.vp.min(axis=2)).mean(axis=1))

    def differences(self) -> dict[tuple[str, str, str], Estimate]:
        """A line-up's share of wins in one arrangement less that in another, in percentage points, paired by block.

        By line-up and the two arrangements, such as ("A", "ABCD", "BCDA"): every pair once, in the order of
        `arrangements`.
        """
        result = {}
        for at, letter in enumerate(self.letters):
            arms = {"".join(way): block_mean(self.wins[:, k, at]) * 100 for k, way in enumerate(self.arrangements)}
            for one, other in combinations(arms, 2):
                result[letter, one, other] = arms[one] - arms[other]
        return result

    def same_everywhere(self) -> JointTest | None:
        """The joint paired test that every line-up wins equally often in all arrangements.

        Its contrasts are the wins in an arrangement minus those in the first. The last line-up is left out, since the
        shares of a game add up to one.
        """
        against_first = self.wins[:, 1:, :-1] - self.wins[:, :1, :-1]
        return hotelling(against_first.reshape(self.blocks, -1))


def arranged(runs: Sequence[Run]) -> Arranged:
    """The wins and points of runs of the same game numbers, one run per arrangement.

    InputError if they differ in anything but the arrangement, or if the seats have no line-ups, as in a draft.
    """
    facts = [run.manifest["experiment"]["identity"] for run in runs]
    ways = tuple(tuple(fact["lineups"]) for fact in facts)
    identities = {
        identity_hash({**fact, "lineups": sorted(fact["lineups"]), "games": run.manifest["games"]})
        for run, fact in zip(runs, facts, strict=True)
    }
    if len(identities) != 1 or not all(ways[0]):
        where = ", ".join(str(run.folder) for run in runs)
        raise InputError(f"{where}: these runs must differ only in the arrangement of their line-ups")
    letters = tuple(sorted(ways[0]))
    wins, points = [], []
    for run, way in zip(runs, ways, strict=True):
        rows = run.scan("seats").select("game", "seat", pl.col("win", "vp").cast(pl.Float64)).sort("game", "seat")
        table = rows.collect()
        order = [way.index(letter) for letter in letters]
        wins.append(table["win"].to_numpy().reshape(-1, len(way))[:, order])
        points.append(table["vp"].to_numpy().reshape(-1, len(way))[:, order])
    return Arranged(letters, ways, np.stack(wins, axis=1), np.stack(points, axis=1))
