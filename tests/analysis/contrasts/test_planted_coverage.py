"""In synthetic studies planted points, Thalers and nulls are covered, and families and looks keep their rate.

`test_contrast.py` has the same for paired runs. Here both runs have luck of their own, effects may be Thalers that are
turned into points, and estimates are means of blocks as the studies print them.
"""

from math import sqrt

import numpy as np
import pytest

from tests.analysis.contrasts.binomial_limits import limits
from tests.analysis.contrasts.planted_runs import contrast
from wallsim.analysis.precision import Headline, Precision, Row
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import benjamini_hochberg, holm, p_value

pytestmark = pytest.mark.slow
STUDIES, GAMES, BLOCK, ROWS = 2000, 240, 8, 8
MANY = 8000  # studies of one interval: the share that holds then has a standard error of a quarter of a per cent
ALLOWED = 0.05


def points_of(rng, games, thalers=0, points=0):
    """Whole victory points of a seat that builds a post, one point, for every Thaler of its purse; [games].

    The purse is what was earned by chance and what it was given, and there are sites for all of it.
    """
    purse = rng.poisson(4, games) + thalers
    return np.round(rng.normal(45, 6, games)) + purse + points


PLANTED = {"a point": {"points": 1}, "a Thaler": {"thalers": 1}, "nothing": {}}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_was_planted_is_covered_in_94_to_96_of_100_studies(name):
    """By intervals over games, as `wallsim compare` prints them, and over means of blocks, as the studies do."""
    rng, truth, held = np.random.default_rng([61, *name.encode()]), float(bool(PLANTED[name])), np.zeros(2)
    for _ in range(MANY):
        first, second = points_of(rng, GAMES), points_of(rng, GAMES, **PLANTED[name])
        made = contrast("vp", "treated seat", "", first, second, np.ones(GAMES))
        blocks = block_mean((second - first).reshape(-1, BLOCK).mean(axis=1))
        held += [low <= truth <= high for low, high in (made.interval(Confidence()), blocks.interval(Confidence()))]
    assert (held >= 0.94 * MANY).all()
    assert (held <= 0.96 * MANY).all()


@pytest.fixture(scope="module")
def families():
    """Studies of eight rows that share luck, every other one with an effect of 0.25 of a standard deviation."""
    rng, truth = np.random.default_rng(62), np.arange(ROWS) % 2 * 0.25
    luck = rng.normal(0, 1, (STUDIES, 1, GAMES))
    values = truth[:, None] + sqrt(0.5) * (luck + rng.normal(0, 1, (STUDIES, ROWS, GAMES)))
    return truth, [[block_mean(row) for row in study] for study in values]


def test_the_intervals_of_a_family_hold_together_in_95_of_100_studies(families):
    truth, studies = families
    confidence = Confidence(n_comparisons=ROWS)
    together = 0
    for study in studies:
        ends = [row.interval(confidence) for row in study]
        together += all(low <= one <= high for (low, high), one in zip(ends, truth, strict=True))
    assert together >= limits(STUDIES, 1 - ALLOWED)[0]


def test_where_some_effects_are_there_the_others_are_claimed_no_more_often_than_allowed(families):
    """Holm: any false claim in at most 5 of 100 studies; Benjamini and Hochberg: 5 of 100 claims on average."""
    truth, studies = families
    confidence, null = Confidence(n_comparisons=ROWS), truth == 0
    any_false, shares, result = 0, [], 0
    for study in studies:
        p_values = [p_value(row, confidence) for row in study]
        any_false += holm(p_values)[null].min() <= ALLOWED
        claimed = benjamini_hochberg(p_values) <= ALLOWED
        shares.append((claimed & null).sum() / max(1, claimed.sum()))
        result += (claimed & ~null).sum()
    assert any_false <= limits(STUDIES, ALLOWED)[1]
    assert np.mean(shares) <= ALLOWED + 3.29 * np.std(shares) / sqrt(STUDIES)
    assert result > 0.5 * STUDIES * (~null).sum()  # who never claims anything keeps any rate


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PLANTED)
def test_who_stops_when_it_is_precise_enough_misses_what_was_planted_in_at_most_5_of_100_studies(name):
    """Three rows, looked at from 300 games on until the widest interval is ± 1 (`--until`), each miss of any row."""
    rng, truth, most, reached, missed = (
        np.random.default_rng([63, *name.encode()]),
        float(bool(PLANTED[name])),
        3000,
        0,
        0,
    )
    for _ in range(STUDIES):
        changes = [points_of(rng, most, **PLANTED[name]) - points_of(rng, most) for _ in range(3)]
        games = 300
        while not (result := _headline(changes, games)).reached and games < most:
            games = min(most, games + max(50, games // 3))
        reached += result.reached
        missed += any(not low <= truth <= high for low, high in map(result.interval, result.rows))
    assert reached > 0.9 * STUDIES
    assert missed <= ALLOWED * STUDIES


def _headline(changes, games):
    """The rows at a look."""
    return Headline(Precision("vp", 1.0), tuple(Row("", "", block_mean(each[:games])) for each in changes))
