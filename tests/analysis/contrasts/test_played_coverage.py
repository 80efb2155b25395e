"""In 200 played studies intervals cover known effects as often as they say, alone, together and at every look.

Two effects are exact: a point by hand for who does not read the score, and nothing. Their two scenarios have seeds of
their own, so that the change of a game is full of luck. The third is what four Thalers at the start bring `balanced`,
game by game, whose truth comes from a long run.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import binom, norm

from tests.analysis.contrasts.planted_runs import contrast
from wallsim.analysis.precision import Headline, Precision, Row
from wallsim.engine.columns import columns_of
from wallsim.experiment.experiment import Experiment
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import holm

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
STUDIES, GAMES, BLOCK = 200, 720, 24  # games of each scenario of a study; a block as in `analyses/effects.py`
LONG, BATCH = 100_000, 24_000  # games of each scenario of the long run, and that are played at once
LEVEL = 0.95
CENTRAL = 0.999  # the probability that a count of successes lies between its limits
FAR = norm.isf(0.0005)  # standard errors: 999 of 1,000 long runs are nearer to the truth
EVERYONE = np.ones(GAMES)
NULL_COLUMNS = ("vp", "win", "thalers", "counties", "attacks", "grain")
PLACES = {column.name: place for place, column in enumerate(columns_of("seats"))}
POINT = [{"do": "hand", "vp": 1, "seat": "turn", "round": "turn"}]
FOUR_THALERS = [{"do": "hand", "thalers": 4, "seat": "turn", "round": "start"}]


class Effect(NamedTuple):
    """A number of the treated seat in both scenarios, float64 [studies, games], and the true change.

    `chance` is that with which an interval of 95 % covers the `truth`, the least and the most.
    """

    first: np.ndarray
    second: np.ndarray
    truth: float
    chance: tuple[float, float] = (LEVEL, LEVEL)


def played(policies, seed, columns, interventions=(), games=STUDIES * GAMES):
    """Columns of the treated seats, who take turns game by game; float64 [columns, games], wins are shares."""
    experiment = Experiment(policies=policies, interventions=list(interventions), seed=seed)
    arena, parts = experiment.arena(), []
    for first in range(0, games, BATCH):
        rows = arena.play(first, min(BATCH, games - first)).seats
        rows = rows.reshape(-1, arena.seats, rows.shape[1])
        parts.append(rows[np.arange(len(rows)), np.arange(first, first + len(rows)) % arena.seats])
    values = np.concatenate(parts)[:, [PLACES[name] for name in columns]].astype(float).T
    if "win" in columns:
        shared = values[columns.index("win")]
        np.divide(1.0, shared, out=shared, where=shared > 0)
    return values


def points(policies, seed, *more):
    return played(policies, seed, ("vp",), *more)[0]


def studies_of(values):
    """The same studies after studies, [studies, games]."""
    return values.reshape(STUDIES, GAMES)


def four_thalers():
    """What four Thalers at the start bring `balanced`, paired, around the truth of a long run.

    The long run may be `FAR` of its standard errors off; then all intervals miss the more often, on one side.
    """
    first, second = (studies_of(points("balanced", 107, lines)) for lines in ((), FOUR_THALERS))
    before, after = (points("balanced", 108, lines, LONG) for lines in ((), FOUR_THALERS))
    half, off = norm.isf((1 - LEVEL) / 2), FAR * sqrt(GAMES / LONG)
    least = float(norm.cdf(half - off) - norm.cdf(-half - off))
    return Effect(first, second, float((after - before).mean()), (least, LEVEL))


EFFECTS = ("a point by hand", "nothing", "four Thalers")


@pytest.fixture(scope="module")
def effects():
    made = (
        Effect(studies_of(points("random", 101)), studies_of(points("random", 102, POINT)), 1.0),
        Effect(studies_of(points("random", 105)), studies_of(points("random", 106)), 0.0),
        four_thalers(),
    )
    return dict(zip(EFFECTS, made, strict=True))


def interval_of_games(first, second, confidence=None):
    """Student's t interval over games, as `wallsim compare` prints it."""
    return contrast("vp", "treated seat", "", first, second, EVERYONE).interval(confidence or Confidence())


def interval_of_blocks(first, second):
    """Student's t interval over means of blocks of 24 games, as the studies `price`, `tiles` and `events` print it."""
    return block_mean((second - first).reshape(-1, BLOCK).mean(axis=1)).interval(Confidence())


INTERVALS = {"games": interval_of_games, "blocks": interval_of_blocks}


def limits(chance):
    """The least and the most successes of the studies, central 99.9 %; of a chance or of the least and the most."""
    least, most = chance if isinstance(chance, tuple) else (chance, chance)
    tail = (1 - CENTRAL) / 2
    return binom.ppf(tail, STUDIES, least), binom.isf(tail, STUDIES, most)


@pytest.mark.parametrize("kind", INTERVALS)
@pytest.mark.parametrize("name", EFFECTS)
def test_a_known_effect_is_covered_as_often_as_claimed(effects, name, kind):
    first, second, truth, chance = effects[name]
    least, most = limits(chance)
    hits = sum(low <= truth <= high for low, high in map(INTERVALS[kind], first, second))
    assert least <= hits <= most


def test_intervals_of_one_study_hold_together_as_often_as_claimed(effects):
    confidence = Confidence(n_comparisons=len(effects))
    together = 0
    for study in range(STUDIES):
        ends = [interval_of_games(each.first[study], each.second[study], confidence) for each in effects.values()]
        pairs = zip(ends, effects.values(), strict=True)
        together += all(low <= each.truth <= high for (low, high), each in pairs)
    lost = max(LEVEL - each.chance[0] for each in effects.values())  # where a truth is that of a long run
    assert together >= limits(LEVEL - lost)[0]


def test_a_family_without_any_effect_covers_nothing_and_claims_nothing_too_often():
    """Six columns of two runs that do not differ: intervals by Bonferroni, and p-values by Holm."""
    first, second = ([studies_of(each) for each in played("random", seed, NULL_COLUMNS)] for seed in (109, 110))
    confidence = Confidence(n_comparisons=len(NULL_COLUMNS))
    held = claimed = 0
    for study in range(STUDIES):
        family = [
            contrast(name, "treated seat", "", one[study], other[study], EVERYONE)
            for name, one, other in zip(NULL_COLUMNS, first, second, strict=True)
        ]
        held += all(low <= 0 <= high for low, high in (each.interval(confidence) for each in family))
        claimed += holm([each.p_value(confidence) for each in family]).min() <= 1 - LEVEL
    assert held >= limits(LEVEL)[0]
    assert claimed <= limits(1 - LEVEL)[1]


def test_who_adds_games_until_all_are_known_well_enough_misses_no_more_than_promised(effects):
    """Looks from 300 games on, every 20 games, at three rows, until the widest interval is ± 1.5 VP (`--until`)."""
    reached = missed = 0
    for study in range(STUDIES):
        for games in range(300, GAMES + 1, 20):
            result = Headline(
                Precision("vp", 1.5),
                tuple(
                    Row("", name, block_mean((each.second - each.first)[study, :games]))
                    for name, each in effects.items()
                ),
            )
            if result.reached:
                break
        reached += result.reached
        ends = [result.interval(row) for row in result.rows]
        pairs = zip(ends, effects.values(), strict=True)
        missed += any(not low <= each.truth <= high for (low, high), each in pairs)
    assert reached > 0.9 * STUDIES
    assert missed <= limits(1 - LEVEL)[1]
