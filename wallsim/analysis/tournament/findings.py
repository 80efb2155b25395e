"""What a tournament found: ladder, pay-offs and what runs against the ladder, agreement with points, skill and luck."""

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
    """All that a tournament is asked; `assumptions` says its assumptions, line by line."""

    ratings: Ratings
    payoffs: Payoffs
    upsets: tuple[Upset, ...]
    cycles: tuple[Cycle, ...]
    agreement: tuple[Agreement, ...]
    skill: Skill
    assumptions: tuple[str, ...]


def judge(run: TournamentRun, *, resamples: int = RESAMPLES) -> Findings:
    """Rate the policies of a finished tournament; pay-offs stand in the order of the ladder.

    RunError if a file is missing or damaged.
    """
    rows = run.rows()
    ratings = rate(rows, resamples=resamples)
    found = payoffs(rows, ratings.policies)
    return Findings(
        ratings=ratings,
        payoffs=found,
        upsets=upsets(found, ratings.policies),
        cycles=cycles(found, ratings.policies),
        agreement=agreement(rows, ratings),
        skill=skill(rows, resamples=resamples),
        assumptions=tuple(assumptions(run.manifest, rotated=True)),
    )
