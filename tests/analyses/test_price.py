"""The study `price` gives each seat in turn one gift, and says what it brings."""

import numpy as np
import pytest

from tests.analyses.studies import look
from wallsim.analyses.price import study as price
from wallsim.analyses.price.prices import in_thalers, price_of, read_prices
from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import block_mean
from wallsim.studies import games
from wallsim.studies.scope import CASUAL_TABLE
from wallsim.studies.study import Choices

BLOCKS = 8


def played(policy, lines=(), blocks=BLOCKS, count=price.count, **more):
    """Games with one policy in all seats, by outcome [blocks, rounds]."""
    changes = {"policies": policy, "interventions": [dict(line) for line in lines]}
    return games.played(load_experiment(price.STUDY.experiment_file, changes), blocks, count, workers=1, **more)


def gift(name):
    """The interventions that give the treated seat a gift in its turn."""
    return price.scenarios([name], ("turn",))[f"{name}, turn"]


def everybody(batch):
    """Treated seat and the mean of the table, and who is treated when."""
    return {
        "own": batch.treated(batch.seats("vp")),
        "all": batch.seats("vp").mean(axis=1),
        "seat": batch.seat.astype(float),
        "thalers": batch.treated(batch.in_round("thalers")),
    }


def standing(batch):
    """Wins of the treated seats, and what they would be with two points more by the rows of the game (B7.6)."""
    points, purse = batch.seats("vp"), batch.seats("thalers")
    points[np.arange(len(points)), batch.seat] += 2
    keys = 1000 * points + purse
    best = keys == keys.max(axis=1, keepdims=True)
    return {
        "win": batch.treated(batch.seats("win")),
        "by rows": batch.treated(best / best.sum(axis=1, keepdims=True)),
    }


def test_a_block_treats_each_pair_of_seat_and_round_once():
    estimate = played("random", count=everybody, seasons=True)
    assert estimate["seat"].shape == (BLOCKS, 6)
    assert (estimate["seat"] == 1.5).all()  # each of the seats 0 to 3 in each round
    assert len(price.scenarios()) == 1 + 2 * len(price.GIFTS)


@pytest.mark.parametrize("points", [1, 2, 4])
def test_points_given_to_who_does_not_read_the_score_change_these_points_alone(points):
    before = played("random", count=everybody, seasons=True)
    after = played("random", gift(f"+{points} VP"), count=everybody, seasons=True)
    assert after["own"] - before["own"] == pytest.approx(points)
    assert after["all"] - before["all"] == pytest.approx(points / 4)
    assert (after["thalers"] == before["thalers"]).all()


def test_points_given_bring_the_wins_that_the_rows_say():
    before = played("random", blocks=40, count=standing)
    after = played("random", gift("+2 VP"), blocks=40, count=standing)
    assert after["win"] == pytest.approx(before["by rows"])
    assert after["win"].mean() > before["win"].mean()


def test_more_thalers_bring_more_points_and_each_brings_less():
    before = played("balanced", blocks=60)["vp"]
    gained = [(played("balanced", gift(name), 60)["vp"] - before).mean() for name in list(price.GIFTS)[:5]]
    taken, one, two, four, eight = gained
    assert taken < 0 < one < two < four < eight
    assert one > (eight - four) / 4


def test_the_result_does_not_depend_on_the_number_of_workers():
    experiment = load_experiment(price.STUDY.experiment_file, {"policies": "random"})
    one, three = (games.played(experiment, 200, price.count, workers=number) for number in (1, 3))
    assert all((one[name] == three[name]).all() for name in one)


def test_the_study_publishes_prices_with_three_to_five_players(tmp_path):
    result = look("price", tmp_path, 24)
    baseline = result.design.baseline_cell()
    assert result.design.tables == (baseline, CASUAL_TABLE)
    assert price_of(result.figures, 4, CASUAL_TABLE, "spring 1").n == 1
    assert price_of(result.figures, 4, baseline, "fall 2").n == 1
    assert (
        price_of(result.figures, 5, baseline).value
        == result.figures["price.thaler.5p/strong/spielbyweb/draft@all-rounds"].value
    )
    with pytest.raises(InputError, match="3 players, nobody"):
        price_of(result.figures, 3, Cell("nobody", *baseline[1:]))


def test_points_in_thalers_carry_the_error_of_the_price():
    points = block_mean(np.random.default_rng(1).normal(1.0, 1.0, 400))
    price_of_one = price_of(read_prices(), 4, price.STUDY.design(Choices()).baseline_cell())
    estimate = in_thalers(points, price_of_one)
    assert estimate.value == pytest.approx(points.value / price_of_one.value)
    assert estimate.dividend_error == points.error
