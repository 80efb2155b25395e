"""Reads the line of a seat: `B 32v 0g 5t Lau5p Kär6c OPfa2!`."""

from __future__ import annotations

import re

from wallsim.rules.board import printed_board
from wallsim.rules.county_codes import meant_counties
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.setup_edits import lineup_of
from wallsim.rules.terms import BUILDINGS
from wallsim.trace.game_text.model import BUILDING_OF, START, GameText, Holding, Row
from wallsim.trace.game_text.words import UNKNOWN, Word, county_of, number_of, quoted

NUMBERS = {"v": "vp", "g": "grain", "t": "thalers", "h": "hall", "s": "taken"}
NUMBER_NAMES = {"v": "victory points", "g": "grain", "t": "Thalers", "h": "courtiers in the hall", "s": "statues taken"}
_COURT, _LEADERS = "court", "leaders"
_OF_EXPANSION = {"h": _COURT, "s": _LEADERS}
_NUMBER = re.compile(r"([0-9]+|\?)([A-Za-z])")
_HOLDING = re.compile(r"([^0-9?!@^]+)([0-9]+|\?)([^!]*)(!*)")
_LEADER, _STATUE = "@", "^"
_LINEUPS = ("line-up", "lineup")
_ALLOWED = "a number such as 32v, 5g or 7t, or a county with its armies such as Lau5p"
_MOST_MARKERS = 42  # B0.4


def read_row(words: list[Word], time: str, game: GameText) -> Row | None:
    """The row of a seat; None, and a problem, if the line does not begin with one."""
    first = words[0].text.removesuffix(":").upper()
    if not game.players:  # a problem already
        return None
    if first not in tuple(game.letters()):
        letters = ", ".join(game.letters())
        message = f"{quoted(words[0].text)} is not a seat ({letters}), events:, tray:, inside: or a season end"
        game.refuse(words[0].spot, message)
        return None
    row = Row(LETTERS.index(first), words[0].spot)
    rest = words[1:]
    if rest and rest[0].text.lower() in _LINEUPS:
        _read_lineup(rest, row, time, game)
        rest = rest[2:]
    for word in rest:
        _read_word(word, row, game)
    if time == START:
        _fill_start(row, game)
    return row


def _read_lineup(words: list[Word], row: Row, time: str, game: GameText) -> None:
    letter = words[1].text.upper() if len(words) > 1 else ""
    if time != START:
        game.refuse(words[0].spot, f"a line-up belongs into the section {START}; write the counties here")
    elif letter not in tuple(game.letters()):
        spot = words[1].spot if len(words) > 1 else words[0].spot
        game.refuse(spot, f"{quoted(letter)} is not a line-up of {game.players} players: {', '.join(game.letters())}")
    else:
        board = printed_board()
        row.lineup = letter
        row.spots["line-up"] = words[0].spot
        groups = [(board.counties[group.county], group.armies) for group in lineup_of(board, game.ruleset(), letter)]
        playing = game.playing()
        row.holdings += [Holding(name, armies, (), 0, words[1].spot) for name, armies in groups if name in playing]


def _read_word(word: Word, row: Row, game: GameText) -> None:
    number = _NUMBER.fullmatch(word.text)
    if number:
        _read_number(word, number[1], number[2].lower(), row, game)
    elif word.text[0] in (_LEADER, _STATUE):
        _read_leader(word, row, game)
    else:
        match = _HOLDING.fullmatch(word.text) or _named_county(word.text)
        if match is None:
            game.refuse(word.spot, f"{quoted(word.text)} is not {_ALLOWED}")
        else:
            _read_holding(word, match, row, game)


def _named_county(text: str) -> re.Match[str] | None:
    """A county whose armies are left out, which are then unknown."""
    names = printed_board().counties
    name = text.rstrip("!")
    return _HOLDING.fullmatch(f"{name}{UNKNOWN}{text[len(name) :]}") if meant_counties(name, names, names) else None


def _read_number(word: Word, text: str, letter: str, row: Row, game: GameText) -> None:
    if letter not in NUMBERS:
        allowed = ", ".join(f"{each} for {NUMBER_NAMES[each]}" for each in NUMBERS)
        game.refuse(word.at(len(text)), f"{quoted(word.text)} ends with {quoted(letter)}; allowed are {allowed}")
        return
    if letter in row.spots:
        game.refuse(word.spot, f"{NUMBER_NAMES[letter]} of {LETTERS[row.seat]} are there twice; write them once")
        return
    row.spots[letter] = word.spot
    expansion = _OF_EXPANSION.get(letter, "")
    if expansion and expansion not in game.expansions:
        game.refuse(word.spot, f"{NUMBER_NAMES[letter]}: the expansion {expansion} is not played; see expansions:")
    if text == UNKNOWN and expansion:
        row.unsaid.add(letter)
        return
    value = None if text == UNKNOWN else number_of(text)
    if text != UNKNOWN and value is None:
        game.refuse(word.spot, f"{quoted(text)} is too long; a number has at most four digits")
    setattr(row, NUMBERS[letter], value)


def _read_leader(word: Word, row: Row, game: GameText) -> None:
    kind = "leader" if word.text[0] == _LEADER else "statue"
    if _LEADERS not in game.expansions:
        game.refuse(word.spot, f"{kind}: the expansion {_LEADERS} is not played; see expansions:")
        return
    county = county_of(word.text[1:], word.at(1), game)
    if county is None:
        return
    if kind == "statue":
        row.statues.append(county)
    elif row.leader is not None:
        game.refuse(word.spot, f"the leader of {LETTERS[row.seat]} is there twice; write one county")
    else:
        row.leader = county


def _read_holding(word: Word, match: re.Match[str], row: Row, game: GameText) -> None:
    code, armies, letters, markers = match.groups()
    county = county_of(code, word.spot, game)
    at, built = len(code) + len(armies), []
    for offset, letter in enumerate(letters.lower()):
        if letter not in BUILDING_OF:
            allowed = "p palace, c church, t trading post, and after them ! for each revolt marker"
            game.refuse(word.at(at + offset), f"{quoted(letter)} is not a building; allowed are {allowed}")
        elif BUILDING_OF[letter] in built:
            game.refuse(word.at(at + offset), f"{quoted(letter)} is there twice; a county has one of a kind (B5.3)")
        else:
            built.append(BUILDING_OF[letter])
    count = None if armies == UNKNOWN else number_of(armies)
    if armies != UNKNOWN and count is None:
        game.refuse(word.at(len(code)), f"{quoted(armies)} is too long; a number has at most four digits")
    if len(markers) > _MOST_MARKERS:
        game.refuse(word.spot, f"{len(markers)} revolt markers; the game has {_MOST_MARKERS} (B0.4)")
    if county is not None:
        kinds = tuple(kind for kind in BUILDINGS if kind in built)
        row.holdings.append(Holding(county, count, kinds, len(markers), word.spot))


def _fill_start(row: Row, game: GameText) -> None:
    """At the start what is not written is as printed."""
    printed = {"v": 0, "g": 0, "t": game.ruleset().starting_thalers()[row.seat]}
    for letter in (each for each in printed if each not in row.spots):
        setattr(row, NUMBERS[letter], printed[letter])
