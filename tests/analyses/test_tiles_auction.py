"""What the auction offers: each seat in turn gets each tile with each place, and leaders get each tile."""

import numpy as np
import pytest

from wallsim.analyses.tiles import auction
from wallsim.analyses.tiles.study import STUDY
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies import games
from wallsim.studies.quantities import Key
from wallsim.studies.scope import CASUAL_TABLE

PLAYERS, BLOCKS = 3, 200


def held(batch):
    return {name: batch.treated(batch.in_round(name)) for name in ("tile", "place", "led")}


def test_the_treated_seat_gets_the_tile_and_the_place_and_led_or_not_before():
    """With three players the third of the places taken may be any box of five: places are ranked among the seats."""
    led = []
    for (tile, place), (name, lines) in zip(auction.offers(PLAYERS), auction.scenarios(PLAYERS).items(), strict=True):
        changes = {"players": PLAYERS, "policies": "balanced", "interventions": [dict(line) for line in lines]}
        experiment = load_experiment(STUDY.experiment_file, changes)
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
    def value(quantity, item, moment):
        return result[Key(quantity, item, PLAYERS, CASUAL_TABLE, moment)].value

    result = dict(auction.offers_of(*planted(), PLAYERS, CASUAL_TABLE))
    for at, tile in enumerate(TILES):
        assert value("offer-tile", tile, "spring 1") == pytest.approx(at - 2, abs=0.1)
        for place in range(1, PLAYERS + 1):
            worth, item = at - 2 - 0.5 * (place - 2), auction.offer(tile, place)
            assert value("offer", item, "all rounds") == pytest.approx(worth, abs=0.2)
            assert value("offer-thalers", item, "fall 2") == pytest.approx(worth / 0.5, abs=0.4)
    assert all(p > 0.001 for p in adds_up(result))


def test_an_offer_that_brings_more_than_both_parts_is_found():
    result = adds_up(dict(auction.offers_of(*planted(extra=1.0), PLAYERS, CASUAL_TABLE)))
    assert len(result) == len(auction.MOMENTS)
    assert all(p < 0.001 for p in result)


def adds_up(values):
    return [each.value for key, each in values.items() if key.quantity == "offer-adds-up"]


def test_what_a_leader_gains_each_rival_loses_a_share_of():
    denied = dict(auction.denied_of(*planted(), PLAYERS, CASUAL_TABLE))
    for at, tile in enumerate(TILES):
        for moment in auction.LED_MOMENTS:
            leader, kept = (denied[Key(quantity, tile, PLAYERS, CASUAL_TABLE, moment)].value
                            for quantity in ("leader-wins", "kept-from-leader"))  # fmt: skip
            assert leader == pytest.approx(3 * (at - 2))
            assert kept == pytest.approx(3 * (at - 2) / 2 / 1.0, abs=0.1)
    assert {key.moment for key in denied} == {"later rounds", *ROUND_NAMES[1:]}
