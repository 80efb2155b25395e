"""The results of a tournament: ladder, pay-offs, upsets and cycles, agreement with points, skill and luck."""

from __future__ import annotations

from dataclasses import dataclass

from wallsim.analysis.games.summary import assumptions
from wallsim.analysis.tournament.agreement import Agreement, agreement
from wallsim.analysis.tournament.payoffs import Cycle, Payoffs, Upset, cycles, payoffs, upsets
from wallsim.analysis.tournament.ratings import RESAMPLES, Ratings, rate
from wallsim.analysis.tournament.skill import Skill, skill
from wallsim.runs.tournament.folder import TournamentRun


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
