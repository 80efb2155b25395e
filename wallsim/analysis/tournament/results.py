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
from wallsim.stats.rankings import rankings


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

    Policies and line-ups are in alphabetical order. Rows are those of `wallsim.stats.rankings`; without line-ups, as in
    a draft, there is nothing.
    """
    ranked = rankings(rows)
    found: dict[str | None, dict[str, Estimate]] = {}
    for policy in (None, *ranked.policies):
        own = True if policy is None else ranked.policy == ranked.policies.index(policy)
        for number, lineup in enumerate(ranked.lineups):
            here = own & (ranked.lineup == number)
            block = ranked.block[here.nonzero()[0]]
            wins, games = np.bincount(block, ranked.win[here], ranked.blocks), np.bincount(block, None, ranked.blocks)
            if len(block):
                found.setdefault(policy, {})[lineup] = block_ratio(wins, games.astype(np.float64))
    return found
