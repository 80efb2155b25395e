"""A pay-off matrix is that of the pairs at one table, and finds planted cycles and no others."""

import numpy as np
import polars as pl
import pytest

from tests.analysis.planted import frame, planted_rows
from tests.refusals import refused
from wallsim.analysis.tournament.payoffs import cycles, payoffs, upsets
from wallsim.analysis.tournament.ratings import rate
from wallsim.stats.intervals import Confidence, wilson

THREE = Confidence(n_comparisons=3)
RING = np.array([[0, 1, -1, 0], [-1, 0, 1, 0], [1, -1, 0, 0], [0, 0, 0, 0]]) * 0.7


def test_shares_and_margins_are_those_of_a_naive_count():
    rows = planted_rows([0.8, 0, -0.4, 0.1], 40, seed=3, twice=True).with_columns(
        rank=pl.when(pl.col("rank") == 2).then(1).otherwise("rank").cast(pl.Int8)
    )  # so that there are ties
    result = payoffs(rows)
    seen = {}
    for _, game in rows.group_by("game"):
        for one in game.iter_rows(named=True):
            for other in game.iter_rows(named=True):
                if one["policy"] != other["policy"]:
                    half = 0.5 * (one["rank"] <= other["rank"]) + 0.5 * (one["rank"] < other["rank"])
                    entry = (half, one["vp"] - other["vp"], one["game"])
                    seen.setdefault((one["policy"], other["policy"]), []).append(entry)
    assert len(seen) == 12
    for (one, other), cases in seen.items():
        i, j = result.policies.index(one), result.policies.index(other)
        assert result.before[i, j] == pytest.approx(np.mean([case[0] for case in cases]))
        assert result.margin[i, j] == pytest.approx(np.mean([case[1] for case in cases]))
        assert result.games[i, j] == len({case[2] for case in cases})
    assert np.isnan(np.diag(result.before)).all()


def test_the_interval_of_a_lone_pair_is_that_of_a_mean_over_blocks():
    rng = np.random.default_rng(5)
    blocks = rng.random(200) < 0.6  # the games of a block all end the same way
    worth = np.repeat(np.where(blocks[:, None], [1.0, 0.0], [0.0, 1.0]), 5, axis=0)
    result = payoffs(frame(np.tile([0, 1], (1000, 1)), worth, games=5))
    half = Confidence().t(200) * blocks.std(ddof=1) / np.sqrt(200)
    assert result.before[0, 1] == pytest.approx(blocks.mean())
    assert result.before_high[0, 1] - result.before[0, 1] == pytest.approx(half)
    assert result.margin_low[0, 1] == pytest.approx(-result.margin_high[1, 0])
    assert result.pairs == 1


def always(blocks):
    """Tables of three where p0 comes before p1, and that before p2, block for block."""
    return frame(np.tile([0, 1, 2], (blocks, 1)), np.tile([2.0, 1.0, 0.0], (blocks, 1)), games=1)


def test_a_pair_that_always_ends_the_same_way_has_wilsons_interval_but_in_few_blocks():
    result = payoffs(always(THREE.min_blocks))
    low, high = wilson(1.0, THREE.min_blocks, THREE.z)
    assert (result.before_low[0, 1], result.before_high[0, 1]) == (low, high)
    assert (result.before_low[1, 0], result.before_high[1, 0]) == pytest.approx((1 - high, 1 - low))
    assert np.isnan(result.margin_low[0, 1])
    assert result.beats.tolist() == np.triu(np.ones((3, 3), bool), 1).tolist()
    assert [upset.lower for upset in upsets(result, ("p1", "p0", "p2"))] == ["p0"]
    few = payoffs(always(THREE.min_blocks - 1))
    assert np.isnan(few.before_low).all()
    assert not few.beats.any()


def test_the_order_asked_for_is_the_order_given_and_others_are_refused():
    rows = planted_rows([0.8, 0, -0.4, 0.1], 40, seed=3)
    plain, turned = payoffs(rows), payoffs(rows, ("p2", "p0", "p3", "p1"))
    assert turned.before[0, 1] == plain.before[2, 0]
    assert turned.games[2, 3] == plain.games[3, 1]
    with refused("p0, p1;", "p0, p1, p2, p3"):
        payoffs(rows, ("p0", "p1"))


def test_a_planted_cycle_is_found_in_its_direction_and_once():
    rows = planted_rows(np.zeros(4), 300, seed=4, players=2, edge=RING)
    result = cycles(payoffs(rows), rate(rows, resamples=20).policies)
    assert len(result) == 1
    first = result[0].policies
    assert [int(name[1]) for name in first] in ([0, 1, 2], [1, 2, 0], [2, 0, 1])
    assert min(result[0].shares) > 0.6


def test_a_policy_that_beats_one_above_it_is_an_upset():
    edge = np.zeros((4, 4))
    edge[2, 0], edge[0, 2] = 0.8, -0.8
    rows = planted_rows([1.0, 0.6, 0.0, -1.0], 400, seed=5, players=2, edge=edge)
    ladder = rate(rows, resamples=20).policies
    assert ladder.index("p0") < ladder.index("p2")
    (result,) = [upset for upset in upsets(payoffs(rows), ladder) if upset.lower == "p2"]
    assert result.higher == "p0"
    assert result.before > result.interval[0] > 0.5
    # Turned round, every significant pair but that one stands against the ladder.
    backward = upsets(payoffs(rows), ladder[::-1])
    assert {(upset.lower, upset.higher) for upset in backward} >= {("p0", "p3"), ("p1", "p3")}
    assert [upset.before for upset in backward] == sorted((upset.before for upset in backward), reverse=True)


def test_games_of_the_model_seldom_show_a_cycle_or_an_upset():
    wrong = 0
    for seed in range(40):
        rows = planted_rows([0.3, 0.1, -0.1, -0.3], 60, seed=seed)
        ladder = ("p0", "p1", "p2", "p3")
        result = payoffs(rows, ladder)
        assert not cycles(result, ladder)
        wrong += bool(upsets(result, ladder))
    assert wrong <= 4  # 5 % by the joint level, and less since the planted shares are not one half


def test_pairs_that_never_met_have_no_entry():
    one = planted_rows([0, 0], 40, seed=1, players=2)
    names = {"p0": "p1", "p1": "p2"}
    other = planted_rows([0, 0], 40, seed=2, players=2).with_columns(
        pl.col("policy").replace(names), pl.col("game") + 999
    )
    result = payoffs(pl.concat([one, other]))
    assert (result.pairs, result.games[0, 2]) == (2, 0)
    assert np.isnan(result.before[0, 2])
    assert np.isnan(result.before_low[0, 2])
