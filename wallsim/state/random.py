"""The random streams: counter-based SplitMix64 words that depend on (seed, game, moment, stream) and nothing else.

Each purpose has a stream of its own, keyed again at every moment of a game (set-up, and each season), so that two games
that differ in one thing have the same random numbers again from the next season on. SplitMix64 (Steele, Lea and Flood
2014) keeps one word per stream, so re-keying one takes a few multiplications; bounded integers are exact by Lemire's
method (2019). Streams start at hashed, hence scattered, places of a cycle of 2**64.
"""

import numpy as np

from wallsim.jit import kernel

CARDS, TIES, TOWER, WINTER_DRAWS, SETUP, SEAT = range(6)  # SEAT + s: the private stream of seat s
STREAMS = 10

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)


@kernel
def mix(word):
    """SplitMix64's finaliser: a bijection of uint64 that scatters neighbouring words."""
    word = (word ^ (word >> _30)) * _MULTIPLIER_1
    word = (word ^ (word >> _27)) * _MULTIPLIER_2
    return word ^ (word >> _31)


@kernel
def key_game(game, seed, number):
    """Name the game: `game.key` becomes a hash of `seed` and `number` (integers, not negative)."""
    game.number = number
    game.key = mix(mix(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)


@kernel
def key_stream(game, stream, moment):
    """Key one stream for `moment`."""
    game.random[stream] = mix(game.key + np.uint64(moment * 16 + stream + 1) * GAMMA)


@kernel
def key_streams(game, moment):
    """Key every stream for `moment` (0 set-up, then 1 + 4 * year + season)."""
    for stream in range(STREAMS):
        key_stream(game, stream, moment)


@kernel
def draw(game, stream):
    """The next 64 random bits of a stream, as uint64."""
    game.random[stream] += GAMMA
    return mix(game.random[stream])


@kernel
def word_after(start, drawn):
    """The word that a stream standing at `start` gives after `drawn` others: lets a kernel draw several at once."""
    return mix(start + np.uint64(drawn + 1) * GAMMA)


@kernel
def skip(game, stream, words):
    """Move a stream past words that were drawn with `word_after`."""
    game.random[stream] += np.uint64(words) * GAMMA


@kernel
def below(game, stream, limit):
    """A uniform integer 0 <= n < limit as int64, exact for 1 <= limit < 2**32 (Lemire's method)."""
    bound = np.uint64(limit)
    product = (draw(game, stream) >> _32) * bound
    if (product & _LOW_HALF) < bound:
        threshold = (np.uint64(0x100000000) - bound) % bound
        while (product & _LOW_HALF) < threshold:
            product = (draw(game, stream) >> _32) * bound
    return np.int64(product >> _32)


@kernel
def coin(game, stream):
    """True or False, each with probability one half."""
    return np.int64(draw(game, stream) >> np.uint64(63)) == 1


@kernel
def shuffle(game, stream, items, count):
    """Put the first `count` entries of an int64 array into uniform random order (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(game, stream, last + 1)
        items[last], items[other] = items[other], items[last]
