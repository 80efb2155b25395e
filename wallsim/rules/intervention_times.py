"""When an intervention happens: a mask of moments, read from words.

Bit 0 is the start, bit 1 + 4 * year + season a season (`wallsim.state.random` numbers its streams likewise), and one
more bit stands for "turn": the round whose number is the game's number div players, modulo 6.
"""

from __future__ import annotations

from typing import Any

from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES, YEARS

START_WORD, EVERY, TURN_WORD = "start", "every", "turn"
_SEASON_BITS = {name: 1 << place for place, name in enumerate(SEASON_NAMES, start=1)}
TURN_BIT = 1 + len(SEASON_NAMES)
START, TURN = 1, 1 << TURN_BIT
EVERY_ROUND = sum(_SEASON_BITS[name] for name in ROUND_NAMES)
WINTERS = sum(_SEASON_BITS.values()) - EVERY_ROUND
_SEASONS_OF_YEAR = tuple(
    sum(_SEASON_BITS[name] for name in SEASON_NAMES if name.endswith(f" {year + 1}")) for year in range(YEARS)
)
_WORDS = {START_WORD: START, **_SEASON_BITS, EVERY: EVERY_ROUND, TURN_WORD: TURN}
_YEAR_WORDS = {f"year {year + 1}": bits & EVERY_ROUND for year, bits in enumerate(_SEASONS_OF_YEAR)}


def parse_rounds(value: Any, allowed: int, *, years: bool = False) -> tuple[int, str]:
    """The mask of a word or a list of words, within `allowed`; and what is wrong, or an empty text.

    An empty list is no round. With `years` also "year 1" and "year 2", for all rounds of a year.
    """
    known = {word: bits for word, bits in _WORDS.items() if bits & ~allowed == 0}
    if years:
        known |= _YEAR_WORDS
    mask = 0
    for word in value if isinstance(value, list | tuple) else [value]:
        if not isinstance(word, str) or word not in known:
            return 0, f"is not one of {', '.join(known)}, or a list of them{did_you_mean(word, known)}"
        mask |= known[word]
    if mask & TURN and mask != TURN:
        return 0, f"has {TURN_WORD} beside other rounds; allowed is {TURN_WORD} alone"
    return mask, ""


def words_of(mask: int) -> list[str]:
    """The words of a mask, one for each of its bits."""
    single = {START_WORD: START, **_SEASON_BITS, TURN_WORD: TURN}
    return [word for word, bit in single.items() if mask & bit]


def years_of(mask: int) -> set[int]:
    """The years, from 0, in which a mask has a round; both for "turn"."""
    if mask & TURN:
        return set(range(YEARS))
    return {year for year, bits in enumerate(_SEASONS_OF_YEAR) if mask & bits}


def overlap(one: int, other: int) -> bool:
    """Whether two masks have a round in common, in some game."""
    if (one | other) & TURN:
        return bool(one & (EVERY_ROUND | TURN) and other & (EVERY_ROUND | TURN))
    return bool(one & other)
