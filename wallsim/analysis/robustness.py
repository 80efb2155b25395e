"""Whether a finding holds for weak, middling and strong play: claims, judged under the policies of several runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from wallsim.analysis.blocks import Estimate, block_ratio
from wallsim.analysis.intervals import LEVEL, normal_quantile
from wallsim.analysis.verdicts import Claim, Verdict, judge
from wallsim.runs.errors import InputError
from wallsim.runs.results import Run
from wallsim.runs.tournament_folder import TournamentRun

KIND = "strength"  # of play; a claim that holds for all of them is strength-proof
Played = Run | TournamentRun
Outcomes = Callable[[Played], Mapping[str, Estimate]]  # what a run says of every outcome, by its name


@dataclass(frozen=True)
class Robustness:
    """The verdict on every claim, and the estimates behind it, by outcome and then by the name of the play.

    The intervals, at quantile `z`, hold for all outcomes that are claimed and all kinds of play at once with `level`.
    """

    verdicts: tuple[Verdict, ...]
    estimates: dict[str, dict[str, Estimate]]
    level: float
    z: float

    @property
    def proof(self) -> bool:
        """Whether every claim holds for every kind of play."""
        return all(verdict.proof for verdict in self.verdicts)


def lineup_wins(played: Played) -> dict[str, Estimate]:
    """The share of wins of each line-up in per cent, by `line-up A` and so on; a shared win counts in parts.

    A block is a game of a run, or the block of a tournament. InputError if the seats have no line-ups, as in a draft.
    """
    rows = played.scan() if isinstance(played, TournamentRun) else played.scan("seats").with_columns(block="game")
    sums = (
        rows.group_by("block", pl.col("lineup").cast(pl.String))
        .agg(win=pl.col("win").cast(pl.Float64).sum(), games=pl.col("game").n_unique())
        .collect()
    )
    if sums["lineup"].null_count():
        raise InputError(f"{played.folder}: the seats have no line-ups")
    found = {}
    for letter in sorted(sums["lineup"].unique()):
        of_blocks = sums.filter(lineup=letter).sort("block")
        share = block_ratio(of_blocks["win"].to_numpy(), of_blocks["games"].to_numpy().astype(float))
        found[f"line-up {letter}"] = share * 100
    return found


def robustness(
    claims: Sequence[Claim],
    plays: Mapping[str, Played],
    outcomes: Outcomes = lineup_wins,
    *,
    level: float = LEVEL,
) -> Robustness:
    """Judge claims under every kind of play, named by its strength: weak, middling and strong, say.

    Each run or tournament is one at the same table with other policies; their blocks may differ. InputError for fewer
    than two of them, without claims, and for a claim of an outcome that some run does not have.
    """
    if len(plays) < 2 or not claims:
        raise InputError(f"plays, claims: {len(plays)} and {len(claims)}; allowed are two or more, and one or more")
    told = {name: outcomes(played) for name, played in plays.items()}
    wanted = list(dict.fromkeys(claim.outcome for claim in claims))
    for name, estimates in told.items():
        missing = [outcome for outcome in wanted if outcome not in estimates]
        if missing:
            known = ", ".join(estimates)
            raise InputError(f"claims: {name} play has no outcome {', '.join(missing)}; it has {known}")
    z = normal_quantile(level, len(wanted) * len(plays))
    found = {outcome: {name: told[name][outcome] for name in plays} for outcome in wanted}
    return Robustness(tuple(judge(claim, found[claim.outcome], z) for claim in claims), found, level, z)
