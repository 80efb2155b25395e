"""What people tell of their games, measured in the same way from a run: points by place, bids, buildings, attacks.

The figures of PEOPLE come from a few reports of casual tables of five that people published. They are rounded; the
bids are those of a single round, and neither the number of tables nor their set-up and events are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import polars as pl

from wallsim.runs.folder.results import Run
from wallsim.stats.blocks import Estimate, block_mean, block_ratio, block_values

PEOPLE: Mapping[str, tuple[float, ...]] = {
    "points": (45, 37, 34, 29, 26),  # victory points at the end, by place
    "bid": (4, 2, 1, 0, 0),  # Thalers paid in the auction, by the order of choosing
    "built": (2.0,),  # buildings put up a round, by seat
}


def distance(points: Sequence[Estimate], people: Sequence[float] = PEOPLE["points"]) -> float:
    """How far points by place are from those reported: the root of the mean squared difference, in points."""
    gaps = [ours.value - theirs for ours, theirs in zip(points, people, strict=True)]
    return sqrt(sum(gap * gap for gap in gaps) / len(gaps))


def measured(run: Run) -> dict[str, tuple[Estimate, ...]]:
    """The same figures of a run of equal policies with the table `seasons`; a block is a game.

    Beside them the attacks on neutral counties, in per cent of all attacks, and the rounds with a county bid, in %.
    """
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
    return {
        "points": tuple(block_mean(totals[f"place {place}"]) for place in range(seats)),
        "bid": tuple(block_ratio(by_choice[f"choice {turn}"], each_turn) for turn in range(1, seats + 1)),
        "county-bids": (block_ratio(by_choice["county"], by_choice["rounds"]) * 100,),
        "built": (block_ratio(totals["built"], by_choice["rounds"]),),
        "attacks-on-neutrals": (block_ratio(totals["attacks"] - totals["on_players"], totals["attacks"]) * 100,),
    }
