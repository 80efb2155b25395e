"""How often a tournament's policies win with each line-up, alone and all together."""

from __future__ import annotations

import numpy as np
import polars as pl

from wallsim.stats.blocks import Estimate, block_ratio


def lineup_wins(rows: pl.DataFrame) -> dict[str | None, dict[str, Estimate]]:
    """The share of wins by policy and line-up, from blocks of games; under None that of all policies together.

    Line-ups are in alphabetical order. Rows have the columns `block`, `policy`, `lineup` and `win`; without line-ups,
    as in a draft, there is nothing.
    """
    dealt = rows.filter(pl.col("lineup").is_not_null()).with_columns(pl.col("policy", "lineup").cast(pl.String))
    if dealt.is_empty():
        return {}
    every = dealt.with_columns(policy=pl.lit(None, pl.String))
    sums = (
        pl.concat([every, dealt])
        .group_by("policy", "lineup", "block")
        .agg(pl.col("win").sum().alias("wins"), pl.len().alias("games"))
    )
    number = {block: place for place, block in enumerate(rows["block"].unique().sort().to_list())}
    found: dict[str | None, dict[str, Estimate]] = {}
    groups = sums.sort("policy", "lineup", nulls_last=False).partition_by(["policy", "lineup"], as_dict=True)
    for (policy, lineup), each in groups.items():
        places = [number[block] for block in each["block"].to_list()]
        wins, games = np.zeros(len(number)), np.zeros(len(number))
        wins[places], games[places] = each["wins"].to_numpy(), each["games"].to_numpy()
        found.setdefault(policy, {})[lineup] = block_ratio(wins, games)
    return found
