"""The results of a tournament: ladder, pay-offs, upsets and cycles, agreement with points, skill and luck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.analysis.games.summary import assumptions
from wallsim.analysis.tournament.agreement import Agreement, agreement
from wallsim.analysis.tournament.payoffs import Cycle, Payoffs, Upset, cycles, payoffs, upsets
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.analysis.tournament.skill import Skill, skill
from wallsim.folder.tournament import TournamentRun
from wallsim.stats.blocks import Estimate, block_ratio


@dataclass(frozen=True)
class Findings:
    """All results of a tournament; `assumptions` has one line each."""

    ratings: Ratings
    payoffs: Payoffs
    upsets: tuple[Upset, ...]
    cycles: tuple[Cycle, ...]
    agreement: tuple[Agreement, ...]
    skill: Skill
    assumptions: tuple[str, ...]


def judge(run: TournamentRun, *, resamples: int = RESAMPLES) -> Findings:
    """Rate the policies of a finished tournament; pay-offs are in the order of the ladder.

    RunError if a file is missing or damaged.
    """
    rows = run.rows()
    ratings = rate(rows, resamples=resamples)
    matrix = payoffs(rows, ratings.policies)
    return Findings(
        ratings=ratings,
        payoffs=matrix,
        upsets=upsets(matrix, ratings.policies),
        cycles=cycles(matrix, ratings.policies),
        agreement=agreement(rows, ratings),
        skill=skill(rows, resamples=resamples),
        assumptions=tuple(assumptions(run.manifest, rotated=True)),
    )


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
