"""Reads the line of a battle: `fall 1 B x Salzburg 4:3 lost`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wallsim.rules.ruleset import LETTERS
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ARMIES_PER_PLAYER, PEASANT_ARMIES, SEASON_NAMES
from wallsim.trace.game_text.model import END, END_WORD, PEASANTS_WORD, GameText, NotedBattle, Problems
from wallsim.trace.game_text.words import Word, county_of, number_of, quoted

RESULTS = ("won", "tie", "lost")
_FORM = "allowed is such as fall 1 B x C Salzburg 4:3 lost, or B x Salzburg 4:1n won for a neutral county"
_SIDES = re.compile(r"([0-9]+):([0-9]+)(n?)(!?)")


def battle_of(
    words: list[Word], game: GameText, playing: Sequence[str], problems: Problems
) -> NotedBattle | None:  # fmt: skip
    """A battle from the words of its line; None, and a problem, if they cannot be read."""
    if not game.players:  # a problem already
        return None
    left = with_split_season(words)
    season = season_of(left, SEASON_NAMES, problems)
    if season is None:
        return None
    left = left[2:] if left[0].text.lower() != END_WORD else left[1:]
    spot = words[0].spot
    if len(left) < 5 or left[1].text.lower() != "x":
        problems.add(left[1].spot if len(left) > 1 else spot, f"this is not a battle; {_FORM}")
        return None
    attacker, known = _seat(left[0], game, problems)
    if not known:
        return None
    rest, defender = left[2:], None
    if rest[0].text.upper() in tuple(game.letters()):
        defender, rest = LETTERS.index(rest[0].text.upper()), rest[1:]
    sides = _SIDES.fullmatch(rest[-2].text) if len(rest) > 2 else None
    result = rest[-1].text.lower()
    if sides is None:
        problems.add(rest[-2].spot if len(rest) > 1 else spot, f"armies of both sides are missing; {_FORM}")
        return None
    if result not in RESULTS:
        allowed = f"{', '.join(RESULTS)}{did_you_mean(result, RESULTS)}"
        problems.add(rest[-1].spot, f"{quoted(rest[-1].text)} is not the attacker's result: {allowed}")
        return None
    county = county_of(" ".join(word.text for word in rest[:-2]), rest[0].spot, playing, problems)
    kind = "revolt" if attacker is None else "neutral" if sides[3] else "player"
    numbers = _numbers(rest[-2], sides, kind, problems)
    _check_sides(words[0], rest[-2], kind, (attacker, defender), bool(sides[4]), problems)
    if county is None or numbers is None:
        return None
    return NotedBattle(season, kind, attacker, defender, county, *numbers, bool(sides[4]), result, spot)


def with_split_season(words: list[Word]) -> list[Word]:
    """The words with a season in two: `fall1` is `fall 1`."""
    match = re.fullmatch(r"([A-Za-z]+)([0-9]+)", words[0].text)
    if match is None:
        return words
    first, spot = words[0], words[0].spot
    return [Word(match[1], spot), Word(match[2], first.at(len(match[1]))), *words[1:]]


def season_of(words: list[Word], seasons: Sequence[str], problems: Problems) -> str | None:
    """The season that the first words name, one of `seasons`; None, and a problem, for another one."""
    first = words[0].text.lower()
    if first == END_WORD and END in seasons:
        return END
    name = f"{first} {words[1].text}" if len(words) > 1 else first
    if name in seasons:
        return name
    problems.add(words[0].spot, f"{quoted(name)} is not a season: {', '.join(seasons)}{did_you_mean(name, seasons)}")
    return None


def _seat(word: Word, game: GameText, problems: Problems) -> tuple[int | None, bool]:
    if word.text.lower() == PEASANTS_WORD:
        return None, True
    if word.text.upper() in tuple(game.letters()):
        return LETTERS.index(word.text.upper()), True
    allowed = ", ".join((*game.letters(), PEASANTS_WORD))
    problems.add(word.spot, f"{quoted(word.text)} is not an attacker: {allowed}")
    return None, False


def _numbers(word: Word, sides: re.Match[str], kind: str, problems: Problems) -> tuple[int, int] | None:
    """The armies of both sides, within what the box has (B0.2); peasants may be none (B6.3)."""
    attackers, defenders = (number_of(each) for each in sides.groups()[:2])
    at = word.at(len(sides[1]) + 1)
    of_armies, of_peasants = (1, ARMIES_PER_PLAYER), (0, PEASANT_ARMIES)
    good = True
    for number, (low, high), spot, who in (
        (attackers, of_peasants if kind == "revolt" else of_armies, word.spot, "attackers"),
        (defenders, of_peasants if kind == "neutral" else of_armies, at, "defenders"),
    ):
        if number is None or not low <= number <= high:
            problems.add(spot, f"{who}: allowed are whole numbers from {low} to {high}")
            good = False
    return (attackers, defenders) if good and attackers is not None and defenders is not None else None


def _check_sides(
    first: Word, armies: Word, kind: str, seats: tuple[int | None, int | None], marked: bool, problems: Problems
) -> None:
    attacker, defender = seats
    if attacker is not None and attacker == defender:
        problems.add(first.spot, f"{LETTERS[attacker]} attacks itself; a move to an own county is not a battle")
    if kind == "neutral" and defender is not None:
        problems.add(armies.spot, "n is for a neutral county, which has no owner; leave out one of them")
    if marked and kind != "player":
        problems.add(armies.spot, "! says that peasants did not help a player's county; leave it out here")
    if kind == "revolt" and defender is None:
        problems.add(first.spot, "a revolt needs the owner of the county: such as peasants x B Salzburg 2:3 lost")
