"""The study `price` gives each seat in turn one gift, and says what it brings."""

import numpy as np
import pytest

from analyses import effects, price
from analyses.prices import MEAN, in_thalers, read_prices
from tests.analyses.studies import filled, is_png, page_for, run_study, table_of
from wallsim.analysis.claims.cells import Cell
from wallsim.errors import InputError
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import block_mean

BLOCKS = 8


def played(policy, lines=(), blocks=BLOCKS, count=price.count, **more):
    """Games with one policy in all seats, by outcome [blocks, rounds]."""
    changes = {"policies": policy, "interventions": [dict(line) for line in lines]}
    return effects.played(load_experiment(price.EXPERIMENT, changes), blocks, count, workers=1, **more)


def everybody(games):
    """Treated seat and the mean of the table, and who is treated when."""
    return {
        "own": games.treated(games.seats("vp")),
        "all": games.seats("vp").mean(axis=1),
        "seat": games.seat.astype(float),
        "thalers": games.treated(games.in_round("thalers")),
    }


def standing(games):
    """Wins of the treated seats, and what they would be with two points more by the rows of the game (B7.6)."""
    points, purse = games.seats("vp"), games.seats("thalers")
    points[np.arange(len(points)), games.seat] += 2
    keys = 1000 * points + purse
    best = keys == keys.max(axis=1, keepdims=True)
    return {
        "win": games.treated(games.seats("win")),
        "by rows": games.treated(best / best.sum(axis=1, keepdims=True)),
    }


def test_a_block_treats_each_pair_of_seat_and_round_once():
    found = played("random", count=everybody, seasons=True)
    assert found["seat"].shape == (BLOCKS, 6)
    assert (found["seat"] == 1.5).all()  # each of the seats 0 to 3 in each round
    assert len(price.scenarios()) == 1 + 2 * len(price.GIFTS)


@pytest.mark.parametrize("points", [1, 2, 4])
def test_points_given_to_who_does_not_read_the_score_change_these_points_alone(points):
    before = played("random", count=everybody, seasons=True)
    after = played("random", price.gift(f"+{points} VP", "turn"), count=everybody, seasons=True)
    assert after["own"] - before["own"] == pytest.approx(points)
    assert after["all"] - before["all"] == pytest.approx(points / 4)
    assert (after["thalers"] == before["thalers"]).all()


def test_points_given_bring_the_wins_that_the_rows_say():
    before = played("random", blocks=40, count=standing)
    after = played("random", price.gift("+2 VP", "turn"), blocks=40, count=standing)
    assert after["win"] == pytest.approx(before["by rows"])
    assert after["win"].mean() > before["win"].mean()


def test_more_thalers_bring_more_points_and_each_brings_less():
    before = played("balanced", blocks=60)["vp"]
    gained = [
        (played("balanced", price.gift(name, "turn"), 60)["vp"] - before).mean() for name in list(price.GIFTS)[:5]
    ]
    taken, one, two, four, eight = gained
    assert taken < 0 < one < two < four < eight
    assert one > (eight - four) / 4


def test_the_result_does_not_depend_on_the_number_of_workers():
    experiment = load_experiment(price.EXPERIMENT, {"policies": "random"})
    one, three = (effects.played(experiment, 200, price.count, workers=number) for number in (1, 3))
    assert all((one[name] == three[name]).all() for name in one)


def test_the_command_writes_its_page_picture_and_prices(tmp_path):
    words = ("--quick", "--games", "24", "--workers", "1")
    status, printed, errors = run_study(price, tmp_path, *words, *page_for(price, tmp_path))
    assert (status, errors) == (0, "")
    assert is_png(tmp_path / "it.png")
    scope = price.scope_of(24, quick=True)
    assert (tmp_path / "page.md").read_text("utf-8") == filled(price, (price.digest(scope), printed))
    assert [row[0] for row in table_of(printed, "VP")] == list(price.GIFTS)
    found = read_prices(tmp_path / "runs" / "prices.csv")
    baseline = scope.baseline_cell()
    assert found.of(4, baseline).blocks == 1
    assert {key[0] for key in found.rows} == {3, 4, 5}
    with pytest.raises(InputError, match="3 players, nobody"):
        found.of(3, Cell("nobody", *baseline[1:]), MEAN)


def test_points_in_thalers_carry_the_error_of_the_price():
    points = block_mean(np.random.default_rng(1).normal(1.0, 1.0, 400))
    price_of_one = read_prices(price.EXPERIMENT.parent / "prices.csv").of(4, price.scope_of().baseline_cell())
    found = in_thalers(points, price_of_one)
    assert found.value == pytest.approx(points.value / price_of_one.value)
    assert found.dividend_error == points.error
