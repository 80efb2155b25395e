"""What holds for a cast in every model: no cube lost, nothing else touched, chance and scratch enough for all cubes.

Towers are the presets and models at their bounds; tables are random.
"""

import random
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mechanics.casts import scene_of
from tests.naive.making import tables
from tests.naive.rng import GAMMA, WORD
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS as TABLE_PEASANTS
from tests.naive.table import write_table
from wallsim.mechanics import tower
from wallsim.mechanics.tower import cast, fill_tower
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import Independent, Layered, TowerModel, Urn, load_tower, tower_presets
from wallsim.state.game import GAME, new_game
from wallsim.state.random import STREAMS, TOWER, key_game, key_streams
from wallsim.state.setup import clear_table

BOX = (62, 62, 62, 62, 62, 20)  # B0.2
PRESETS = {name: load_tower(name).parameters for name in tower_presets()}
EDGES = {
    "urn that keeps all": Urn(1.0, 1e6, 0.0, 0.0, phi=1.0, clump=10.0),
    "urn that spills all": Urn(1.0, 1e6, 10.0, 3.0, phi=1.0),
    "urn of one": Urn(1.0, 1.0, 0.5, -1.0, alpha=0.1),
    "four wide floors": Layered((1000,) * 4, (1.0, 0.5, 0.9, 0.8), (1.0,) * 4, 0.9, 0.5, 1.0),
    "four floors that spill": Layered((83,) * 4, (1.0,) * 4, (1.0,) * 4, 0.99, 1.0, 1.0),
    "four floors and clumps": Layered((90, 80, 40, 200), (0.9,) * 4, (1.0,) * 4, 0.5, 0.2, 3.0),
    "one cell a floor": Layered((1,) * 4, (1.0,) * 4, (1.0,) * 4, 0.0, 0.5),
    "one cell": Layered((1,), (0.5,), (0.5,)),
}
PARAMETERS = {**PRESETS, **EDGES}
each_model = pytest.mark.parametrize("model", PARAMETERS.values(), ids=PARAMETERS)
# Switches do not matter to a cast; with the usual ones the records of rules and towers are packed once.
USUAL_RULES = {field.name: field.default for field in fields(Ruleset) if field.name != "players"}
WORDS = {Independent: 12, Urn: 1 << 15, Layered: 1 << 15}  # random words that a cast takes


def spread_over_floors(rng, model, table):
    """Cubes by floor and colour for those a table has in the tower; what no floor has room for goes to the tray."""
    floor = np.zeros(GAME["floor"].shape, np.int64)
    for colour, number in table.tower.items():
        for _ in range(number):
            free = [place for place, cells in enumerate(model.cells) if floor[place].sum() < cells]
            if free:
                floor[rng.choice(free), -1 if colour == TABLE_PEASANTS else colour] += 1
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
def test_a_first_fill_leaves_in_the_tower_what_does_not_go_back(players, model, number):  # B1.6
    scene = Scene.start(players, tower=TowerModel("own", model))
    key_game(scene.game, 9, number)
    key_streams(scene.game, 0)
    scene.do(fill_tower)
    inside = sum(scene.table.tower.values())
    assert scene.game.tower_after_fill == inside == 7 * players + 10 - sum(scene.fallen().values())
    assert sum(scene.table.tray.values()) == 0
    if isinstance(model, Layered):
        assert_floors(scene.game, model)


# ------------------------------------------------------------------------------------- chance and the record


def box_in(model, inside, seed=0):
    """A scene in which a share of the whole box is inside as far as there is room, and all the rest is thrown."""
    scene = scene_of(model)
    game, rng = scene.game, np.random.default_rng(seed)
    cubes = rng.permutation(np.repeat(np.arange(6), BOX))[: round(inside * sum(BOX))]
    if isinstance(model, Layered):
        places = rng.permutation(np.repeat(np.arange(len(model.cells)), model.cells))
        for floor, colour in zip(places, cubes, strict=False):
            game.floor[floor, colour] += 1
        game.tower[:] = game.floor.sum(axis=0)
    else:
        game.tower[:] = np.bincount(cubes, minlength=6)
    game.engaged[:] = (BOX - game.tower) // 2
    game.tray[:] = BOX - game.tower - game.engaged
    key_game(game, 5, seed)
    key_streams(game, 2)
    return scene


