"""Reads what people report of a game without a photo: final scores, who led and won, and who owned a county."""

from __future__ import annotations

import re
from itertools import takewhile

from wallsim.rules.board import printed_board
from wallsim.rules.county_codes import meant_counties
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.suggestions import did_you_mean
from wallsim.trace.game_text.model import END, START, GameText, OwnedCounty, Row, Section, Spot
from wallsim.trace.game_text.words import UNKNOWN, Word, county_of, number_of, pieces, quoted

SCORES, LED, WON, OWNED = "scores", "led", "won", "owned"
KEYS = (SCORES, LED, WON, OWNED)
_SCORE = re.compile(r"(?:(.*\S)[\s:]+)?([0-9]+|\?)")
_LONGEST_NAME, _WORDS_OF_NAME = 60, 3


def scores_in(value: str) -> list[str]:
    """The scores of a line, each with the name before it if there is one: `45 38 36` or `Anna 45, Ben 38`."""
    parts = [part.strip() for part in re.split(r"[,;]", value) if part.strip()]
    return value.replace(",", " ").split() if all(not re.search(r"[^\W\d_]", part) for part in parts) else parts


def read_said(lines: list[tuple[str, str, Spot]], game: GameText) -> None:
    """Add to the game what the lines of a report say; scores come first, since they may name the seats."""
    if not game.players:  # a problem already
        return
    seats_of = _Seats(game)
    for key, value, spot in sorted(lines, key=lambda each: KEYS.index(each[0])):
        if key == SCORES:
            _read_scores(value, spot, game, seats_of)
        elif key == OWNED:
            for part in pieces(Word(value, spot), ";"):
                _read_owned(part, game, seats_of)
        else:
            seats = [seats_of.find(word.text, word.spot, key) for word in pieces(Word(value, spot), ",")]
            known = tuple(dict.fromkeys(seat for seat in seats if seat is not None))
            if key == LED:
                game.led = known
            else:
                game.won = known


def _read_scores(value: str, spot: Spot, game: GameText, seats_of: _Seats) -> None:
    parts = scores_in(value)
    if len(parts) > game.players:
        game.refuse(spot, f"scores: {len(parts)} are given; there are {game.players} players")
        return
    end = game.sections.setdefault(END, Section(END, spot))
    for place, part in enumerate(parts):
        match = _SCORE.fullmatch(part)
        number = None if match is None else number_of(match[2])
        if match is None or (number is None and match[2] != UNKNOWN):
            message = f"{quoted(part)} is not a score; allowed is such as 45 38 36, or Anna 45, Ben 38"
            game.refuse(spot, f"scores: {message}")
            continue
        seat = place if match[1] is None else seats_of.find(match[1], spot, SCORES)
        if seat is not None and number is not None:
            _note_score(end, seat, number, spot, game)


def _note_score(end: Section, seat: int, number: int, spot: Spot, game: GameText) -> None:
    row = end.rows.setdefault(seat, Row(seat, spot))
    if row.vp is not None and row.vp != number:
        message = f"{LETTERS[seat]} has {number} points, and {row.vp} elsewhere in the text"
        game.refuse(spot, f"scores: {message}; write one of them")
        return
    row.vp = number
    row.spots.setdefault("v", spot)


def _read_owned(part: Word, game: GameText, seats_of: _Seats) -> None:
    """The counties of a piece such as `Ben Bremen, Köln`; without a name nobody knows who owned them."""
    name = _owner_in(part.text, game)
    seat = seats_of.find(name, part.spot, OWNED) if name else None
    between = "," if "," in part.text else r"\s"
    left = part.text[len(name) :]
    rest = left.lstrip(" :\t")
    for word in pieces(Word(rest, part.at(len(name) + len(left) - len(rest))), between):
        county = county_of(word.text, word.spot, game)
        if county is not None and OwnedCounty(seat, county) not in game.owned:
            game.owned.append(OwnedCounty(seat, county))


def _owner_in(text: str, game: GameText) -> str:
    """The name that a piece begins with: a known one, or all before the first county; "" if there is none."""
    for name, _ in _names(game):
        if re.match(rf"{re.escape(name)}(?=[\s:]|$)", text, re.IGNORECASE):
            return text[: len(name)]
    words, names = list(re.finditer(r"[^\s:,]+", text)), printed_board().counties
    new = list(takewhile(lambda each: not meant_counties(each[0], names, names), words))
    return text[: new[-1].end()] if new and len(new) < len(words) and len(new) <= _WORDS_OF_NAME else ""


class _Seats:
    """Finds the seats of letters and names.

    Names that no letter has take the seats in their order, unless the text says of a letter what it is called or has.
    """

    def __init__(self, game: GameText) -> None:
        self._game = game
        self._in_order = not game.names and set(game.sections) <= {START}

    def find(self, name: str, spot: Spot, key: str) -> int | None:
        """The seat of a letter or a name, None for ? and, with a problem or a doubt, for a name that is nobody's."""
        if name == UNKNOWN:
            return None
        known, names = _names(self._game), self._game.names
        seats = {seat for each, seat in known if each.casefold() == name.casefold()}
        free = [seat for seat in range(self._game.players) if not names.get(seat)]
        if len(seats) == 1:
            return seats.pop()
        message = f"{key}: {quoted(name)} is nobody: {', '.join(each for each, _ in known)}"
        if seats:
            self._game.refuse(spot, f"{key}: {quoted(name)} can be {_either(seats)}; write the letter")
        elif not free or len(name) == 1:
            self._game.refuse(spot, f"{message}{did_you_mean(name, [each for each, _ in known])}")
        elif not self._in_order:
            self._game.doubt(spot, f"{message}; write such as {LETTERS[free[0]]}: {name[:_LONGEST_NAME]}")
        else:
            names[free[0]] = name[:_LONGEST_NAME]
            return free[0]
        return None


def _either(seats: set[int]) -> str:
    return " or ".join(LETTERS[seat] for seat in sorted(seats))


def _names(game: GameText) -> list[tuple[str, int]]:
    """What a seat may be called, the longest first: its letter, and its name."""
    found = [(LETTERS[seat], seat) for seat in range(game.players)]
    found += [(name, seat) for seat, name in game.names.items() if name and seat < game.players]
    return sorted(found, key=lambda each: -len(each[0]))
