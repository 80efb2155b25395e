"""Two hundred small studies of played games whose effects are known, each on game numbers of its own.

Three effects are exact: a point by hand for who does not read the score, a Thaler that a policy turns into one point
(`merchant.py`), and nothing. Their two scenarios have seeds of their own, so that the change of a game is full of luck.
The fourth is what four Thalers at the start bring `balanced`, game by game, whose truth comes from a long run.
"""

from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from wallsim.engine.columns import columns_of
from wallsim.experiment.experiment import Experiment

STUDIES, GAMES, BLOCK = 200, 720, 24  # games of each scenario of a study; a block as in `analyses/effects.py`
LONG = 100_000  # games of each scenario of the long run
LEVEL = 0.95
_BATCH = 24_000
_FAR = norm.isf(0.0005)  # standard errors: 999 of 1,000 long runs are nearer to the truth
PLACES = {column.name: place for place, column in enumerate(columns_of("seats"))}

POINT = [{"do": "hand", "vp": 1, "seat": "turn", "round": "turn"}]
FOUR_THALERS = [{"do": "hand", "thalers": 4, "seat": "turn", "round": "start"}]
# The merchant has grain enough, and neither savings nor income when the last fall begins.
PENNILESS = [
    {"do": "hand", "grain": 18, "seat": 0, "round": ["winter 1", "winter 2"]},
    {"do": "hand", "thalers": -1000, "seat": 0, "round": "fall 2"},
]
ONE_THALER = [*PENNILESS, {"do": "hand", "thalers": 1, "seat": 0, "round": "fall 2"}]


class Effect(NamedTuple):
    """A number of the treated seat in both scenarios, float64 [studies, games], and the true change.

    `chance` is that with which an interval of 95 % covers the `truth`, the least and the most.
    """

    first: np.ndarray
    second: np.ndarray
    truth: float
    chance: tuple[float, float] = (LEVEL, LEVEL)


def merchants(interventions, seed):
    """Games in which one more Thaler for seat 0 in the last fall is one more victory point."""
    policy = str(Path(__file__).with_name("merchant.py"))
    return Experiment(policies=policy, rules={"combat": "may"}, interventions=interventions, seed=seed)


def seats_of(experiment, games, *columns):
    """Columns of the table `seats`, a list of float64 [games, seats]; wins are shares."""
    arena, parts = experiment.arena(), []
    for first in range(0, games, _BATCH):
        rows = arena.play(first, min(_BATCH, games - first)).seats
        parts.append(rows.reshape(-1, arena.seats, rows.shape[1])[:, :, [PLACES[name] for name in columns]])
    values = np.concatenate(parts).astype(float)
    if "win" in columns:
        shared = values[:, :, columns.index("win")]
        np.divide(1.0, shared, out=shared, where=shared > 0)
    return list(np.moveaxis(values, 2, 0))


def in_turn(values):
    """The value of the treated seat of each game, [games]; seats are treated in turn."""
    games, seats = values.shape
    return values[np.arange(games), np.arange(games) % seats]


def studies_of(values):
    """The same studies after studies, [studies, games]."""
    return values.reshape(STUDIES, GAMES)


def _points(experiment, games=STUDIES * GAMES):
    [points] = seats_of(experiment, games, "vp")
    return points


def point_by_hand():
    """A victory point for each seat in turn, in each round in turn, where nobody reads the score."""
    before, after = (
        Experiment(policies="random", interventions=lines, seed=seed) for lines, seed in (([], 101), (POINT, 102))
    )
    return Effect(*(studies_of(in_turn(_points(each))) for each in (before, after)), 1.0)


def thaler_turned_into_a_point():
    """A Thaler for a seat that has none and buys a point for it."""
    before, after = merchants(PENNILESS, 103), merchants(ONE_THALER, 104)
    return Effect(*(studies_of(_points(each)[:, 0]) for each in (before, after)), 1.0)


def nothing():
    """Two scenarios without any difference."""
    return Effect(*(studies_of(in_turn(_points(Experiment(policies="random", seed=seed)))) for seed in (105, 106)), 0.0)


def four_thalers():
    """What four Thalers at the start bring `balanced`, paired, around the truth of a long run.

    The long run may be `_FAR` of its standard errors off; then all intervals miss the more often, on one side.
    """
    (first, second), (long_first, long_second) = (
        [
            in_turn(_points(Experiment(policies="balanced", interventions=lines, seed=seed), games))
            for lines in ([], FOUR_THALERS)
        ]
        for seed, games in ((107, STUDIES * GAMES), (108, LONG))
    )
    half, off = norm.isf((1 - LEVEL) / 2), _FAR * sqrt(GAMES / LONG)
    least = float(norm.cdf(half - off) - norm.cdf(-half - off))
    truth = float((long_second - long_first).mean())
    return Effect(studies_of(first), studies_of(second), truth, (least, LEVEL))


EFFECTS = {
    "a point by hand": point_by_hand,
    "a Thaler turned into a point": thaler_turned_into_a_point,
    "nothing": nothing,
    "four Thalers": four_thalers,
}
