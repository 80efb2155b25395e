"""A ladder finds planted strengths, says how sure it is by blocks, and whether the model fits."""

import numpy as np
import polars as pl
import pytest

from tests.analysis.planted import frame, planted_rows
from tests.refusals import assert_names, refused
from wallsim.analysis.tournament.ratings import expected_before, rate
from wallsim.stats.bootstrap import simultaneous_half_widths
from wallsim.stats.rankings import rankings

TRUTH = np.array([0.9, 0.3, -0.2, -1.0])


@pytest.fixture(scope="module")
def rows():
    """Tables of three among four policies: 300 blocks of 4 games."""
    return planted_rows(TRUTH, 300, seed=11, players=3)


def test_planted_strengths_lie_in_their_intervals_in_the_order_of_the_ladder(rows):
    result = rate(rows, resamples=200)
    assert result.policies == ("p0", "p1", "p2", "p3")
    for rating, truth in zip(result.ladder, TRUTH - TRUTH.mean(), strict=True):
        assert rating.interval[0] < truth < rating.interval[1]
        assert rating.interval[1] - rating.interval[0] < 0.5
    assert result.strengths.sum() == pytest.approx(0, abs=1e-9)
    assert (result.games, result.blocks, result.players, result.fair) == (1200, 300, (3,), pytest.approx(1 / 3))
    assert result.notes == ()


def test_counts_shares_and_points_are_those_of_the_rows(rows):
    for rating in rate(rows, resamples=20).ladder:
        own = rows.filter(pl.col("policy") == rating.policy)
        assert (rating.games, rating.seats) == (own["game"].n_unique(), own.height)
        assert rating.blocks == own["block"].n_unique()
        assert rating.win_share == pytest.approx(own["win"].mean())
        assert rating.vp == pytest.approx(own["vp"].mean())
        assert rating.win_interval[0] < rating.win_share < rating.win_interval[1]


def test_two_policies_have_the_logit_of_their_share_and_an_interval_by_blocks():
    rng = np.random.default_rng(3)
    coins = rng.random(4000) < 0.7
    worth = np.where(coins[:, None], [1.0, 0.0], [0.0, 1.0])
    rows = frame(np.tile([0, 1], (4000, 1)), worth, games=10)
    result = rate(rows, resamples=400)
    share = coins.mean()
    assert result.ladder[0].strength * 2 == pytest.approx(np.log(share / (1 - share)), abs=1e-8)
    # The error of a logit is 1 / sqrt(n p q), of which each policy has a half; both deviate as one, so z is 1.96.
    reach = result.ladder[0].interval[1] - result.ladder[0].strength
    assert reach == pytest.approx(1.96 / 2 / np.sqrt(4000 * share * (1 - share)), rel=0.15)
    assert result.fit.chance is None  # one strength for one share cannot fail


def test_games_that_copy_each_other_in_a_block_add_nothing(rows):
    copies = pl.concat([rows.with_columns(game=pl.col("game") + 10_000 * copy) for copy in range(4)])
    once, often = rate(rows, resamples=200), rate(copies, resamples=200)
    assert often.games == 4 * once.games
    for one, other in zip(once.ladder, often.ladder, strict=True):
        assert other.strength == pytest.approx(one.strength, abs=1e-8)
        assert other.interval == pytest.approx(one.interval, abs=1e-6)
        assert other.win_interval == pytest.approx(one.win_interval)


def test_the_order_of_the_rows_changes_nothing_and_a_seed_repeats(rows):
    one = rate(rows, resamples=50, seed=4)
    other = rate(rows.sample(fraction=1.0, shuffle=True, seed=8), resamples=50, seed=4)
    assert one.ladder == other.ladder
    assert np.array_equal(one.samples, other.samples)
    assert not np.array_equal(one.samples, rate(rows, resamples=50, seed=5).samples)


def test_names_as_categories_are_names(rows):
    names = pl.Enum(["p3", "p2", "p1", "p0", "nobody"])
    assert rate(rows.with_columns(pl.col("policy").cast(names)), resamples=20).ladder == rate(rows, resamples=20).ladder


def test_neighbours_alike_are_in_doubt_and_others_are_not():
    result = rate(planted_rows([1.0, 0.0, 0.0, -1.0], 200, seed=5), resamples=300)
    assert result.policies[0] == "p0"
    assert result.ladder[0].above_next == 1
    assert 0.5 <= result.ladder[1].above_next < 0.999
    assert result.ladder[3].above_next is None


def test_few_blocks_give_strengths_without_intervals():
    result = rate(planted_rows(TRUTH, 29, seed=2, games=20), resamples=20)
    assert all(rating.interval is None and rating.win_interval is None for rating in result.ladder)
    assert result.fit.departure is None
    assert_names(result.notes[0], "63 blocks", "29")


def test_one_that_always_wins_has_no_interval_but_a_note_and_the_others_keep_theirs():
    rows = planted_rows([60.0, 0.5, 0.0, -0.5], 100, seed=6)
    result = rate(rows, resamples=100)
    assert result.policies[0] == "p0"
    assert (result.ladder[0].open, result.ladder[0].interval) == ("upwards", None)
    assert "p0 never finished behind" in result.notes[0]
    for rating, truth in zip(result.ladder[1:], (0.5, 0.0, -0.5), strict=True):
        assert rating.interval[0] < truth < rating.interval[1]


