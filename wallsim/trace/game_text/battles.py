"""Reads the line of a battle: `fall 1 B x Salzburg 4:3 lost`, or what is noted of it: `Sachsen 5:3`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from wallsim.rules.ruleset import LETTERS
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ARMIES_PER_PLAYER, PEASANT_ARMIES, SEASON_NAMES, SEASONS
from wallsim.trace.game_text.model import END, END_WORD, PEASANTS_WORD, GameText, NotedBattle, Spot
from wallsim.trace.game_text.words import UNKNOWN, Word, county_of, number_of, quoted, region_of

RESULTS = ("won", "tie", "lost")
AGAINST = "x"
_FORM = (
    "allowed is such as fall 1 B x C Salzburg 4:3 lost, or B x Salzburg 4:1n won for a neutral county; what nobody "
    "remembers is left out"
)
_SIDES = re.compile(r"([0-9]+|\?):([0-9]+|\?)(n?)(!?)")


class _Who(NamedTuple):
    """An attacker: a seat, None where it is not noted; or peasants."""

    seat: int | None = None
    peasants: bool = False


def battle_of(words: list[Word], game: GameText) -> NotedBattle | None:
    """A battle from the words of its line; None, and a problem, if they cannot be read."""
    if not game.players:  # a problem already
        return None
    spot, words = words[0].spot, with_split_season(words)
    crosses = [number for number, word in enumerate(words) if word.text.lower() == AGAINST]
    if crosses:
        before, after = words[: crosses[0]], words[crosses[0] + 1 :]
    else:
        count = _season_words(words)
        before, after = words[:count], words[count:]
        if not after or after[0].text.upper() in tuple(game.letters()):
            game.refuse(after[0].spot if after else spot, f"this is not a battle; {_FORM}")
            return None
    start = _start(before, game)
    if start is None:
        return None
    season, who = start
    defender = None
    if after and after[0].text.upper() in (*game.letters(), UNKNOWN):
        defender = None if after[0].text == UNKNOWN else LETTERS.index(after[0].text.upper())
        after = after[1:]
    return _rest(after, (season, who, defender), spot, game)


def _season_words(words: list[Word]) -> int:
    """How many words at the beginning name a season: none, `end`, or two."""
    first = words[0].text.lower()
    return 1 if first == END_WORD else 2 if first in SEASONS else 0


def _start(words: list[Word], game: GameText) -> tuple[str, _Who] | None:
    """Season and attacker of the words before the cross; None, and a problem, for others."""
    left, who = words, _Who()
    if left and not (len(left) == _season_words(left) or (len(left) == 2 and left[1].text.isdigit())):
        found = _attacker(left[-1], game)
        if found is None:
            return None
        left, who = left[:-1], found
    if not left:
        return "", who
    season = season_of(left, SEASON_NAMES, game)
    count = _season_words(left)
    if season is not None and len(left) > count:
        game.refuse(left[count].spot, f"{quoted(left[count].text)} is between season and attacker; {_FORM}")
        return None
    return None if season is None else (season, who)


def _rest(words: list[Word], start: tuple[str, _Who, int | None], spot: Spot, game: GameText) -> NotedBattle | None:
    """The battle from the words after the owner: place, armies and result, each as far as it is noted."""
    season, who, defender = start
    at = next((number for number, word in enumerate(words) if _SIDES.fullmatch(word.text)), None)
    tail = words[at + 1 :] if at is not None else [word for word in words[-1:] if word.text.lower() in RESULTS]
    where = words[:at] if at is not None else words[: len(words) - len(tail)]
    if len(tail) > 1 or (tail and tail[0].text.lower() not in RESULTS):
        allowed = f"{', '.join(RESULTS)}{did_you_mean(tail[0].text.lower(), RESULTS)}"
        game.refuse(tail[0].spot, f"{quoted(tail[-1].text)} is not the attacker's result: {allowed}")
        return None
    unread = next((word for word in where if any(each.isdigit() for each in word.text)), None)
    if unread is not None:
        game.refuse(unread.spot, f"armies of both sides are missing; {_FORM}")
        return None
    good, place = _place(where, game)
    sides = None if at is None else _SIDES.fullmatch(words[at].text)
    numbers: tuple[int | None, int | None] | None = (None, None)
    kind, marked = "revolt" if who.peasants else "player", False
    if sides is not None and at is not None:
        kind, marked = _kind(who, sides), bool(sides[4])
        numbers = _numbers(words[at], sides, kind, who, game)
        _check_sides(spot, words[at], kind, (who.seat, defender), marked, game)
    if not good or numbers is None:
        return None
    result = tail[0].text.lower() if tail else ""
    return NotedBattle(season, kind, who.seat, defender, place, *numbers, marked, result, spot)


def _place(words: list[Word], game: GameText) -> tuple[bool, str]:
    """Whether the place of a battle could be read, and the county or region; "" if it is not noted."""
    text = " ".join(word.text for word in words)
    if text in ("", UNKNOWN):
        return True, ""
    region = region_of(text)
    if region:
        return True, region
    county = county_of(text, words[0].spot, game)
    return county is not None, county or ""


def _kind(who: _Who, sides: re.Match[str]) -> str:
    """The kind of a battle; peasants alone may come with no armies (B6.3)."""
    if who.peasants or (who.seat is None and sides[1] != UNKNOWN and number_of(sides[1]) == 0):
        return "revolt"
    return "neutral" if sides[3] else "player"


def with_split_season(words: list[Word]) -> list[Word]:
    """The words with a season in two: `fall1` is `fall 1`."""
    match = re.fullmatch(r"([A-Za-z]+)([0-9]+)", words[0].text)
    if match is None:
        return words
    first, spot = words[0], words[0].spot
    return [Word(match[1], spot), Word(match[2], first.at(len(match[1]))), *words[1:]]


def season_of(words: list[Word], seasons: Sequence[str], game: GameText) -> str | None:
    """The season that the first words name, one of `seasons`; None, and a problem, for another one."""
    first = words[0].text.lower()
    if first == END_WORD and END in seasons:
        return END
    name = f"{first} {words[1].text}" if len(words) > 1 else first
    if name in seasons:
        return name
    game.refuse(words[0].spot, f"{quoted(name)} is not a season: {', '.join(seasons)}{did_you_mean(name, seasons)}")
    return None


def _attacker(word: Word, game: GameText) -> _Who | None:
    if word.text.lower() == PEASANTS_WORD:
        return _Who(peasants=True)
    if word.text == UNKNOWN:
        return _Who()
    if word.text.upper() in tuple(game.letters()):
        return _Who(LETTERS.index(word.text.upper()))
    allowed = ", ".join((*game.letters(), PEASANTS_WORD, UNKNOWN))
    game.refuse(word.spot, f"{quoted(word.text)} is not an attacker: {allowed}")
    return None


def _numbers(
    word: Word, sides: re.Match[str], kind: str, who: _Who, game: GameText
) -> tuple[int | None, int | None] | None:
    """The armies of both sides, within what the box has (B0.2), None where unknown; peasants may be none (B6.3)."""
    at = word.at(len(sides[1]) + 1)
    of_armies, of_peasants = (1, ARMIES_PER_PLAYER), (0, PEASANT_ARMIES)
    of_anybody = (0, max(ARMIES_PER_PLAYER, PEASANT_ARMIES))
    attackers = of_peasants if kind == "revolt" else of_armies if who.seat is not None else of_anybody
    found: list[int | None] = []
    for text, (low, high), spot, name in (
        (sides[1], attackers, word.spot, "attackers"),
        (sides[2], of_peasants if kind == "neutral" else of_armies, at, "defenders"),
    ):
        number = number_of(text)
        if text != UNKNOWN and (number is None or not low <= number <= high):
            game.refuse(spot, f"{name}: allowed are whole numbers from {low} to {high}, and {UNKNOWN}")
        else:
            found.append(number)
    return (found[0], found[1]) if len(found) == len(("attackers", "defenders")) else None


def _check_sides(
    first: Spot, armies: Word, kind: str, seats: tuple[int | None, int | None], marked: bool, game: GameText
) -> None:
    attacker, defender = seats
    if attacker is not None and attacker == defender:
        game.refuse(first, f"{LETTERS[attacker]} attacks itself; a move to an own county is not a battle")
    if kind == "neutral" and defender is not None:
        game.refuse(armies.spot, "n is for a neutral county, which has no owner; leave out one of them")
    if marked and kind != "player":
        game.refuse(armies.spot, "! says that peasants did not help a player's county; leave it out here")
