"""Shares of skill and luck are those that were planted, whatever the design hides."""

import numpy as np
import polars as pl
import pytest

from tests.analysis.planted import frame
from tests.refusals import refused
from wallsim.analysis.tournament.skill import notes_of, skill

POLICY, LINEUP, SEAT = np.linspace(-3, 3, 6), np.array([2.0, 0, -1, -1]), np.array([1.0, 0, 0, -1])
CARDS, CHANCE = 3.0, 4.0  # standard deviations


def suits():
    """How policies suit line-ups: adds up to zero over both."""
    table = np.random.default_rng(0).normal(0, 1.5, (6, 4))
    table -= table.mean(axis=0)
    return table - table.mean(axis=1, keepdims=True)


def planted(seed, blocks=60, games=12, *, size=1.0, cards=CARDS, rotate=True, lineups=True):
    """Additive results of known variances, and those variances by name; points in thousandths."""
    rng, total = np.random.default_rng(seed), blocks * games
    policy = np.argsort(rng.random((total, 6)), axis=1)[:, :4]
    lineup = np.argsort(rng.random((total, 4)), axis=1) if rotate else np.tile(np.arange(4), (total, 1))
    worth = size * (POLICY[policy] + suits()[policy, lineup]) + LINEUP[lineup] + SEAT
    worth = worth + np.repeat(rng.normal(0, cards, (blocks, 4)), games, axis=0) + rng.normal(0, CHANCE, (total, 4))
    names = pl.Series([f"L{number}" for number in lineup.ravel()]) if lineups else pl.lit(None, pl.String)
    rows = frame(policy, worth, games).with_columns(vp=pl.Series(np.round(1000 * worth).ravel()), lineup=names)
    # Policies and line-ups of a table are drawn without replacement.
    same = (suits() ** 2).sum() / 24
    return rows, {
        "policy": size**2 * POLICY.var(ddof=1),
        "line-up": LINEUP.var(ddof=1),
        "seat": SEAT.var(ddof=1),
        "policy × line-up": size**2 * same * (1 - 1 / 15),
        "cards": cards**2,
        "chance": CHANCE**2,
    }


def test_planted_shares_come_back_and_lie_in_their_intervals():
    rows, truth = planted(seed=1, blocks=240)
    estimate = skill(rows, resamples=300)
    assert [part.name for part in estimate.parts] == list(truth)
    everything = sum(truth.values())
    for part in estimate.parts:
        assert part.interval[0] < truth[part.name] / everything < part.interval[1]
        assert part.variance / 1e6 == pytest.approx(truth[part.name], abs=2)
        assert part.interval[1] - part.interval[0] < 0.3
    assert sum(part.share for part in estimate.parts) == pytest.approx(1)
    assert abs(estimate.overlap) < 0.05
    assert (estimate.players, estimate.blocks, estimate.games, estimate.notes) == (4, 240, 2880, ())


def test_estimates_are_right_in_the_mean_over_many_small_tournaments():
    """Without the correction for errors of the effects, policy × line-up would come out several times too large."""
    estimate = []
    for seed in range(60):
        rows, truth = planted(seed, blocks=30, games=6)
        estimate.append([part.variance / 1e6 for part in skill(rows, resamples=2).parts])
    mean, error = np.mean(estimate, axis=0), np.std(estimate, axis=0) / np.sqrt(60)
    assert np.abs((mean - np.array([*truth.values()])) / error).max() < 3.5
    assert error[3] < 0.1


def test_parts_that_are_not_there_are_zero_in_the_mean():
    estimate = [
        [part.share for part in skill(planted(seed, blocks=30, games=6, size=0.0, cards=0.0)[0], resamples=2).parts]
        for seed in range(60)
    ]
    mean, error = np.mean(estimate, axis=0), np.std(estimate, axis=0) / np.sqrt(60)
    for place in (0, 3, 4):  # policy, policy × line-up, cards
        assert abs(mean[place]) < 3.5 * error[place]
        assert abs(mean[place]) < 0.01


def test_equal_games_of_a_block_count_as_cards_not_as_chance():
    rows, _ = planted(seed=3, cards=12.0)
    estimate = skill(rows, resamples=2)
    assert estimate.share("cards") > 0.75
    lone = rows.with_columns(block=pl.col("game"))
    apart = skill(lone, resamples=2)
    assert [part.name for part in apart.parts] == [part.name for part in estimate.parts if part.name != "cards"]
    assert apart.share("chance") == pytest.approx(estimate.share("cards") + estimate.share("chance"), abs=0.02)
    assert "share their cards" in apart.notes[-1]
    assert notes_of([part.name for part in apart.parts]) == apart.notes


def replayed(seed, blocks=80):
    """Blocks of six games whose last two were played under a number, hence cards, of their own."""
    rows, truth = planted(seed, blocks, games=6, cards=0.0)
    number = pl.col("block") + 1000 * (pl.col("game") % 6 >= 4).cast(pl.Int64)
    luck = np.random.default_rng(seed + 999).normal(0, CARDS, (2 * 1000, 4))
    points = luck[rows.select(number)["block"].to_numpy(), rows["seat"].to_numpy()]
    return rows.with_columns(number=number, vp=pl.col("vp") + pl.Series(1000 * points)), {**truth, "cards": CARDS**2}


