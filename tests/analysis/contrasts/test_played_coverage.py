"""In 200 played studies intervals cover known effects as often as they say, alone, together and at every look."""

from functools import reduce

import numpy as np
import pytest
from scipy.stats import binom

from tests.analysis.contrasts.planted_runs import contrast
from tests.analysis.contrasts.played_studies import (
    BLOCK,
    EFFECTS,
    GAMES,
    LEVEL,
    ONE_THALER,
    PENNILESS,
    STUDIES,
    in_turn,
    merchants,
    seats_of,
    studies_of,
)
from wallsim.analysis.precision import Headline, Precision, Row
from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import holm

pytestmark = pytest.mark.slow
CENTRAL = 0.999  # the probability that a count of successes lies between its limits
EVERYONE = np.ones(GAMES)
NULL_COLUMNS = ("vp", "win", "thalers", "counties", "attacks", "grain")


def interval_of_games(first, second, confidence=None):
    """Student's t interval over games, as `wallsim compare` prints it."""
    return contrast("vp", "treated seat", "", first, second, EVERYONE).interval(confidence or Confidence())


def interval_of_blocks(first, second):
    """Student's t interval over means of blocks of 24 games, as the studies `price`, `tiles` and `events` print it."""
    return block_mean((second - first).reshape(-1, BLOCK).mean(axis=1)).interval(Confidence())


INTERVALS = {"games": interval_of_games, "blocks": interval_of_blocks}


@pytest.fixture(scope="module")
def effects():
    return {name: play() for name, play in EFFECTS.items()}


@pytest.fixture(scope="module")
def ends(effects):
    """By kind of interval and effect: the ends of the intervals of all studies, [studies, 2]."""
    return {
        (kind, name): np.array([interval(*pair) for pair in zip(each.first, each.second, strict=True)])
        for kind, interval in INTERVALS.items()
        for name, each in effects.items()
    }


def covered(ends, truth):
    """In how many studies the truth lies between the ends."""
    return int(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).sum())


def limits(*chances):
    """The least and the most successes of the studies for each of some chances, added up: central 99.9 %.

    A chance is a number, or the least and the most that it may be.
    """
    pairs = [chance if isinstance(chance, tuple) else (chance, chance) for chance in chances]
    counts = np.arange(STUDIES + 1)
    least, most = (reduce(np.convolve, [binom.pmf(counts, STUDIES, pair[end]) for pair in pairs]) for end in (0, 1))
    tail = (1 - CENTRAL) / 2
    return int(np.searchsorted(least.cumsum(), tail)), int(np.searchsorted(most.cumsum(), 1 - tail))


def test_one_more_thaler_is_exactly_one_more_point_for_the_merchant_and_nothing_for_others():
    """The truth of that row, game by game on the same numbers; and the policy keeps to the rules."""
    before, after = (seats_of(merchants(lines, 103), 2000, "vp", "thalers") for lines in (PENNILESS, ONE_THALER))
    assert (after[0] - before[0] == [1, 0, 0, 0]).all()
    assert (after[1] == before[1]).all()
    assert (after[1][:, 0] == 0).all()
    assert before[0][:, 0].std() > 1
    experiment = merchants(ONE_THALER, 103)
    Setting(experiment).arena(experiment.components().policies, 103, checked=True).play(0, 200)


@pytest.mark.parametrize("kind", INTERVALS)
@pytest.mark.parametrize("name", EFFECTS)
def test_a_known_effect_is_covered_as_often_as_claimed(effects, ends, name, kind):
    least, most = limits(effects[name].chance)
    assert least <= covered(ends[kind, name], effects[name].truth) <= most


@pytest.mark.parametrize("kind", INTERVALS)
def test_all_effects_pooled_are_covered_as_often_as_claimed(effects, ends, kind):
    """The rows are played with different seeds, so they are independent."""
    least, most = limits(*(each.chance for each in effects.values()))
    assert least <= sum(covered(ends[kind, name], each.truth) for name, each in effects.items()) <= most


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
    first, second = (
        [studies_of(in_turn(each)) for each in seats_of(experiment, STUDIES * GAMES, *NULL_COLUMNS)]
        for experiment in (Experiment(policies="random", seed=seed) for seed in (109, 110))
    )
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
    """Looks from 300 games on, every 20 games, at four rows, until the widest interval is ± 1.5 VP (`--until`)."""
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
