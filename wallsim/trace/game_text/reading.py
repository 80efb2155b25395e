"""Reads the text of a game, or of one position, and notes what cannot be read; `checks` says what cannot be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import EVENTS_PER_YEAR, EXPANSIONS, MAX_PLAYERS, MIN_PLAYERS
from wallsim.trace.game_text.battles import battle_of
from wallsim.trace.game_text.model import END, END_WORD, PEASANTS_WORD, TIMES, GameText, Section, Spot, time_word
from wallsim.trace.game_text.plans import read_plan_line
from wallsim.trace.game_text.report import KEYS as SAID
from wallsim.trace.game_text.report import SCORES, read_said, scores_in
from wallsim.trace.game_text.rows import read_row
from wallsim.trace.game_text.words import UNKNOWN, lines_of, not_one_of, number_of, quoted, words_of

BATTLES, PLANS = LISTS = ("battles", "plans")  # sections of one line for each battle and plan
_HEAD = ("players", "game", "edition", "expansions", "changed", "tower", "strength", *SAID)
_KEY = re.compile(r"\s*([A-Za-z]+)\s*:")
_TIMES = re.compile(r"(start|end|(?:spring|summer|fall|winter)\s*[0-9]+|battles|plans)\s*:?", re.IGNORECASE)
_EDITIONS = ("2e", "1e")
_NONE = "none"
UNEQUAL = "unequal"
_STRENGTHS = ("equal", UNEQUAL, UNKNOWN)  # of the players
_LONGEST_NAME = 60
_OF_SECTIONS = ("events", "tray", "inside")
_MOST_LINES = 2_000


def read_text(text: str, source: str = "game") -> GameText:
    """What a text says; whatever cannot be read is noted in its `problems`, and left out."""
    return _Reader(GameText(source)).read(lines_of(text))


class _Reader:
    """Reads line after line into a game."""

    def __init__(self, game: GameText) -> None:
        self._game = game
        self._section: Section | None = None
        self._list = ""  # the one of LISTS that is being read
        self._seen: dict[str, int] = {}
        self._said: list[tuple[str, str, Spot]] = []  # what a report says, read when all names are known

    def read(self, lines: list[tuple[int, str]]) -> GameText:
        if not lines:
            self._game.refuse(Spot(1, 1), "the text is empty; begin with a line such as players: 4")
        elif not any(re.match(r"\s*players\s*:", line, re.IGNORECASE) for _, line in lines):
            self._count_scores(lines)
        for number, line in lines[:_MOST_LINES]:
            self._line(number, line)
        read_said(self._said, self._game)
        for number, _ in lines[_MOST_LINES : _MOST_LINES + 1]:
            self._game.refuse(Spot(number, 1), f"the text goes on after {_MOST_LINES} lines; at most so many are read")
        return self._game

    def _line(self, number: int, line: str) -> None:
        spot = Spot(number, len(line) - len(line.lstrip()) + 1)
        heading = _TIMES.fullmatch(line.strip())
        key = _KEY.match(line)
        if heading:
            self._heading(" ".join(re.findall(r"[a-z]+|[0-9]+", heading[1].lower())), spot)
        elif key and self._section is None and not self._list:
            self._head_line(key[1], line[key.end() :], key.end(), spot)
        elif self._list == PLANS:
            read_plan_line(number, line, self._game)
        elif self._list == BATTLES:
            battle = battle_of(words_of(number, line), self._game)
            self._game.battles += [battle] if battle else []
        elif self._section is not None:
            self._section_line(key, line, spot)
        else:
            known = (*_HEAD, *LETTERS)
            message = f"{quoted(line.strip())} is not a line KEY: VALUE; keys are {', '.join(known)}"
            of_seat = "; what a seat has is below a season end such as end" if line.split()[0] in LETTERS else ""
            self._game.refuse(spot, f"{message}{of_seat}")

    def _heading(self, words: str, spot: Spot) -> None:
        time = END if words == END_WORD else words
        if time not in LISTS and time not in TIMES:
            self._game.refuse(spot, f"{quoted(words)} is not a season end of a game: {', '.join(TIMES[:-1])}, end")
            self._section, self._list = Section(time, spot), ""  # read, and left out
            return
        if time in self._seen:
            self._game.refuse(spot, f"{time_word(time)} begins on line {self._seen[time]} already; write it once")
        elif time in TIMES and any(TIMES.index(each) > TIMES.index(time) for each in self._game.sections):
            self._game.refuse(spot, f"{time_word(time)} comes after a later season end; put it before that")
        self._seen.setdefault(time, spot.line)
        self._list = time if time in LISTS else ""
        self._section = None if self._list else Section(time, spot)
        if self._section is not None:
            self._game.sections.setdefault(time, self._section)

    def _count_scores(self, lines: list[tuple[int, str]]) -> None:
        """Take the number of players from the scores, if there are as many as players can be."""
        heads = [(_KEY.match(line), line) for _, line in lines]
        scores = [line[key.end() :] for key, line in heads if key and key[1].lower() == SCORES]
        count = len(scores_in(scores[0])) if scores else 0
        if MIN_PLAYERS <= count <= MAX_PLAYERS:
            self._game.players = count
            return
        self._game.refuse(Spot(lines[0][0], 1), "players: is missing; begin with a line such as players: 4")

    # ------------------------------------------------------------------------------------------------ the head

    def _head_line(self, key: str, rest: str, first: int, spot: Spot) -> None:
        value = rest.strip()
        there = Spot(spot.line, first + len(rest) - len(rest.lstrip()) + 1)
        name = key if key in LETTERS else key.lower()
        if name in self._seen and name not in SAID:
            self._game.refuse(spot, f"{name}: is on line {self._seen[name]} already; write it once")
            return
        self._seen[name] = spot.line
        self._game.spots.setdefault(name, there)
        if name in _HEAD:
            self._head_value(name, value, there)
        elif name in LETTERS:
            self._name(name, value, spot, there)
        else:
            known = (*_HEAD, *LETTERS)
            self._game.refuse(spot, f"{quoted(key)} is not one of {', '.join(known)}{did_you_mean(name, known)}")

    def _head_value(self, name: str, value: str, spot: Spot) -> None:
        """What the head says of the game; players and editions that there are not are left out."""
        game = self._game
        if name == "players":
            number = number_of(value) or 0
            if MIN_PLAYERS <= number <= MAX_PLAYERS:
                game.players = number
            else:
                game.refuse(spot, f"players: {quoted(value)} is not 3, 4 or 5")
        elif name == "game":
            game.title = self._cut_off(name, "title", value, spot)
        elif name == "edition":
            if value in _EDITIONS:
                game.edition = value
            else:
                game.refuse(spot, f"edition: {quoted(value)} is not one of {', '.join(_EDITIONS)}")
        elif name == "expansions":
            names, allowed = _names(value), ", ".join((*EXPANSIONS, _NONE))
            for each in (each for each in names if each not in EXPANSIONS):
                message = f"{quoted(each)} is not one of {allowed}{did_you_mean(each, EXPANSIONS)}"
                game.refuse(spot, f"expansions: {message}")
            game.expansions = tuple(each for each in EXPANSIONS if each in names)
        elif name == "changed":
            game.changed = tuple(_names(value))
        elif name == "tower":
            game.tower = value
        elif name == "strength":
            if value.lower() not in _STRENGTHS:
                game.refuse(spot, f"strength: {not_one_of(value, _STRENGTHS)}")
            game.unequal = value.lower() == UNEQUAL
        else:
            self._said.append((name, value, spot))

    def _name(self, letter: str, value: str, spot: Spot, there: Spot) -> None:
        seat = LETTERS.index(letter)
        if self._game.players and seat >= self._game.players:
            allowed = ", ".join(self._game.letters())
            self._game.refuse(spot, f"{letter}: there are {self._game.players} players; seats are {allowed}")
        self._game.names[seat] = self._cut_off(letter, "name", value, there)

    def _cut_off(self, key: str, what: str, value: str, spot: Spot) -> str:
        if len(value) > _LONGEST_NAME:
            message = f"{key}: a {what} of {len(value)} characters; at most {_LONGEST_NAME} are allowed"
            self._game.refuse(spot, message)
        return value[:_LONGEST_NAME]

    # --------------------------------------------------------------------------------------------- season ends

    def _section_line(self, key: re.Match[str] | None, line: str, spot: Spot) -> None:
        assert self._section is not None
        name = key[1].lower() if key else ""
        if key and name in _HEAD:
            self._game.refuse(spot, f"{name}: belongs above the first season end; move it there")
        elif key and name in _OF_SECTIONS:
            if name in self._section.spots:
                where = self._section.spots[name].line
                self._game.refuse(spot, f"{name}: is on line {where} already; write it once for a season end")
                return
            self._section.spots[name] = spot
            if name == "events":
                self._events(line[key.end() :], Spot(spot.line, key.end() + 1))
            else:
                self._cubes(name, line, key.end(), spot.line)
        else:
            row = read_row(words_of(spot.line, line), self._section.time, self._game)
            if row is None:
                return
            if row.seat in self._section.rows:
                where = self._section.rows[row.seat].spot.line
                message = f"seat {LETTERS[row.seat]} is on line {where} already; write one line for each seat"
                self._game.refuse(spot, message)
                return
            self._section.rows[row.seat] = row

    def _events(self, value: str, spot: Spot) -> None:
        assert self._section is not None
        known, names = printed_board().events, _names(value)
        for name in (each for each in names if each not in known):
            self._game.refuse(spot, f"events: {not_one_of(name, known)}")
        if len(set(names)) < len(names):
            self._game.refuse(spot, "events: one of them is there twice; the cards are all different")
        if len(names) > EVENTS_PER_YEAR:
            self._game.refuse(spot, f"events: {len(names)} are open; at most {EVENTS_PER_YEAR} are (B1.8)")
        self._section.events = tuple(name for name in dict.fromkeys(names) if name in known)[:EVENTS_PER_YEAR]

    def _cubes(self, name: str, line: str, first: int, number: int) -> None:
        assert self._section is not None
        pile: dict[str, int] = {}
        allowed = (*self._game.letters(), PEASANTS_WORD)
        for word in words_of(number, line, first):
            match = re.fullmatch(r"([A-Za-z]+?)([0-9]{1,4})", word.text)
            colour = "" if match is None else match[1].upper() if len(match[1]) == 1 else match[1].lower()
            if match is None or colour not in allowed:
                message = f"{name}: {quoted(word.text)} is not cubes such as A3, with {', '.join(allowed)}"
                self._game.refuse(word.spot, message)
            elif colour in pile:
                self._game.refuse(word.spot, f"{name}: {colour} is there already; write each colour once")
            else:
                pile[colour] = int(match[2])
        setattr(self._section, name, pile)


def _names(value: str) -> Sequence[str]:
    names = [each for each in re.split(r"[,\s]+", value) if each]
    return [] if names == [_NONE] else names
