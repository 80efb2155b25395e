"""The study `tiles` gives each seat in turn each tile, none, and each place."""

from dataclasses import replace

import pytest

from tests.analyses.studies import look
from wallsim.analyses.price.prices import price_of
from wallsim.analyses.tiles import estimates as tile_worth
from wallsim.analyses.tiles.estimates import AS_IT_IS, NONE, place_name
from wallsim.analyses.tiles.study import STUDY
from wallsim.errors import InputError
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies import games
from wallsim.studies.catalogue import load_study
from wallsim.studies.figure import Figures
from wallsim.studies.quantities import Key
from wallsim.studies.register import read_register
from wallsim.studies.running import digest_of
from wallsim.studies.scope import TWO_TABLES
from wallsim.studies.study import Choices

BLOCKS = 30


def played(policy, blocks=BLOCKS, count=tile_worth.count, players=4, seasons=False):
    """All scenarios with one policy in all seats, by name."""
    estimated = {}
    for name, lines in (tile_worth.scenarios(players) | tile_worth.held_always()).items():
        changes = {"players": players, "policies": policy, "interventions": [dict(line) for line in lines]}
        experiment = load_experiment(STUDY.experiment_file, changes)
        estimated[name] = games.played(experiment, blocks, count, seasons=seasons, workers=1)
    return estimated


def held(batch):
    """The tile and the place of the treated seat in its round."""
    return {name: batch.treated(batch.in_round(name)) for name in ("tile", "place")}


def test_the_treated_seat_gets_what_the_scenario_says_and_keeps_the_rest():
    estimated = played("balanced", 4, held, seasons=True)
    names = [AS_IT_IS, NONE, *TILES, *map(place_name, range(1, 5)), *map(tile_worth.always, (NONE, *TILES))]
    assert list(estimated) == names
    for number, tile in enumerate(TILES):
        assert (estimated[tile]["tile"] == number).all()
        assert (estimated[tile]["place"] == estimated[AS_IT_IS]["place"]).all()
        assert (estimated[tile_worth.always(tile)]["tile"] == number).all()
    assert (estimated[NONE]["tile"] == -1).all()
    for place in range(1, 5):
        assert (estimated[place_name(place)]["tile"] == estimated[AS_IT_IS]["tile"]).all()
    assert (estimated[place_name(1)]["place"] < estimated[place_name(4)]["place"]).all()


def test_no_tile_is_worse_than_none_beyond_its_error():
    every = played("balanced")
    for claim, contrast in list(tile_worth.CLAIMS.items())[: len(TILES)]:
        worth = contrast.value(every, 4).estimate
        assert worth.value > -3 * worth.error, claim


def test_places_are_measured_against_their_mean_and_holders_against_their_table():
    every, table = played("balanced", seasons=True), TWO_TABLES[1]
    worth = dict(tile_worth.measure(every, 4, table))
    for moment in ROUND_NAMES:
        for quantity, items in (("place-vp", map(place_name, range(1, 5))), ("ranked", TILES)):
            changes = [worth[Key(quantity, item, 4, table, moment)].estimate.value for item in items]
            assert sum(changes) == pytest.approx(0)
    assert all(worth[Key("held", tile, 4, table)].blocks == BLOCKS for tile in TILES)
    assert all(worth[Key("holder-paid", tile, 4, table)].value >= 0 for tile in TILES)
    assert {key.quantity for key, _ in tile_worth.measure(every, 3, table)} == {"place-by-size", "thalers-by-size"}
    assert not list(tile_worth.measure(every, 4, table._replace(tower="mid"))), "not at the tables"


def test_a_tile_in_every_round_is_held_in_rounds_that_are_not_the_seats_turn():
    estimated = played(
        "balanced",
        4,
        lambda batch: {"tile": batch.treated(batch.in_seasons("tile", (batch.numbers + 1) % 3))},
        seasons=True,
    )
    for number, tile in enumerate(TILES):
        assert (estimated[tile_worth.always(tile)]["tile"] == number).all()
    assert (estimated[tile_worth.always(NONE)]["tile"] == -1).all()


def test_the_six_rounds_are_added_up_and_compared_with_every_round():
    estimated = played("balanced")
    for tile in TILES:
        added, ever = tile_worth.sums_of(estimated, tile)
        assert added.value == pytest.approx(6 * (estimated[tile]["vp"] - estimated[NONE]["vp"]).mean())
        assert ever.value > -3 * ever.error
        rest = ever - added
        assert abs(rest.value) < 4 * rest.error + 1, tile  # each round's tile is a surprise, six are no more than that


def test_the_study_publishes_tiles_and_places_with_three_to_five_players(tmp_path):
    result = look("tiles", tmp_path, 24)
    assert result.page.finding is None
    for players in (3, 4, 5):
        assert len(result.figures.cells("claim", "attack against none", players=players)) == len(result.design.cells())
        for table in result.design.tables:
            assert result.figures.of("place-by-size", f"place {players}", players=players, cell=table).n == 1


@pytest.mark.parametrize("column", ["value", "error"])
def test_another_price_of_a_thaler_is_another_study(column, monkeypatch):
    study, prices = load_study("tiles"), read_register("price")
    scope = study.design(Choices())
    before = digest_of(study, scope)
    one = price_of(prices, 4, scope.tables[1], "fall 2")
    others = [each for each in prices.values() if each != one]
    moved = replace(one, **{column: getattr(one, column) * 1.01})
    monkeypatch.setattr(tile_worth, "read_prices", lambda: Figures("price", [*others, moved]))
    assert digest_of(study, scope) != before
    monkeypatch.setattr(tile_worth, "read_prices", lambda: Figures("price", [*others, one]))
    assert digest_of(study, scope) == before  # what else the register has, and its order, decide nothing
    monkeypatch.setattr(tile_worth, "read_prices", lambda: Figures("price", others))
    with pytest.raises(InputError, match="fall 2"):
        digest_of(study, scope)
