"""The random words of a cast: always as many, each used once, and in the model `independent` each for its colour."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.mechanics.casts import BOX, PARAMETERS, box_in, each_model, scene_of
from tests.naive.rng import GAMMA, WORD, mix
from wallsim.mechanics import tower
from wallsim.mechanics.tower import cast
from wallsim.rules.terms import COLOURS
from wallsim.rules.tower import Independent, Layered, Urn
from wallsim.rules.tower_tables import FEW_CUBES
from wallsim.state.random import TOWER, key_game, key_streams

EVEN = Independent(0.5, 0.4)
WORDS = {Independent: 2 * COLOURS, Urn: 1 << 15, Layered: 1 << 15}  # random words that a cast takes

counts = st.lists(st.integers(0, 12), min_size=COLOURS, max_size=COLOURS)


@each_model
@pytest.mark.parametrize("inside", [0.0, 0.5, 0.95])
def test_a_cast_moves_the_towers_stream_by_a_fixed_number_of_words_and_no_other(model, inside):
    for scene in (scene_of(model), box_in(model, inside)):
        before = scene.game.random.tolist()
        cast(scene.game, scene.rules)
        expected = [*before]
        expected[TOWER] = (before[TOWER] + WORDS[type(model)] * GAMMA) % WORD
        assert scene.game.random.tolist() == expected


def alias(word, row):
    """Walker's draw from a row of an alias table, in plain integers: low bits choose, high bits decide."""
    column = word % len(row)
    entry = int(row[column])
    return column if word >> 6 < entry >> 6 else entry % 64


@given(counts, counts, st.integers(0, 10**6))
@example([FEW_CUBES] * COLOURS, [1] * COLOURS, 0)
@example([1] * COLOURS, [FEW_CUBES] * COLOURS, 1)
def test_every_colour_falls_by_two_words_of_its_own(thrown, inside, number):
    """Words 2 c and 2 c + 1 of the stream are for colour c: one for few cubes, else one each for thrown and held."""
    scene = scene_of(EVEN)
    key_game(scene.game, 5, number)
    key_streams(scene.game, 1)
    scene.game.tray[:], scene.game.engaged[:], scene.game.tower[:] = 0, thrown, inside
    start, rules = int(scene.game.random[TOWER]), scene.rules
    cast(scene.game, rules)
    for colour in range(COLOURS):
        first, second = (mix((start + (2 * colour + place + 1) * GAMMA) % WORD) for place in range(2))
        if thrown[colour] < FEW_CUBES and inside[colour] < FEW_CUBES:
            falls = alias(first, rules.joint_table[thrown[colour], inside[colour]])
        else:
            falls = alias(first, rules.pass_table[thrown[colour]])
            falls += alias(second, rules.release_table[inside[colour]])
        assert scene.game.fallen[colour] == falls, colour


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