def test_only_games_of_one_number_share_their_cards():
    estimate, blind = [], []
    for seed in range(40):
        rows, truth = replayed(seed)
        estimate.append([part.variance / 1e6 for part in skill(rows, resamples=2).parts])
        blind.append(skill(rows.drop("number"), resamples=2).parts[4].variance / 1e6)
    mean, error = np.mean(estimate, axis=0), np.std(estimate, axis=0) / np.sqrt(40)
    assert np.abs((mean - np.array([*truth.values()])) / error).max() < 3.5
    assert np.mean(blind) < 0.6 * CARDS**2  # 7 of 15 pairs share their cards


def test_numbers_that_are_the_blocks_change_nothing_and_a_number_for_each_game_leaves_no_cards():
    rows, _ = planted(seed=3, blocks=40)
    same = skill(rows.with_columns(number=pl.col("block") * 7 + 1), resamples=2)
    assert same == skill(rows, resamples=2)
    assert "cards" not in [part.name for part in skill(rows.with_columns(number=pl.col("game")), resamples=2).parts]


def test_lineups_that_keep_their_seats_are_one_part_with_them():
    rows, truth = planted(seed=4, rotate=False)
    estimate = skill(rows, resamples=50)
    one, _, _, *others = truth
    assert [part.name for part in estimate.parts] == [one, "line-up and seat", *others]
    both = (LINEUP + SEAT).var(ddof=1)
    # The cards of a seat are those of its line-up here, and 60 blocks bend the part by some of their luck.
    assert estimate.parts[1].variance / 1e6 == pytest.approx(both, abs=1.5)
    assert "are confounded" in estimate.notes[0]
    assert notes_of([part.name for part in estimate.parts]) == estimate.notes


def test_a_draft_has_seats_alone():
    rows, _ = planted(seed=5, lineups=False)
    names = [part.name for part in skill(rows, resamples=2).parts]
    assert names == ["policy", "seat", "cards", "chance"]
    assert [part.name for part in skill(rows.drop("lineup"), resamples=2).parts] == names


def test_a_policy_that_lacks_a_lineup_leaves_how_they_suit_to_chance():
    rows, _ = planted(seed=6)
    lacking = (pl.col("policy") == "p0") & (pl.col("lineup") == "L3")
    estimate = skill(rows.filter(~lacking.any().over("game")), resamples=2)
    assert [part.name for part in estimate.parts] == ["policy", "line-up", "seat", "cards", "chance"]
    assert "some line-up" in estimate.notes[0]
    assert notes_of([part.name for part in estimate.parts]) == estimate.notes


@pytest.mark.parametrize("result", ["win", "rank"])
def test_wins_and_places_can_be_split_too(result):
    rows, _ = planted(seed=7)
    estimate = skill(rows, result, resamples=50)
    assert estimate.share("policy") > 0.05
    if result == "win":  # one win in four without ties: 3/16 each, times 4/3
        assert estimate.total == pytest.approx(0.25)


def test_the_order_of_the_rows_changes_nothing_and_a_seed_repeats():
    rows, _ = planted(seed=8, blocks=80)
    one, other = (
        skill(frame, resamples=60, seed=2) for frame in (rows, rows.sample(fraction=1.0, shuffle=True, seed=1))
    )
    assert one == other
    assert one.parts[0].interval != skill(rows, resamples=60, seed=3).parts[0].interval


def test_points_that_all_seats_of_a_game_share_change_nothing():
    rows, _ = planted(seed=9, blocks=35)
    lifted = rows.with_columns(vp=pl.col("vp") + 5000 * (pl.col("game") % 7))
    for one, other in zip(skill(rows, resamples=2).parts, skill(lifted, resamples=2).parts, strict=True):
        assert other.variance == pytest.approx(one.variance)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (
            lambda rows: rows.with_columns(policy=pl.format("p{}", "seat")),
            ["cannot distinguish", "policy, line-up, seat"],
        ),
        (lambda rows: rows.with_columns(vp=3), ["never differ"]),
        (
            lambda rows: rows.filter((pl.col("game") != 3) | (pl.col("seat") != 3)).with_columns(rank=pl.lit(1)),
            ["3 and 4"],
        ),
        (lambda rows: rows.with_columns(seat=pl.col("seat") + pl.col("game") % 2), ["same seats"]),
        (lambda rows: rows.with_columns(number=pl.lit(None, pl.Int64)), ["number", "without a value"]),
    ],
)
def test_designs_that_cannot_answer_and_other_results_are_refused(change, names):
    rows, _ = planted(seed=1, blocks=5)
    with refused(*names):
        skill(change(rows), resamples=2)
    with refused("'luck'", "vp, win, rank"):
        skill(rows, "luck")


@pytest.mark.slow
def test_intervals_cover_the_planted_shares_as_often_as_they_say():
    hits = 0
    for seed in range(100):
        rows, truth = planted(seed, blocks=150, games=6)
        everything = sum(truth.values())
        parts = skill(rows, resamples=200).parts
        hits += all(part.interval[0] < truth[part.name] / everything < part.interval[1] for part in parts)
    assert 0.88 < hits / 100 <= 1
