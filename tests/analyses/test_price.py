"""The study `price` gives each seat in turn one gift, and says what it brings."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from tests.analyses.studies import look, played_by
from tests.refusals import refused
from wallsim.analyses.price import study as price
from wallsim.analyses.price.study import in_thalers, price_of, read_prices
from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import block_mean
from wallsim.studies.games import played
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE

FILE = price.STUDY.experiment_file


def given(policy, names, blocks=8, count=price.count, *, seasons=False):
    """What is counted with one policy in all seats: without a gift, and with each of some in the seat's turn."""
    return list(played_by(policy, FILE, price.scenarios(names, ("turn",)), blocks, count, seasons=seasons).values())


def everybody(batch):
    """Treated seat and the mean of the table, and who is treated when."""
    points = batch.seats("vp")
    own = {"own": batch.treated(points), "thalers": batch.treated(batch.in_round("thalers"))}
    return {**own, "all": points.mean(axis=1), "seat": batch.seat.astype(float)}


def standing(batch):
    """Wins of the treated seats, and what they would be with two points more by the rows of the game (B7.6)."""
    points, purse = batch.seats("vp"), batch.seats("thalers")
    points[np.arange(len(points)), batch.seat] += 2
    keys = 1000 * points + purse
    best = keys == keys.max(axis=1, keepdims=True)
    return {"win": batch.treated(batch.seats("win")), "by rows": batch.treated(best / best.sum(axis=1, keepdims=True))}


def test_points_given_to_who_does_not_read_the_score_change_these_points_alone():
    """A block treats each of the seats 0 to 3 in each round."""
    points = 4
    before, after = given("random", [f"+{points} VP"], count=everybody, seasons=True)
    assert before["seat"].shape == (8, 6)
    assert (before["seat"] == 1.5).all()
    assert after["own"] - before["own"] == pytest.approx(points)
    assert after["all"] - before["all"] == pytest.approx(points / 4)
    assert (after["thalers"] == before["thalers"]).all()


def test_points_given_bring_the_wins_that_the_rows_say():
    before, after = given("random", ["+2 VP"], 40, standing)
    assert after["win"] == pytest.approx(before["by rows"])
    assert after["win"].mean() > before["win"].mean()


def test_more_thalers_bring_more_points_and_each_brings_less():
    before, *after = given("balanced", list(price.GIFTS)[:5], 200)
    taken, one, two, four, eight = ((each["vp"] - before["vp"]).mean() for each in after)
    assert taken < 0 < one < two < four < eight
    assert one > (eight - four) / 4


def test_the_result_does_not_depend_on_the_number_of_workers():
    experiment = price.STUDY.experiment().changed(policies="random")
    one, three = (played(experiment, 200, price.count, workers=number) for number in (1, 3))
    assert all((one[name] == three[name]).all() for name in one)


@pytest.mark.one_in(4, "file")
def test_the_study_publishes_prices_with_three_to_five_players(tmp_path):
    result = look("price", tmp_path, 24)
    assert result.design.tables == (EXPERIENCED_TABLE, CASUAL_TABLE)
    assert price_of(result.figures, 4, CASUAL_TABLE, "spring 1").n == 1
    assert price_of(result.figures, 4, EXPERIENCED_TABLE, "fall 2").n == 1
    mean = result.figures["price.thaler.5p/strong/spielbyweb/draft@all-rounds"]
    assert price_of(result.figures, 5, EXPERIENCED_TABLE).value == mean.value
    with refused("3 players", "nobody"):
        price_of(result.figures, 3, Cell("nobody", *EXPERIENCED_TABLE[1:]))


def test_points_in_thalers_carry_the_error_of_the_price():
    points = block_mean(np.random.default_rng(1).normal(1.0, 1.0, 400))
    thaler = price_of(read_prices(), 4, EXPERIENCED_TABLE)
    assert in_thalers(points, thaler).value == pytest.approx(points.value / thaler.value)
    assert in_thalers(points, thaler).dividend_error == points.error
    assert isnan(in_thalers(points, replace(thaler, value=-0.1)).value)
