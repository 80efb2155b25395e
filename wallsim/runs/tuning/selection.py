"""Selecting the result: one of a few means of the search, chosen in separate games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wallsim.runs.tuning.history import History
from wallsim.runs.tuning.objective import Evaluator
from wallsim.runs.tuning.samples import blocks_for, seed_for

DECIMALS = 3  # of the written weights; the rounded weights are the ones that are evaluated
FINALISTS = 3  # maximum number
LAST_FRACTION = 4  # the finalists come from the last quarter of the generations


def rounded(weights: dict[str, float]) -> dict[str, float]:
    """The weights, rounded as they are written."""
    return {name: round(value, DECIMALS) for name, value in weights.items()}


def finalists(means: Sequence[dict[str, float]]) -> dict[str, dict[str, float]]:
    """The candidates for the result, rounded, by a description of their origin; equal ones are included once.

    They are the last mean, the mean halfway through the last quarter of the generations, and the average of the means
    in that quarter, which reduces the noise of the games.
    """
    last = len(means) - 1
    part = max(1, len(means) // LAST_FRACTION)
    middle = max(0, last - part // 2)
    average = {name: float(np.mean([mean[name] for mean in means[-part:]])) for name in means[-1]}
    candidates = {
        f"the mean after {last} generations": means[last],
        f"the average of the last {part} means": average,
        f"the mean after {middle} generations": means[middle],
    }
    by_weights: dict[tuple[float, ...], str] = {}
    for words, weights in candidates.items():
        by_weights.setdefault(tuple(rounded(weights).values()), words)
    return {words: rounded(candidates[words]) for words in by_weights.values()}


def select(history: History, evaluator: Evaluator) -> dict[str, Any]:
    """Play the finalists against the pool in games used for nothing else, and choose the best score.

    Returns an object with `chosen` (words), `weights`, and `finalists`: share of wins and score of each.
    """
    settings = history.settings
    contest = finalists(history.means())
    policies = [settings.policy(words, weights) for words, weights in contest.items()]
    turn = len(history.generations)
    tables = history.pool.tables(blocks_for(settings.held_out, settings.seats), turn)
    samples = evaluator.play(policies, tables, seed_for(settings.seed, "selection"))
    scores = {
        words: {
            "share": sample.share,
            "error": sample.error,
            "score": sample.score(settings.lead_weight) - settings.penalty(weights),
        }
        for (words, weights), sample in zip(contest.items(), samples, strict=True)
    }
    chosen = max(scores, key=lambda words: scores[words]["score"])
    return {"chosen": chosen, "weights": contest[chosen], "finalists": scores}
