"""What people tell of their games, measured in the same way from a run: points by place, bids, buildings, attacks.

The figures of PEOPLE come from a few reports of casual tables of five that people published. They are rounded; the
bids are those of a single round, and neither the number of tables nor their set-up and events are known.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import polars as pl

from wallsim.runs.folder.results import Run
from wallsim.stats.blocks import Estimate, block_mean, block_ratio, block_values


class Reported(NamedTuple):
    """Figures as people report them; None for what no report says."""

    points: tuple[float, ...]  # victory points at the end, by place
    bids: tuple[float, ...]  # Thalers paid in the auction, by the order of choosing
    built: float  # buildings put up a round, by seat
    on_neutrals: float | None  # attacks on neutral counties, in per cent of all attacks


PEOPLE = Reported((45, 37, 34, 29, 26), (4, 2, 1, 0, 0), 2.0, None)


class Measured(NamedTuple):
    """The same figures of a run, each an estimate from its games; `county_bids` are rounds with a county bid, in %."""

    points: tuple[Estimate, ...]
    bids: tuple[Estimate, ...]
    built: Estimate
    on_neutrals: Estimate
    county_bids: Estimate

    def distance(self, people: Reported = PEOPLE) -> float:
        """How far the points by place are from those reported: the root of the mean squared difference, in points."""
        gaps = [ours.value - theirs for ours, theirs in zip(self.points, people.points, strict=True)]
        return sqrt(sum(gap * gap for gap in gaps) / len(gaps))


def measured(run: Run) -> Measured:
    """The figures of a run of equal policies with the table `seasons`; a block is a game."""
    games, seats = run.manifest["games"], run.manifest["experiment"]["identity"]["players"]
    ordered = pl.col("vp").sort(descending=True)
    done = pl.sum_horizontal("done_palace", "done_church", "done_trading_post").sum()
    totals = block_values(
        run.scan("seats"),
        games,
        **{f"place {place}": ordered.get(place) for place in range(seats)},
        built=done,
        attacks=pl.col("attacks").sum(),
        on_players=pl.col("attacks_on_players").sum(),
    )
    rounds = run.scan("seasons").filter(pl.col("choosing_place") > 0)
    paid = pl.col("paid_bids")
    by_choice = block_values(
        rounds,
        games,
        **{f"choice {turn}": paid.filter(pl.col("choosing_place") == turn).sum() for turn in range(1, seats + 1)},
        rounds=pl.len(),
        county=(pl.col("bid").cast(pl.String) == "county").sum(),
    )
    each_turn = by_choice["rounds"] / seats
    return Measured(
        tuple(block_mean(totals[f"place {place}"]) for place in range(seats)),
        tuple(block_ratio(by_choice[f"choice {turn}"], each_turn) for turn in range(1, seats + 1)),
        block_ratio(totals["built"], by_choice["rounds"]),
        block_ratio(totals["attacks"] - totals["on_players"], totals["attacks"]) * 100,
        block_ratio(by_choice["county"], by_choice["rounds"]) * 100,
    )
