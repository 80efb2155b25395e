"""The study `tiles` gives each seat in turn each tile, none, and each place."""

import numpy as np
import pytest
from analyses.tile_worth import AS_IT_IS, NONE, place_name

from analyses import effects, tile_worth, tiles
from tests.analyses.studies import filled, is_png, names_in, page_for, run_study, table_of
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment_file import load_experiment

BLOCKS = 30


def played(policy, blocks=BLOCKS, count=tile_worth.count, players=4, seasons=False):
    """All scenarios with one policy in all seats, by name."""
    found = {}
    for name, lines in (tile_worth.scenarios(players) | tile_worth.held_always()).items():
        changes = {"players": players, "policies": policy, "interventions": [dict(line) for line in lines]}
        experiment = load_experiment(tile_worth.EXPERIMENT, changes)
        found[name] = effects.played(experiment, blocks, count, seasons=seasons, workers=1)
    return found


def held(games):
    """The tile and the place of the treated seat in its round."""
    return {name: games.treated(games.in_round(name)) for name in ("tile", "place")}


def test_the_treated_seat_gets_what_the_scenario_says_and_keeps_the_rest():
    found = played("balanced", 4, held, seasons=True)
    names = [AS_IT_IS, NONE, *TILES, *map(place_name, range(1, 5)), *map(tile_worth.always, (NONE, *TILES))]
    assert list(found) == names
    for number, tile in enumerate(TILES):
        assert (found[tile]["tile"] == number).all()
        assert (found[tile]["place"] == found[AS_IT_IS]["place"]).all()
        assert (found[tile_worth.always(tile)]["tile"] == number).all()
    assert (found[NONE]["tile"] == -1).all()
    for place in range(1, 5):
        assert (found[place_name(place)]["tile"] == found[AS_IT_IS]["tile"]).all()
    assert (found[place_name(1)]["place"] < found[place_name(4)]["place"]).all()


def test_no_tile_is_worse_than_none_beyond_its_error():
    found = tile_worth.outcomes(played("balanced"), 4)
    for tile in TILES:
        worth = found[tile_worth.against_none(tile)]
        assert worth.value > -3 * worth.error, tile


def test_places_are_measured_against_their_mean_and_holders_against_their_table():
    found = tile_worth.worth_of(played("balanced", seasons=True), 4)
    for moment in ROUND_NAMES:
        assert sum(found.places[place, "vp", moment].estimate.value for place in range(1, 5)) == pytest.approx(0)
        assert sum(found.ranked[tile, moment].estimate.value for tile in TILES) == pytest.approx(0)
    assert all(one.blocks == BLOCKS for one in found.holders.values())
    assert all(np.isfinite(one.value) and one.value >= 0 for one in found.paid.values())


def test_a_tile_in_every_round_is_held_in_rounds_that_are_not_the_seats_turn():
    found = played(
        "balanced",
        4,
        lambda games: {"tile": games.treated(games.in_seasons("tile", (games.numbers + 1) % 3))},
        seasons=True,
    )
    for number, tile in enumerate(TILES):
        assert (found[tile_worth.always(tile)]["tile"] == number).all()
    assert (found[tile_worth.always(NONE)]["tile"] == -1).all()


def test_the_six_rounds_are_added_up_and_compared_with_every_round():
    found = played("balanced")
    worth = tile_worth.outcomes(found, 4)
    for tile in TILES:
        added, ever = tile_worth.sums_of(found, tile)
        assert added.value == pytest.approx(6 * worth[tile_worth.against_none(tile)].value)
        assert ever.value > -3 * ever.error
        rest = ever - added
        assert abs(rest.value) < 4 * rest.error + 1, tile  # each round's tile is a surprise, six are no more than that


def test_the_command_writes_its_page_picture_and_files(tmp_path):
    words = ("--quick", "--games", "24", "--workers", "1")
    status, printed, errors = run_study(tiles, tmp_path, *words, *page_for(tiles, tmp_path))
    assert (status, errors) == (0, "")
    assert is_png(tmp_path / "it.png")
    scope = tile_worth.scope_of(24, quick=True)
    assert (tmp_path / "page.md").read_text("utf-8") == filled(tiles, (tiles.digest(scope), printed))
    assert [row[0] for row in table_of(printed, "VP, tile against none")] == [name.replace("_", " ") for name in TILES]
    assert names_in(tiles, tmp_path / "runs") == {"changes.parquet", "parts", "study.json"}
