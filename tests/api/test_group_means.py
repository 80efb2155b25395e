"""Means by group from Python: a table of any frame's groups, and refusals that name the column."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import wallsim
from tests.naive.group_means import naive_difference, naive_mean
from tests.refusals import refused
from wallsim.stats.intervals import Confidence


def table(seed=1, blocks=80):
    """Two games a block, three seats a game; the policy `b` is 2 points better."""
    rng = np.random.default_rng(seed)
    block = np.repeat(np.arange(blocks), 6)
    policy = np.tile(["b", "a", "b", "c", "a", "c"], blocks)
    luck = rng.normal(size=blocks)[block]
    points = luck + rng.normal(size=len(block)) + 2 * (policy == "b")
    game = np.tile(np.repeat([0, 1], 3), blocks)
    return pl.DataFrame({"block": block, "game": game, "policy": policy, "size": game + 3, "vp": points})


def rows_of(frame, policy):
    """The rows of a policy as the twin takes them."""
    return frame.filter(pl.col("policy") == policy).select("block", "vp").rows()


def test_means_and_differences_have_a_row_per_group_with_the_numbers_of_the_naive_twin():
    frame = table()
    means = wallsim.means_by(frame, "vp", "policy", "block", game="game")
    assert means.columns == [
        "policy", "mean", "standard_error", "degrees_of_freedom", "low", "high", "blocks", "games", "rows",
    ]  # fmt: skip
    assert means.select("policy", "blocks", "games", "rows").rows() == [
        ("a", 80, 160, 160), ("b", 80, 80, 160), ("c", 80, 80, 160)
    ]  # fmt: skip
    differences = wallsim.differences_by(frame, "vp", "policy", "block", baseline="b")
    assert differences.select("policy", "shared_blocks").rows() == [("a", 80), ("c", 80)]
    mine = rows_of(frame, "b")
    for result, first, twin in (
        (means, "mean", naive_mean),
        (differences, "difference", lambda theirs: naive_difference(theirs, mine)),
    ):
        for row in result.iter_rows(named=True):
            value, error, degrees = twin(rows_of(frame, row["policy"]))
            low, high = Confidence(0.95, result.height).students(value, error, degrees + 1)
            found = [row[name] for name in (first, "standard_error", "degrees_of_freedom", "low", "high")]
            assert found == pytest.approx([value, error, degrees, low, high])
    assert wallsim.means_by(frame, "vp", ["size", "policy"], "block").select("size", "policy").rows() == [
        (3, "a"), (3, "b"), (4, "a"), (4, "c")
    ]  # fmt: skip


@pytest.mark.parametrize(
    "form", [pl.DataFrame.lazy, pl.DataFrame.to_pandas, lambda frame: frame.sample(fraction=1, shuffle=True, seed=2)]
)
def test_pandas_lazy_and_shuffled_frames_give_the_same_to_the_last_digit(form):
    frame = table()
    for by, baseline in (("policy", "a"), (["policy", "size"], ("a", 3))):
        given = {"value": "vp", "by": by, "block": "block"}
        assert wallsim.means_by(form(frame), **given).equals(wallsim.means_by(frame, **given))
        given["baseline"] = baseline
        assert wallsim.differences_by(form(frame), **given).equals(wallsim.differences_by(frame, **given))


def test_shares_stay_between_0_and_1_and_few_blocks_have_errors_without_an_interval():
    frame = table().with_columns(won=pl.col("vp") > 1)
    assert wallsim.means_by(frame, "won", "policy", "block")["low"].min() >= 0
    few = wallsim.means_by(table(blocks=12), "vp", "policy", "block")
    assert few["standard_error"].null_count() == 0
    assert few["low"].to_list() == [None, None, None]


def test_the_seats_of_a_run_are_averaged_by_game(tmp_path):
    run = wallsim.play(wallsim.Experiment(players=3, policies="random", games=120), tmp_path / "run")
    seats = run.scan("seats")
    result = wallsim.means_by(seats, "win", "lineup", game="game")
    assert result["mean"].sum() == pytest.approx(1)
    assert result["games"].to_list() == result["blocks"].to_list() == [120, 120, 120]
    summary = wallsim.summarise(run)
    assert result["mean"].to_list() == pytest.approx([seat.share for seat in summary.seats])


FRAME = table(blocks=3)
WORDS = {"value": "vp", "by": "policy", "block": "block"}


@pytest.mark.parametrize(
    ("frame", "words", "names"),
    [
        ([1, 2], {}, ["frame: list ", "polars or pandas"]),
        (FRAME.clear(), {}, ["frame: ", "no rows"]),
        (FRAME, {"value": "sise"}, ["value: ", '"sise"', "did you mean size?"]),
        (FRAME, {"by": "polisy"}, ["by: ", '"polisy"', "did you mean policy?"]),
        (FRAME, {"by": []}, ["by: [] "]),
        (FRAME, {"by": ["policy", "policy"]}, ["by: ", "each once"]),
        (FRAME.rename({"size": "mean"}), {"by": "mean"}, ["by: mean ", "of the result"]),
        (FRAME, {"game": "gaem"}, ["game: ", '"gaem"']),
        (FRAME, {"value": "policy"}, ["value: column policy ", "String", "allowed are numbers"]),
        (FRAME, {"by": "block"}, ["block: the group 0 ", "single block"]),
        (FRAME, {"level": 95}, ["level: 95 "]),
        (FRAME.with_columns(vp=pl.lit(float("nan"))), {}, ["value: column vp ", "18 missing values", "row 0"]),
        (FRAME.with_columns(vp=1 / (pl.col("vp") * 0)), {}, ["value: column vp ", "infinite in row 0"]),
        (FRAME.with_columns(policy=None), {}, ["by: column policy ", "18 missing values"]),
        (FRAME.to_pandas().assign(vp=[1.0, None] * 9), {}, ["value: column vp ", "9 missing values", "row 1"]),
        (FRAME.to_pandas().assign(vp=[1, "x"] * 9), {}, ["a column", "several types"]),
        (pd.concat([FRAME.to_pandas()] * 2, axis=1), {}, ["value: ", 'several columns "vp"']),
    ],
)
def test_bad_input_is_refused_with_its_column(frame, words, names):
    with refused(*names) as error:
        wallsim.means_by(frame, **(WORDS | words))
    assert "\n" not in str(error.value)


def test_a_baseline_must_be_one_of_several_groups():
    with refused('baseline: "x" ', '"a", "b", "c"'):
        wallsim.differences_by(FRAME, **WORDS, baseline="x")
    with refused("baseline: ", "the only group"):
        wallsim.differences_by(FRAME.filter(pl.col("policy") == "a"), **WORDS, baseline="a")