@each_model
@pytest.mark.parametrize("inside", [0.0, 0.5, 0.95])
def test_a_cast_moves_the_towers_stream_by_a_fixed_number_of_words_and_no_other(model, inside):
    for scene in (scene_of(model), box_in(model, inside)):
        before = scene.game.random.tolist()
        cast(scene.game, scene.rules)
        expected = [*before]
        expected[TOWER] = (before[TOWER] + WORDS[type(model)] * GAMMA) % WORD
        assert scene.game.random.tolist() == expected


@each_model
@pytest.mark.parametrize("inside", [0.0, 0.3, 0.6, 0.95, 1.0])
def test_the_whole_box_goes_through_and_nothing_else_on_the_table_changes(model, inside):  # B0.2
    """Every other field holds a number of its own, so that a cube written beyond the scratch would show."""
    scene = box_in(model, inside)
    game = scene.game
    touched = {
        "tray",
        "tower",
        "floor",
        "fallen",
        "falling",
        "random",
        "engaged",
        "casts",
        "cubes_cast",
        "cubes_fallen",
    }
    others = [name for name in GAME.names if name not in touched]
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


@pytest.fixture
def draws(monkeypatch):
    """The words that a kernel in plain Python draws in turn, and the places of those it takes out of turn."""
    taken, in_turn = [], [0]
    drawing, below, word_after = tower.draw, tower.below, tower.word_after

    def counted(kernel):
        def call(game, *arguments):
            before = int(game.random[TOWER])
            result = kernel(game, *arguments)
            in_turn[0] += ((int(game.random[TOWER]) - before) * pow(GAMMA, -1, WORD)) % WORD
            return result

        return call

    def noted(start, place):
        taken.append(place)
        return word_after(start, place)

    monkeypatch.setattr(tower, "draw", counted(drawing))
    monkeypatch.setattr(tower, "below", counted(below))
    monkeypatch.setattr(tower, "uniform", lambda word: (int(word) >> 11) / (1 << 53))
    monkeypatch.setattr(tower, "word_after", noted)
    for name in ("_line_up", "_pass_floor", "_frailty"):
        monkeypatch.setattr(tower, name, getattr(getattr(tower, name), "py_func", getattr(tower, name)))
    return in_turn, taken


BIG = [(name, model) for name, model in PARAMETERS.items() if not isinstance(model, Independent)]


@pytest.mark.parametrize("model", [model for _, model in BIG], ids=[name for name, _ in BIG])
@pytest.mark.parametrize("inside", [0.0, 0.5, 0.95])
def test_no_cast_needs_more_words_than_it_takes(model, inside, draws):
    """And each floor's words are its own: a run of 2048 after those drawn in turn."""
    in_turn, taken = draws
    scene = box_in(model, inside)
    kernel = tower.cast_layered if isinstance(model, Layered) else tower.cast_urn
    getattr(kernel, "py_func", kernel)(scene.game, scene.rules)
    assert (scene.game.tray + scene.game.tower).tolist() == list(BOX)
    assert 0 < in_turn[0] < (1 << 14 if isinstance(model, Layered) else 1 << 15)
    if isinstance(model, Layered):
        floors = [(place - (1 << 14)) >> 11 for place in taken]
        assert floors == sorted(floors)
        assert set(floors) <= set(range(len(model.cells)))
        if model.clump == 1:
            assert len(taken) == len(set(taken)), "two cubes shared a number"


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


def test_a_record_that_served_one_model_serves_another():
    """The record of a game in one tower, then a game in each other: as on a fresh record."""
    used = new_game()[0]
    for first in PARAMETERS.values():
        for second in (PRESETS["spielbyweb"], PRESETS["mid-urn"], PRESETS["mid-layered"]):
            outcomes = []
            for game in (used, new_game()[0]):
                for model in (first, second) if game is used else (second,):
                    rules = scene_of(model).rules
                    clear_table(game, rules)
                    key_game(game, 4, 2)
                    key_streams(game, 0)
                    fill_tower(game, rules)
                outcomes.append((game.tower.tolist(), game.supply.tolist(), int(game.tower_after_fill)))
            assert outcomes[0] == outcomes[1]


def test_streams_are_as_many_as_the_tests_know():
    assert TOWER < STREAMS == len(new_game()[0].random)


def test_laying_out_a_table_leaves_the_floors_alone():
    """The tests above rely on it."""
    scene = scene_of(PRESETS["mid-layered"])
    scene.game.floor[:] = 1
    write_table(scene.table, scene.game)
    assert (scene.game.floor == 1).all()
