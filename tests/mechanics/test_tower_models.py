"""What holds for a cast in every model: no cube lost, nothing else touched, chance and scratch enough for all cubes.

Towers are the presets and models at their bounds; tables are random.
"""

import random
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mechanics.casts import BOX, PARAMETERS, box_in, each_model, scene_of
from tests.naive.making import tables
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS
from wallsim.mechanics.tower import cast, fill_tower
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import Layered, TowerModel
from wallsim.state.game import GAME
from wallsim.state.random import key_game, key_streams
from wallsim.state.setup import clear_table

# Switches do not matter to a cast; with the usual ones the records of rules and towers are packed once.
USUAL_RULES = {field.name: field.default for field in fields(Ruleset) if field.name != "players"}


TOUCHED = {
    *("tray", "tower", "floor", "fallen", "falling", "random"),
    *("engaged", "casts", "cubes_cast", "cubes_fallen"),
}


def spread_over_floors(rng, model, table):
    """Cubes by floor and colour for those a table has in the tower; what no floor has room for goes to the tray."""
    floor = np.zeros(GAME["floor"].shape, np.int64)
    for colour, number in table.tower.items():
        for _ in range(number):
            free = [place for place, cells in enumerate(model.cells) if floor[place].sum() < cells]
            if free:
                floor[rng.choice(free), -1 if colour == PEASANTS else colour] += 1
            else:
                table.tower[colour] -= 1
                table.tray[colour] += 1
    return floor


@given(tables(**USUAL_RULES), st.sampled_from([*PARAMETERS.values()]), st.integers(0, 10**6))
def test_a_cast_keeps_every_cube_in_the_tower_or_the_tray(table, model, number):  # B0.2 B6.1
    scene = Scene(table, TowerModel("own", model), number)
    if isinstance(model, Layered):
        scene.game.floor[:] = spread_over_floors(random.Random(number), model, table)
    thrown = sum(table.tray.values())
    before = {colour: table.tray[colour] + table.tower[colour] for colour in table.tray}
    assert table.errors() == []
    scene.do(cast)
    after = scene.table
    assert {colour: after.tray[colour] + after.tower[colour] for colour in after.tray} == before
    assert after.tray == scene.fallen()
    assert after.errors() == []
    assert scene.game.casts == 1
    assert scene.game.cubes_cast == thrown
    assert scene.game.cubes_fallen == sum(after.tray.values())
    if isinstance(model, Layered):
        assert_floors(scene.game, model)


def assert_floors(game, model):
    """The floors hold what the tower holds, and no more than they have cells."""
    assert game.floor.sum(axis=0).tolist() == game.tower.tolist()
    assert (game.floor >= 0).all()
    held = game.floor.sum(axis=1)
    assert (held[: len(model.cells)] <= model.cells).all()
    assert not held[len(model.cells) :].any()


@given(st.sampled_from((3, 4, 5)), st.sampled_from([*PARAMETERS.values()]), st.integers(0, 10**6))
def test_a_first_fill_throws_seven_armies_a_player_and_ten_peasants_less_those_that_fall(
    players, model, number
):  # B1.6
    scene = Scene.start(players, tower=TowerModel("own", model))
    key_game(scene.game, 9, number)
    key_streams(scene.game, 0)
    scene.do(fill_tower)
    inside = sum(scene.table.tower.values())
    thrown = {**dict.fromkeys(range(players), 7), PEASANTS: 10}
    assert scene.game.cubes_cast == sum(thrown.values())
    assert scene.game.tower_after_fill == inside
    assert {colour: scene.table.tower[colour] + number for colour, number in scene.fallen().items()} == thrown
    assert sum(scene.table.tray.values()) == 0
    if isinstance(model, Layered):
        assert_floors(scene.game, model)


# ------------------------------------------------------------------------------------- chance and the record


@each_model
@pytest.mark.parametrize("inside", [0.0, 0.3, 0.6, 0.95, 1.0])
def test_the_whole_box_goes_through_and_nothing_else_on_the_table_changes(model, inside):  # B0.2
    """Every other field holds a number of its own, so that a cube written beyond the scratch would show."""
    scene = box_in(model, inside)
    game = scene.game
    others = [name for name in GAME.names if name not in TOUCHED]
    for number, name in enumerate(others):
        game[name] = 1000 + number
    casts = 8
    for _ in range(casts):
        engaged = game.engaged.copy()
        cast(game, scene.rules)
        assert (game.tray + game.tower).tolist() == list(BOX)
        assert (game.engaged == engaged).all()
        assert game.tower.min() >= 0
        if isinstance(model, Layered):
            assert_floors(game, model)
        game.engaged[:] = 0  # from now on all lies in the tray
    assert game.casts == casts
    assert all((np.asarray(game[name]) == 1000 + number).all() for number, name in enumerate(others))


# ------------------------------------------------------------------------------------------------- set-up


@each_model
def test_a_new_table_has_an_empty_tower_whatever_was_there_before(model):  # B1.6
    """A first fill and three casts on a used record come out as on a fresh one."""
    used, fresh = scene_of(model), scene_of(model)
    used.game.tower[:] = used.game.tray[:] = 9
    used.game.floor[:] = 7
    used.game.falling[:] = 123456
    used.game.fallen[:] = used.game.engaged[:] = 5
    outcomes = []
    for scene in (used, fresh):
        clear_table(scene.game, scene.rules)
        key_game(scene.game, 3, 1)
        key_streams(scene.game, 0)
        fill_tower(scene.game, scene.rules)
        after = []
        for cubes in (3, 1, 12):
            scene.game.engaged[:] = cubes
            cast(scene.game, scene.rules)
            after.append((scene.game.tower.tolist(), scene.game.tray.tolist(), scene.game.fallen.tolist()))
        outcomes.append((scene.game.supply.tolist(), after))
    assert outcomes[0] == outcomes[1]
