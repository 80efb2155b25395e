"""One intervention of an experiment, the words in its fields, and when it happens: a mask of moments, read from words.

Bit 0 is the start, bit 1 + 4 * year + season a season (`wallsim.state.random` numbers its streams likewise), and one
more bit stands for "turn": the round whose number is the game's number div players, modulo 6.
"""

from __future__ import annotations

from dataclasses import dataclass
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


CANCELLED, ABSENT, NONE, LAST, BY_TURN, PASS = "cancelled", "absent", "none", "last", "turn", "pass"
GIFTS = ("thalers", "grain", "vp", "armies")
OF_SEAT = "of seat "


@dataclass(frozen=True)
class Step:
    """One intervention with its defaults filled in.

    `seat` is a number, a line-up's letter or "turn", None where there is none; `rounds` a mask of moments, see
    `wallsim.rules.intervention_step`; `to` an event, tile, place, number of a seat or box, by kind.
    """

    do: str
    rounds: int
    seat: int | str | None = None
    to: int | str | None = None
    card: str | None = None
    gifts: tuple[int, int, int, int] = (0, 0, 0, 0)
    counties: tuple[str, ...] = ()

    @property
    def is_null(self) -> bool:
        """Whether the step changes nothing in any game, for all that can be known without playing."""
        if self.rounds == 0 or (self.do == "hand" and not any(self.gifts)):
            return True
        return (self.do == "tile" and self.to == self.seat and isinstance(self.to, int)) or (
            self.do == "trade" and len(set(self.counties)) < 2
        )

    def words(self) -> dict[str, Any]:
        """The step as plain values, the same for every way to write it: part of a run's identity."""
        named: dict[str, Any] = {"do": self.do, "round": words_of(self.rounds)}
        if self.seat is not None:
            named["seat"] = self.seat
        if self.do == "plan":
            named |= {"box": self.to, "card": self.counties[0] if self.counties else PASS}
            return named
        if self.to is not None:
            named["to"] = f"{OF_SEAT}{self.to}" if self.do == "tile" and isinstance(self.to, int) else self.to
        if self.card is not None:
            named["card"] = self.card
        named |= {name: gift for name, gift in zip(GIFTS, self.gifts, strict=True) if gift}
        if self.counties:
            named["counties"] = list(self.counties)
        return named
