"""What line-up A is worth against C, said in skill: how badly A must play for C to be level with it.

At a table of equal players the one with line-up A plays worse, by errors of judgement or as a weaker kind of play, and
its points and wins less those of line-up C are counted at the same table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import hypot, nan
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.plays import CASUAL, MIDDLING, STRONG, WEAK
from wallsim.policies.catalogue import load_policy
from wallsim.policies.policy import Policy
from wallsim.runs.experiment import Experiment
from wallsim.runs.learning.settings import with_noise
from wallsim.stats.blocks import Estimate, block_mean, combined
from wallsim.stats.intervals import Confidence, Interval, side_of
from wallsim.studies.cache import Cache
from wallsim.studies.games import Games, in_batches
from wallsim.studies.scope import plays_for

from .games import ways_of

BETTER, WORSE = "A", "C"
ERRORS = (0.0, 0.2, 0.4, 0.8, 1.6, 3.2)  # VP, standard deviations of the errors with which each option is judged
BLOCKS = 63  # of 6 numbers a player, at most; a number is a unit
SEEDS = 2  # from the seed of the study; the seed between is that of the search
WEAKER = {CASUAL: WEAK, MIDDLING: CASUAL, STRONG: MIDDLING, f"second {STRONG}": MIDDLING}  # the next weaker play
OUTCOMES = POINTS, WINS = "points", "wins"
_PLAYERS = 4
_STEP = 0.01  # VP, to which the errors that make both level are found


class Gaps(NamedTuple):
    """By outcome, what line-up A has more than C at the same table: by the errors of A's player, and if it is weaker.

    Points are VP, wins percentage points; the unit is a game number in all arrangements.
    """

    errors: dict[str, list[Estimate]]
    weaker: dict[str, Estimate]


def all_gaps(
    tables: Mapping[str, Experiment], blocks: int, cache: Cache, workers: int | None = None
) -> dict[str, Gaps]:
    """Play blocks of numbers at each table with every error of the player with line-up A, and with a weaker player."""
    policies, result = {each.name: each.policy for each in plays_for(_PLAYERS)}, {}
    for play, experiment in tables.items():
        own = experiment.components().policies[0]
        errs = [gap_of(experiment, erring(own, error), blocks, cache, workers) for error in ERRORS]
        other = gap_of(experiment, load_policy(policies[WEAKER[play]]), blocks, cache, workers)
        result[play] = Gaps({name: [each[name] for each in errs] for name in OUTCOMES}, other)
    return result


def erring(policy: Policy, error: float) -> Policy:
    """The policy with independent errors of so many VP on top of its own."""
    return with_noise(policy, hypot(policy.weights["noise"], error)) if error else policy


def gap_of(
    experiment: Experiment, player: Policy, blocks: int, cache: Cache, workers: int | None = None
) -> dict[str, Estimate]:
    """What line-up A, played by `player`, has more than C, over all arrangements of the line-ups over the seats."""

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        ways, parts = ways_of(experiment.players), []
        for way in ways:
            setting = experiment.changed(lineups=way).components()
            policies = tuple(
                player if letter == BETTER else each for letter, each in zip(way, setting.policies, strict=True)
            )
            arena = replace(setting, policies=policies).arena(experiment.seed)
            gap = partial(_gap, better=way.index(BETTER), worse=way.index(WORSE))
            parts.append(np.concatenate(in_batches(arena, range(design["blocks"]), gap, workers=workers), axis=1))
        return dict(zip(OUTCOMES, np.mean(parts, axis=0), strict=True))

    design = {"experiment": experiment, "player": player.identity(), "blocks": blocks}
    return {name: block_mean(each) for name, each in cache.get("line-up by a worse player", design, play).items()}


def _gap(games: Games, better: int, worse: int) -> np.ndarray:
    """Points and wins in per cent of one seat less those of another, float64 [2, games]."""
    values = np.stack([games.seats("vp"), 100 * games.seats("win")])
    return np.asarray(values[..., better] - values[..., worse])


def level_errors(errors: Sequence[Estimate], sure: Confidence) -> tuple[float, Interval | None]:
    """The errors in VP that make both line-ups level, by linear interpolation between ERRORS, and their interval.

    The interval has the errors at which it is not known who has more. Where the largest errors are not enough, the
    value is nan; an end that is not reached is nan, too. No interval for fewer blocks than that needs.
    """
    grid = np.arange(0.0, ERRORS[-1] + _STEP / 2, _STEP)
    gaps = [_between(errors, float(each)) for each in grid]
    below = [each.value <= 0 for each in gaps]
    value = float(grid[below.index(True)]) if True in below else nan
    sides = [each.interval(sure) for each in gaps]
    if any(side is None for side in sides):
        return value, None
    known = [side_of(side) for side in sides]
    low = next((float(at) for at, side in zip(grid, known, strict=True) if side <= 0), nan)
    high = next((float(at) for at, side in zip(grid, known, strict=True) if side < 0), nan)
    return value, (low, high)


def _between(errors: Sequence[Estimate], error: float) -> Estimate:
    after = min(int(np.searchsorted(ERRORS, error, side="right")), len(ERRORS) - 1)
    share = (error - ERRORS[after - 1]) / (ERRORS[after] - ERRORS[after - 1])
    return combined((1 - share, share), errors[after - 1 : after + 1])
