"""The random streams: exact bounded integers, fairness, and games that depend on nothing but their number."""

from collections import Counter
from itertools import permutations
from math import sqrt

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from tests.naive.rng import GAMMA, WORD, chi_square_z, many_draws, mix, state_before, unmix
from wallsim.state.game import new_game
from wallsim.state.random import STREAMS, below, coin, draw, key_game, key_streams, shuffle

MOMENTS = 9  # set-up, then two years of four seasons

STREAM = 3


def keyed(seed=1, number=0, moment=0):
    """A GAME record whose streams stand at the start of a moment."""
    game = new_game()[0]
    key_game(game, seed, number)
    key_streams(game, moment)
    return game


def test_the_words_are_those_of_splitmix64():
    """The published first words of the generator for the seed 1234567."""
    game = new_game()[0]
    game.random[STREAM] = 1234567
    words = [int(draw(game, STREAM)) for _ in range(3)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(0, WORD - 1))
def test_the_finaliser_loses_nothing(word):
    assert unmix(mix(word)) == word


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**62))
@example(2**63 - 1, 2**62)
def test_a_games_key_is_a_hash_of_seed_and_number(seed, number):
    expected = mix((mix((seed + GAMMA) % WORD) + number * GAMMA) % WORD)
    assert int(keyed(seed, number).key) == expected


@given(st.integers(0, 2**32 - 1), st.integers(1, 2**32 - 1))
@example(0, 3)
@example(2**32 - 1, 3)
@example(2**31, 2**31 + 1)
@example(1, 2**32 - 1)
def test_bounded_integers_are_exact(high, limit):
    """Of the 2**32 half words all but `2**32 % limit` are used, equally many for each outcome."""
    game = keyed()
    game.random[STREAM] = state_before(high << 32)
    result = int(below(game, STREAM, limit))
    if (high * limit) % 2**32 >= 2**32 % limit:
        assert result == high * limit >> 32
        assert int(game.random[STREAM]) == (state_before(high << 32) + GAMMA) % WORD
    else:  # rejected: a further word was drawn
        assert int(game.random[STREAM]) != (state_before(high << 32) + GAMMA) % WORD
    assert 0 <= result < limit


def test_a_limit_of_one_leaves_no_choice():
    game = keyed()
    assert [below(game, STREAM, 1) for _ in range(20)] == [0] * 20


@many_draws
def test_the_coin_is_fair_and_remembers_nothing():
    game, throws = keyed(3), 20000
    heads = np.array([bool(coin(game, STREAM)) for _ in range(throws)])
    assert abs(heads.mean() - 0.5) < 4 * 0.5 / sqrt(throws)
    assert abs((heads[1:] == heads[:-1]).mean() - 0.5) < 4 * 0.5 / sqrt(throws)


@many_draws
def test_every_order_of_a_shuffle_is_equally_likely():
    game, orders = keyed(4), Counter()
    for _ in range(9000):
        items = np.arange(4)
        shuffle(game, STREAM, items, 4)
        orders[tuple(map(int, items))] += 1
    assert set(orders) == set(permutations(range(4)))
    assert abs(chi_square_z(orders.values())) < 4


@given(st.integers(0, 12), st.integers(0, 1000))
def test_a_shuffle_moves_only_the_first_items(count, number):
    game, items = keyed(5, number), np.arange(12)
    shuffle(game, STREAM, items, count)
    assert sorted(items[:count]) == list(range(count))
    assert list(items[count:]) == list(range(count, 12))


def test_streams_moments_games_and_seeds_differ():
    words = set()
    for seed in (0, 1, 2**62):
        for number in (0, 1, 2, 10**9):
            for moment in range(MOMENTS):
                game = keyed(seed, number, moment)
                words |= {int(draw(game, stream)) for stream in range(STREAMS) for _ in range(3)}
    assert len(words) == 3 * 4 * MOMENTS * STREAMS * 3


def test_a_moment_starts_the_same_whatever_was_drawn_before():
    fresh, used = keyed(6, 7, 0), keyed(6, 7, 0)
    for stream in range(STREAMS):
        draw(used, stream)
    key_streams(fresh, 5)
    key_streams(used, 5)
    assert list(fresh.random) == list(used.random)


def test_drawing_from_one_stream_leaves_the_others_alone():
    game = keyed(8)
    before = [int(word) for word in game.random]
    draw(game, STREAM)
    after = [int(word) for word in game.random]
    assert [stream for stream in range(STREAMS) if before[stream] != after[stream]] == [STREAM]


@many_draws
def test_first_words_of_neighbouring_games_are_scattered():
    """Each of the 64 bits of the first word is fair over consecutive games, and free of the one before."""
    games = 3000
    words = np.array([int(draw(keyed(1, number, 1), STREAM)) for number in range(games)], dtype=np.uint64)
    bits = (words[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / sqrt(games)
    changed = bits[1:] != bits[:-1]
    assert np.abs(changed.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / sqrt(games)
