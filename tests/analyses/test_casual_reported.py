"""What people tell of their games is measured from a run as one would count it at the table."""

from math import sqrt

import pytest

from wallsim.analyses.casual.reported import PEOPLE, distance, measured
from wallsim.runs.experiment import Experiment
from wallsim.runs.play import play_run

GAMES = 25
MONEY = {"0": 0, "1": 1, "2": 2, "3": 3, "4": 4}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of random players, who bid anything."""
    experiment = Experiment(players=5, policies="random", games=GAMES, seasons=True)
    return play_run(experiment, tmp_path_factory.mktemp("reported") / "run", workers=1)


def test_points_are_those_of_the_first_the_second_and_so_on(run):
    seats = run.scan("seats").collect().to_dicts()
    games = [sorted((row["vp"] for row in seats if row["game"] == game), reverse=True) for game in range(GAMES)]
    result = measured(run)
    for place, estimate in enumerate(result["points"]):
        assert estimate.value == pytest.approx(sum(game[place] for game in games) / GAMES)
        assert estimate.blocks == GAMES


def test_bids_are_those_of_the_first_to_choose_the_second_and_so_on(run):
    rounds = [row for row in run.scan("seasons").collect().to_dicts() if row["season"] != "winter"]
    result = measured(run)
    for turn, estimate in enumerate(result["bid"], start=1):
        paid = [MONEY.get(row["bid"], 0) for row in rounds if row["choosing_place"] == turn]
        assert len(paid) == 6 * GAMES
        assert estimate.value == pytest.approx(sum(paid) / len(paid))
    bids = [row["bid"] for row in rounds]
    assert result["county-bids"][0].value == pytest.approx(100 * bids.count("county") / len(bids))


def test_buildings_are_counted_a_round_and_attacks_by_whom_they_meet(run):
    seats = run.scan("seats").collect()
    built = sum(seats[f"done_{kind}"].sum() for kind in ("palace", "church", "trading_post"))
    result = measured(run)
    assert result["built"][0].value == pytest.approx(built / 6 / 5 / GAMES)
    on_neutrals = seats["attacks"].sum() - seats["attacks_on_players"].sum()
    assert result["attacks-on-neutrals"][0].value == pytest.approx(100 * on_neutrals / seats["attacks"].sum())


def test_the_distance_is_that_of_the_points_by_place(run):
    points = measured(run)["points"]
    own = tuple(estimate.value for estimate in points)
    assert distance(points, own) == pytest.approx(0)
    assert distance(points, (own[0] + 3, *own[1:])) == pytest.approx(sqrt(9 / 5))
    assert distance(points) == distance(points, PEOPLE["points"]) > 0
