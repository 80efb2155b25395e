"""The claims about switches of the military leaders, estimated under any experiment."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.games import Games, in_batches
from wallsim.studies.outcomes import POINTS

from .estimates import variants

_MOVING = {variant.mark: variant for variant in variants() if variant.mark in ("A10", "A12")}


def _falls(mark: str) -> str:
    return f"fall of {POINTS} by {_MOVING[mark].name}"


CLAIMS = (
    Claim("One statue a county at most [A10] lowers a seat's VP.", _falls("A10"), 0),
    Claim("Statues that score at the end alone [A12] lower a seat's VP.", _falls("A12"), 0),
)


def claim_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS: points under a setting less those of the same games under the default."""

    def points(games: Games) -> np.ndarray:
        return np.asarray(games.seats("vp").mean(axis=1))

    def played(rules: Mapping[str, object]) -> np.ndarray:
        arena = experiment.changed(expansions=EXPANSIONS, rules=dict(rules)).arena()
        return np.concatenate(in_batches(arena, range(blocks), points, workers=workers))

    default = played({})
    return {_falls(mark): block_mean(default - played(variant.changes["rules"])) for mark, variant in _MOVING.items()}
