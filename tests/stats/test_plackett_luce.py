"""Plackett-Luce strengths are those of the largest likelihood, whatever ties, repeats and lopsided results come."""

from itertools import permutations, product
from math import exp, log

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.refusals import refused
from wallsim.stats.plackett_luce import fit, log_likelihood, maximise, maximise_all, stages_of, win_chance


def fitted(orders, weights, policies):
    """Strengths from orders of single policies or tied groups."""
    groups = [tuple(place if isinstance(place, tuple) else (place,) for place in order) for order in orders]
    return fit(stages_of(groups, policies).tally(np.array(weights, float)))


def naive_log_likelihood(orders, weights, strengths):
    """Written out: an average over the orders of the tied, each a product of choices."""
    total = 0.0
    for order, weight in zip(orders, weights, strict=True):
        ways = list(product(*(permutations(group) for group in order)))
        for way in ways:
            line = [policy for group in way for policy in group]
            for place, policy in enumerate(line):
                left = sum(exp(strengths[other]) for other in line[place:])
                total += weight / len(ways) * (strengths[policy] - log(left))
    return total


MIXED = [
    ((0,), (1,), (2,), (3,)),
    ((3,), (1, 2), (0,)),
    ((1, 2, 0),),
    ((2,), (2,), (0,)),
    ((0, 2), (3, 1)),
    ((2,), (3,)),
]
MIXED_WEIGHTS = [3.0, 2.0, 1.5, 1.0, 4.0, 0.25]


def test_the_likelihood_is_that_of_the_choices_written_out():
    stages = stages_of(MIXED, 4)
    for strengths in np.random.default_rng(2).normal(0, 1.5, (5, 4)):
        seen = stages.tally(np.array(MIXED_WEIGHTS))
        naive = naive_log_likelihood(MIXED, MIXED_WEIGHTS, strengths)
        # A singleton of a policy's own seats is a choice without doubt, worth only a constant.
        even = naive_log_likelihood(MIXED, MIXED_WEIGHTS, np.zeros(4)) - log_likelihood(seen, np.zeros(4))[0]
        assert log_likelihood(seen, strengths)[0] == pytest.approx(naive - even, abs=1e-10)


def test_gradient_and_second_derivatives_agree_with_finite_differences():
    seen = stages_of(MIXED, 4).tally(np.array(MIXED_WEIGHTS))
    at, step = np.array([0.4, -1.0, 0.3, 2.0]), 1e-5
    _, gradient, curve = log_likelihood(seen, at)
    for k, unit in enumerate(np.eye(4) * step):
        up, down = log_likelihood(seen, at + unit), log_likelihood(seen, at - unit)
        assert gradient[k] == pytest.approx((up[0] - down[0]) / (2 * step), abs=1e-6)
        assert curve[k] == pytest.approx((up[1] - down[1]) / (2 * step), abs=1e-6)


@pytest.mark.parametrize(
    ("orders", "weights", "gap"),
    [
        ([(0, 1), (1, 0)], [30, 10], log(3)),
        ([(0, 1), (1, 0)], [1.5, 0.5], log(3)),
        ([(0, 1), (1, 0), ((0, 1),)], [30, 10, 20], log(40 / 20)),  # a tie is half a win for each
        ([((0, 1),)], [7], 0.0),
    ],
)
def test_two_policies_have_the_logit_of_the_share_of_wins(orders, weights, gap):
    result = fitted(orders, weights, 2)
    assert result.values == pytest.approx([gap / 2, -gap / 2], abs=1e-9)
    assert result.bounded.all()


@pytest.mark.parametrize("orders", [MIXED, [*permutations(((0,), (1,), (2,)))]])
def test_no_other_strengths_are_likelier(orders):
    weights = np.arange(1.0, len(orders) + 1)
    policies = 1 + max(policy for order in orders for group in order for policy in group)
    result = fit(stages_of(orders, policies).tally(weights)).values
    search = minimize(
        lambda free: -naive_log_likelihood(orders, weights, [0, *free]), np.zeros(policies - 1), tol=1e-12
    )
    best = np.r_[0, search.x]
    assert result == pytest.approx(best - best.mean(), abs=1e-4)


