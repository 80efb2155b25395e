"""Whole games with other numbers than the printed ones: nothing is lost, and scores follow from the board (N)."""

import random

import pytest

from wallsim import trace
from wallsim.experiment.experiment import Experiment
from wallsim.rules.amounts import AMOUNTS

BUILDINGS = ("palace", "church", "trading_post")
KINDS = [
    {"players": 3, "expansions": "all"},
    {"players": 4, "setup": "draft", "expansions": "all"},
    {"players": 5, "edition": "1e"},
    {"players": 4, "policies": "random", "expansions": "all", "edition": "1e"},
]


def turned(number):
    """Random numbers for all amounts, anywhere within their bounds."""
    rng = random.Random(number)
    return {amount.name: rng.randint(amount.low, amount.high) for amount in AMOUNTS}


@pytest.mark.parametrize("number", range(8))
def test_no_cube_or_tile_is_lost_and_scores_are_those_of_the_board(number):  # B0.2 B0.3 B0.4 B7.4 M5
    kind, amounts = KINDS[number % len(KINDS)], turned(number)
    experiment = Experiment(**{"policies": "balanced", **kind}, amounts=amounts, seed=number)
    state = {}
    for line in trace(experiment, number):
        if line["t"] == "state":
            state = line
            check_components(line, experiment.players, amounts)
        if line["t"] == "score":
            check_score(line, amounts)
    assert state["thalers"] == line["thalers"]


def check_components(state, players, amounts):
    """Cubes, building tiles and revolt markers of a snapshot are those of the game."""
    for colour in [*map(str, range(players)), "peasants"]:
        land = [county["armies"] for county in state["counties"].values() if str(county["owner"]) == colour]
        beside = sum(state[place][colour] for place in ("supply", "tray", "tower"))
        assert sum(land) + beside == (20 if colour == "peasants" else 62)
    for kind in BUILDINGS:
        built = sum(kind in county["buildings"] for county in state["counties"].values())
        assert built + state["stock"][kind] == amounts[f"{kind}_tiles"]
        assert state["stock"][kind] >= 0
    marked = sum(county["markers"] for county in state["counties"].values())
    assert marked + state["markers"] == amounts["revolt_markers"]


def check_score(score, amounts):
    """A seat's points are its counties, buildings, majorities, statues and trophies at their amounts."""
    majorities = sum(points for kinds in score["majorities"].values() for points in kinds.values())
    weighed = sum(
        score[source] * amounts[f"{one}_points"]
        for source, one in (("counties", "county"), ("statues", "statue"), ("trophies", "trophy"))
    )
    buildings = score["total"] - majorities - weighed
    points = [amounts[f"{kind}_points"] for kind in BUILDINGS]
    assert score["buildings"] * min(points) <= buildings <= score["buildings"] * max(points)


def test_the_game_line_names_the_numbers_that_differ():
    opening = next(iter(trace(Experiment(amounts={"palace_price": 4, "church_price": 2}), 0)))
    assert opening["amounts"] == {"palace_price": 4}
    assert "amounts" not in next(iter(trace(Experiment(), 0)))


def test_an_amount_of_what_is_not_in_the_game_changes_nothing():
    base = list(trace(Experiment(), 3))
    absent = {"statue_points": 9, "favors_shown": 1, "start_thalers_3_players": 0, "landsknechte_regions": 1}
    turned_lines = list(trace(Experiment(amounts=absent), 3))
    assert turned_lines[1:] == base[1:]


def test_grain_ends_with_the_food_track_and_the_fill_takes_its_armies():  # B0.6 B1.6
    lines = list(trace(Experiment(amounts={"food_track_end": 4, "first_fill_armies": 0, "first_fill_peasants": 20}), 1))
    [fill] = [line for line in lines if line["t"] == "fill"]
    assert fill["dropped"] == {"0": 0, "1": 0, "2": 0, "3": 0, "peasants": 20}
    held = [grain for line in lines if line["t"] == "state" for grain in line["grain"]]
    assert max(held) == 4