def test_policies_twice_at_a_table_are_rated_alike():
    result = rate(planted_rows(TRUTH, 400, seed=7, twice=True), resamples=100)
    for rating, truth in zip(result.ladder, TRUTH - TRUTH.mean(), strict=True):
        assert rating.interval[0] < truth < rating.interval[1]


def test_tables_of_several_sizes_are_rated_together():
    small = planted_rows(TRUTH, 100, seed=8, players=3)
    large = planted_rows(TRUTH, 100, seed=9, players=4).with_columns(pl.col("game") + 9999, pl.col("block") + 9999)
    result = rate(pl.concat([small, large]), resamples=50)
    assert result.players == (3, 4)
    assert result.blocks == 200
    assert result.fair == pytest.approx(800 / 2800)


def test_the_model_fits_its_own_games_and_not_those_with_an_edge():
    edge = np.zeros((4, 4))
    for k in range(3):
        edge[k, (k + 1) % 3], edge[(k + 1) % 3, k] = 0.8, -0.8
    own = [rate(planted_rows(np.zeros(4), 100, seed=seed), resamples=100).fit for seed in range(40)]
    bent = rate(planted_rows(np.zeros(4), 300, seed=1, players=2, edge=edge), resamples=200).fit
    assert sum(fit.chance < 0.05 for fit in own) <= 6
    assert 0.3 < np.mean([fit.chance for fit in own]) < 0.7
    assert np.mean([fit.departure for fit in own]) < 0.02
    assert bent.chance < 0.01
    assert bent.departure > 0.05
    assert bent.pairs == 6
    one, other, seen, expected = bent.largest
    assert (int(one[1]) + 1) % 3 == int(other[1])
    assert seen > expected


def test_expected_shares_are_those_of_two_alone():
    assert expected_before(np.array([np.log(3), 0.0]))[0, 1] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("blocks", "quantiles"),
    [
        ([10**6] * 3, [2.388] * 3),  # 0.95 ** (1 / 3) two-sided
        # The t quantile of 11 degrees at that tail, by sqrt(12 / 11): resampling makes errors too small.
        ([12, 12, 10**6], [2.810 * 1.0445, 2.810 * 1.0445, 2.388]),
    ],
)
def test_a_simultaneous_half_width_is_that_of_the_largest_of_independent_deviations(blocks, quantiles):
    deviations = np.array([1.0, 2.0, 5.0])
    samples = np.random.default_rng(1).normal(0, deviations, (20_000, 3))
    reach = simultaneous_half_widths(samples, np.zeros(3), 0.95, np.array(blocks))
    assert reach == pytest.approx(deviations * quantiles, rel=0.03)
    assert simultaneous_half_widths(np.ones((50, 3)), np.ones(3), 0.95, np.array(blocks)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (lambda rows: rows.drop("rank"), ["column rank"]),
        (lambda rows: rows.clear(), ["no games"]),
        (lambda rows: rows.with_columns(policy=pl.lit("only")), ["only", "at least two"]),
        (lambda rows: rows.filter(pl.col("seat") == 0), ["one seat"]),
        (lambda rows: rows.with_columns(block=pl.col("seat")), ["two blocks"]),
        (lambda rows: rows.with_columns(seat=0), ["one seat", "two rows"]),
        (lambda rows: rows.with_columns(rank=1 + pl.col("rank")), ["ranks"]),
        (lambda rows: rows.with_columns(vp=pl.lit(None, pl.Int64)), ["vp", "without a value"]),
    ],
)
def test_bad_rows_are_refused_with_what_is_wrong(rows, change, names):
    with refused(*names):
        rate(change(rows), resamples=10)


def test_games_fill_tables_seat_by_seat():
    small = frame(np.array([[1, 0]]), np.array([[1.0, 2.0]]), 1)
    large = frame(np.array([[0, 1, 1]]), np.array([[5.0, 5.0, 1.0]]), 1).with_columns(
        pl.col("game") + 7, pl.col("block") + 3
    )
    result = rankings(pl.concat([large, small]))
    assert result.policy.tolist() == [[1, 0, -1], [0, 1, 1]]
    assert result.rank.tolist() == [[2, 1, 0], [1, 1, 3]]
    assert result.win.tolist() == [[0, 1, 0], [0.5, 0.5, 0]]
    assert (result.blocks, result.block.tolist(), result.players) == (2, [0, 1], (2, 3))


@pytest.mark.slow
def test_intervals_cover_all_planted_strengths_at_once_as_often_as_they_say():
    """Blocks with luck of the seats, so that their games hang together."""
    hits, each = 0, 200
    for seed in range(each):
        # The seats' luck shrinks strengths that differ, so all are planted equal: then the truth is 0 for each.
        result = rate(planted_rows(np.zeros(4), 64, seed=seed, games=4, players=3, noise=1.0), resamples=200)
        hits += all(rating.interval[0] < 0 < rating.interval[1] for rating in result.ladder)
    assert 0.90 < hits / each < 0.98
