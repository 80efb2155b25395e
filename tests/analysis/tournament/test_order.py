"""Ladders agree as far as their orders are known to: planted orders come back, and what is open is called so."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau

from tests.analysis.planted import planted_rows
from tests.refusals import refused
from wallsim.analysis.tournament.order import same_order
from wallsim.analysis.tournament.ratings import rate

APART = np.linspace(2, -2, 5)


def ladder(strengths, seed, blocks=130, players=3, resamples=200, games=12):
    return rate(planted_rows(strengths, blocks, seed, games=games, players=players), resamples=resamples)


@pytest.fixture(scope="module")
def three():
    """Three ladders: two of one order, a third where the first two policies stand the other way round."""
    turned = APART[[1, 0, 2, 3, 4]]
    return {3: ladder(APART, 1), 4: ladder(APART, 2, players=4), 5: ladder(turned, 3, players=5)}


def test_one_order_is_known_to_be_the_same(three):
    result = same_order(three)[3, 4]
    assert (result.tau, result.interval, result.pairs) == (1.0, (1.0, 1.0), 10)
    assert (result.turned, result.open) == ((), ())
    assert result.same[:2] == (("p0", "p1"), ("p0", "p2"))


def test_a_pair_that_changes_places_is_named_in_the_order_of_the_first_ladder(three):
    result = same_order(three)
    assert list(result) == [(3, 4), (3, 5), (4, 5)]
    for pair in ((3, 5), (4, 5)):
        assert result[pair].turned == (("p0", "p1"),)
        assert result[pair].tau == pytest.approx(0.8)
        assert result[pair].interval == pytest.approx((0.8, 0.8))


def test_tau_is_kendalls(three):
    mixed = {3: three[3], 4: ladder([0.3, 2, -1, 0.5, -2], 4)}
    of = {size: dict(zip(each.policies, each.strengths, strict=True)) for size, each in mixed.items()}
    expected = kendalltau([of[3][name] for name in sorted(of[3])], [of[4][name] for name in sorted(of[3])])[0]
    assert same_order(mixed)[3, 4].tau == pytest.approx(expected)


def test_pairs_that_are_not_known_widen_the_interval_and_no_more():
    close = np.array([2.0, 0.001, 0, -2.0])
    result = same_order({"one": ladder(close, 5), "other": ladder(close, 6)})["one", "other"]
    assert [set(pair) for pair in result.open] == [{"p1", "p2"}]
    assert result.interval == pytest.approx((4 / 6, 1.0))
    assert (len(result.same), result.turned) == (5, ())


def test_only_policies_of_all_ladders_count(three):
    rows = planted_rows([1, 0, -1, 0.5], 60, 8, games=12, players=3)
    fewer = {3: three[3], 4: rate(rows, resamples=200)}
    assert same_order(fewer)[3, 4].policies == ("p0", "p1", "p2", "p3")


def test_few_blocks_and_unbounded_strengths_leave_pairs_open(three):
    few = {3: three[3], 4: ladder(APART, 2, blocks=20)}
    assert same_order(few)[3, 4].interval is None
    rows = planted_rows([9.0, 0, -1.0], 80, 7, games=4, players=3)
    never = rate(rows, resamples=200)
    assert never.ladder[0].open == "upwards"
    result = same_order({3: never, 4: never})[3, 4]
    assert list(result.open) == [("p0", "p1"), ("p0", "p2")]


def test_what_cannot_be_compared_is_refused(three):
    strangers = tuple(replace(rating, policy=f"x{rating.policy}") for rating in three[4].ladder)
    for others, names in (
        ({}, "at least two"),
        ({4: replace(three[4], ladder=strangers)}, "none on all"),
        ({4: ladder(APART, 2, resamples=50)}, "numbers of resamples"),
    ):
        with refused(names):
            same_order({3: three[3], **others})