def test_a_table_of_one_policy_alone_says_nothing():
    orders, weights = [(0, 1, 2), (2, 1, 0), (1, 0, 2)], [5, 3, 2]
    with_copies = fitted([*orders, (0, 0, 0)], [*weights, 50], 3)
    assert with_copies.values == pytest.approx(fitted(orders, weights, 3).values, abs=1e-9)


def test_a_policy_twice_at_a_table_is_two_seats_of_its_strength():
    # Two seats of 0 against one of 1: the first place goes to 1 with chance e^b / (2 e^a + e^b).
    result = fitted([(1, 0, 0), (0, 1, 0), (0, 0, 1)], [50, 25, 25], 2)
    seen = np.linspace(-1, 2, 3001)
    chances = [
        (exp(g) / (2 + exp(g)), 2 / (2 + exp(g)) * exp(g) / (1 + exp(g)), 2 / (2 + exp(g)) / (1 + exp(g))) for g in seen
    ]
    best = seen[np.argmax(np.log(chances) @ [50, 25, 25])]
    assert result.values[1] - result.values[0] == pytest.approx(best, abs=2e-3)


def test_planted_strengths_come_back():
    rng, truth = np.random.default_rng(4), np.array([1.0, 0.5, 0.0, -0.3, -1.2])
    orders = np.argsort(-(truth + rng.gumbel(size=(20_000, 5))), axis=1)[:, :4]  # the last is never looked at
    distinct, counts = np.unique(orders, axis=0, return_counts=True)
    # Who is left out of the first four is not given, so a table of five is cut to those who were seen.
    result = fitted([tuple(order) + tuple({*range(5)} - set(order)) for order in distinct.tolist()], counts, 5)
    assert result.values == pytest.approx(truth - truth.mean(), abs=0.05)


def test_one_that_never_loses_or_never_wins_is_bounded_on_one_side_and_the_others_keep_their_strengths():
    result = fitted([(0, 1, 2, 3), (0, 2, 1, 3)], [30, 10], 4)
    assert result.side.tolist() == [1, 0, 0, -1]
    assert np.isfinite(result.values).all()
    assert result.values[0] > 2 > -2 > result.values[3]
    assert result.values[1:3].sum() == pytest.approx(0, abs=1e-12)  # mean zero over the bounded ones
    assert 0.8 < result.values[1] - result.values[2] < log(3)  # drawn together a little by the prior


def test_two_that_never_swap_get_the_odds_of_half_a_game_more():
    result = fitted([(1, 0)], [10], 2)
    assert abs(result.values[1] - result.values[0]) == pytest.approx(log(10.5 / 0.5), abs=1e-9)
    assert sorted(result.side.tolist()) == [0, 1]


def test_policies_that_never_met_are_refused_by_name():
    seen = stages_of([((0,), (1,)), ((1,), (0,)), ((2,), (3,))], 4).tally(np.ones(3))
    with refused("a, b | c, d"):
        fit(seen, "abcd")


def test_the_chance_to_win_a_table_is_fair_at_strength_zero():
    assert win_chance(0.0, 4) == pytest.approx(0.25)
    assert win_chance(log(3), 4) == pytest.approx(0.5)
    assert win_chance(np.array([-50.0, 50.0]), 5) == pytest.approx([0, 1])


def test_many_tallies_at_once_have_the_strengths_of_each_alone():
    rng = np.random.default_rng(6)
    stages = stages_of(MIXED, 4)
    whole = stages.tally(np.full(len(MIXED), 20.0))
    start = fit(whole).values
    weights = rng.poisson(20, (30, len(MIXED))).astype(float)
    tallies = [stages.tally(each) for each in weights]
    chosen, used = (np.array([getattr(each, name) for each in tallies]) for name in ("chosen", "used"))
    together, result = maximise_all(stages.sets, chosen, used, start, log_likelihood(whole, start)[2])
    assert result.all()
    for strengths, each in zip(together, tallies, strict=True):
        assert strengths == pytest.approx(maximise(each), abs=1e-6)
