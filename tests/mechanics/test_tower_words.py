"""The random words of a cast: always as many, each used once, and in the model `independent` each for its colour."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.mechanics.casts import scene_of
from tests.naive.rng import GAMMA, JIT, WORD, mix
from wallsim.mechanics.tower import cast
from wallsim.rules.terms import COLOURS
from wallsim.rules.tower import Independent, Layered, Urn
from wallsim.rules.tower_tables import FEW_CUBES
from wallsim.state import random
from wallsim.state.random import TOWER, key_game, key_streams

EVEN = Independent(0.5, 0.4)
URN = Urn(0.6, 30.0, 0.05, 1.0)
FLOORS = Layered((6, 6), (0.8, 0.7), (0.2, 0.3))
WORDS = {EVEN: 2 * COLOURS, URN: 1 << 15, FLOORS: 1 << 15}

counts = st.lists(st.integers(0, 12), min_size=COLOURS, max_size=COLOURS)


def laid_out(model, thrown, inside, number=0):
    """A table of five whose colours throw and hold these cubes."""
    scene = scene_of(model)
    key_game(scene.game, 5, number)
    key_streams(scene.game, 1)
    scene.game.tray[:], scene.game.engaged[:], scene.game.tower[:] = 0, thrown, inside
    scene.game.floor[0] = inside if isinstance(model, Layered) else 0
    return scene


def moved(scene, start):
    """The number of words by which the tower's stream has moved."""
    return (int(scene.game.random[TOWER]) - start) * pow(GAMMA, -1, WORD) % WORD


@pytest.mark.parametrize("model", WORDS)
@pytest.mark.parametrize(("thrown", "inside"), [(0, 0), (1, 0), (0, 1), (3, 1), (7, 7), (9, 1), (2, 9), (12, 12)])
def test_a_cast_moves_the_stream_by_the_same_number_of_words_whatever_it_holds(model, thrown, inside):
    scene = laid_out(model, thrown, min(inside, 1) if model is FLOORS else inside)
    start = int(scene.game.random[TOWER])
    cast(scene.game, scene.rules)
    assert moved(scene, start) == WORDS[model]


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
    scene = laid_out(EVEN, thrown, inside, number)
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
def drawn(monkeypatch):
    """The places in their stream of the words that are drawn, as they are drawn; the tower's begins at `start[0]`."""
    places, start, real = [], [0], random.mix

    def noted(word):
        places.append((int(word) - start[0]) * pow(GAMMA, -1, WORD) % WORD - 1)
        return real(word)

    monkeypatch.setattr(random, "mix", noted)
    return places, start


@pytest.mark.skipif(JIT, reason="compiled kernels cannot be watched")
@pytest.mark.parametrize("model", WORDS)
@pytest.mark.parametrize(("thrown", "inside"), [(0, 1), (3, 1), (7, 2), (9, 1), (2, 9), (10, 10)])
def test_no_word_of_a_cast_is_drawn_twice(model, thrown, inside, drawn):
    places, start = drawn
    inside = min(inside, 1) if model is FLOORS else inside
    scene = laid_out(model, thrown, inside)
    start[0] = int(scene.game.random[TOWER])
    places.clear()
    cast(scene.game, scene.rules)
    assert len(places) == len(set(places))
    assert all(0 <= place < WORDS[model] for place in places)
    if model is EVEN:
        few = thrown < FEW_CUBES and inside < FEW_CUBES
        assert len(places) == COLOURS * (1 if few else 2)
    elif model is URN:  # one for each cube inside; for each thrown one which it is, and whether it stays
        assert len(places) == COLOURS * (inside + 2 * thrown)
    else:  # for each cube which it is, and a number on each floor it meets
        assert COLOURS * 2 * thrown <= len(places)
