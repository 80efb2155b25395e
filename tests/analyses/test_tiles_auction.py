"""What the auction offers: each seat in turn gets each tile with each place, and leaders get each tile."""

import numpy as np
import pytest

from wallsim.analyses.tiles import auction
from wallsim.analyses.tiles.auction_page import sum_words
from wallsim.analyses.tiles.estimates import design
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies import games
from wallsim.studies.register import read_register
from wallsim.studies.scope import THREE_TABLES
from wallsim.studies.study import Choices

PLAYERS, BLOCKS = 3, 200


def held(batch):
    return {name: batch.treated(batch.in_round(name)) for name in ("tile", "place", "led")}


def test_the_treated_seat_gets_the_tile_and_the_place_and_led_or_not_before():
    """With three players the third of the places taken may be any box of five: places are ranked among the seats."""
    led = []
    for (tile, place), (name, lines) in zip(auction.offers(PLAYERS), auction.scenarios(PLAYERS).items(), strict=True):
        changes = {"players": PLAYERS, "policies": "balanced", "interventions": [dict(line) for line in lines]}
        experiment = load_experiment(auction.EXPERIMENT, changes)
        counted = games.played(experiment, 1, held, seasons=True, workers=1)
        assert name == f"{tile}, place {place}"
        assert (counted["tile"] == TILES.index(tile)).all()
        assert (counted["place"] >= place).all()
        if place == 1:
            led.append(counted["led"])
    assert all((each == led[0]).all() for each in led)
    assert led[0][:, 0].sum() == 0, "nobody leads before the first round"


def planted(extra=0.0):
    """Counts in which tiles and places bring known points that add up, but for the first of each; leaders gain 3 %."""
    random = np.random.default_rng(3)
    base = random.normal(30, 5, (BLOCKS, len(ROUND_NAMES)))
    led = random.integers(0, 3, (BLOCKS, len(ROUND_NAMES))) / PLAYERS
    led[:, 0] = 0
    played = {}
    for number, (tile, place) in enumerate(auction.offers(PLAYERS)):
        points = TILES.index(tile) - 0.5 * place + (extra if number == 0 else 0.0)
        noise = random.normal(0, 0.3, base.shape)
        wins = 40 + 3 * TILES.index(tile)
        played[f"{tile}, place {place}"] = {"vp": base + points + noise, "led": led, "wins led": led * wins}
    priced = {
        "nothing": {"vp": base, "win": base},
        auction.FOUR: {name: base + gain + random.normal(0, 0.1, base.shape) for name, gain in (("vp", 2), ("win", 4))},
    }
    return played, priced


def test_tiles_and_places_are_told_apart_and_added_up():
    result = auction.auction_of(*planted(), PLAYERS)
    for at, tile in enumerate(TILES):
        assert result.parts[tile, 0, "spring 1"].value == pytest.approx(at - 2, abs=0.1)
        for place in range(1, PLAYERS + 1):
            worth = at - 2 - 0.5 * (place - 2)
            assert result.fitted[tile, place, "fall 2"].value == pytest.approx(worth, abs=0.2)
            assert result.offers[tile, place, "all rounds"].value == pytest.approx(worth, abs=0.2)
            assert result.thalers[tile, place, "fall 2"].value == pytest.approx(worth / 0.5, abs=0.4)
    assert all(test.p_value > 0.001 for test in result.together.values())


def test_an_offer_that_brings_more_than_both_parts_is_found():
    result = auction.auction_of(*planted(extra=1.0), PLAYERS)
    assert all(test.p_value < 0.001 for test in result.together.values())


def test_what_a_leader_gains_each_rival_loses_a_share_of():
    denied = auction.denied_of(*planted(), PLAYERS)
    for at, tile in enumerate(TILES):
        for moment in auction.LED_MOMENTS:
            each = denied[tile, moment]
            assert each.leader.value == pytest.approx(3 * (at - 2))
            assert each.rival.value == pytest.approx(-3 * (at - 2) / 2)
            assert each.thalers.value == pytest.approx(3 * (at - 2) / 2 / 1.0, abs=0.1)
    assert {moment for _, moment in denied} == {"later rounds", *ROUND_NAMES[1:]}


def test_every_table_and_size_is_published_and_tile_and_place_add_up_there():
    figures, scope = read_register("tiles"), design(Choices())
    for players in (3, 4, 5):
        assert {row.cell for row in figures.all_of("offer-adds-up", players=players)} == set(THREE_TABLES)
        for tile, place in auction.offers(players):
            assert len(figures.all_of("offer-thalers", f"{tile} place {place}", players=players)) == 3 * 7
    assert "rejected nowhere" in sum_words(figures, scope)
