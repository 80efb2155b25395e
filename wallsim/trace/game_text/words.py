"""The words of a text with their places, and the counties and numbers that words stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from wallsim.rules.board import printed_board
from wallsim.rules.county_codes import codes, folded, meant_counties, stem_of
from wallsim.rules.suggestions import did_you_mean
from wallsim.trace.game_text.model import GameText, Spot

COMMENT, UNKNOWN = "#", "?"
_LINES = re.compile(r"\r\n|\n|\r")
_LONGEST = 40  # characters of a word in a message
_MOST_NAMED = 4  # counties that a message names
_DIGITS = re.compile(r"[0-9]{1,4}")


class Word(NamedTuple):
    """A word without blanks and its place."""

    text: str
    spot: Spot

    def at(self, offset: int) -> Spot:
        """The place of a character of the word."""
        return Spot(self.spot.line, self.spot.column + offset)


def lines_of(text: str) -> list[tuple[int, str]]:
    """The lines that say something, each with its number, without comments."""
    lines = enumerate(_LINES.split(text.removeprefix("\ufeff")), start=1)
    return [(number, line.partition(COMMENT)[0].rstrip()) for number, line in lines if _content(line)]


def _content(line: str) -> str:
    return line.partition(COMMENT)[0].strip()


def words_of(number: int, line: str, first: int = 0) -> list[Word]:
    """The words of a line from a character on."""
    return [Word(each[0], Spot(number, first + each.start() + 1)) for each in re.finditer(r"\S+", line[first:])]


def quoted(text: str) -> str:
    """A piece of the text as messages quote it: cut off if it is long."""
    return f'"{text}"' if len(text) <= _LONGEST else f'"{text[: _LONGEST - 3]}..."'


def not_one_of(text: str, known: Sequence[str]) -> str:
    """The message for a word that is not among those that are known, with the one that may be meant."""
    return f"{quoted(text)} is not one of {', '.join(known)}{did_you_mean(text, known)}"


def pieces(word: Word, between: str) -> list[Word]:
    """The pieces of a text between marks, without blanks around them; empty ones are left out."""
    found = []
    for each in re.finditer(rf"[^{between}]+", word.text):
        text = each[0].strip()
        if text:
            found.append(Word(text, word.at(each.start() + len(each[0]) - len(each[0].lstrip()))))
    return found


def number_of(text: str) -> int | None:
    """A whole number of at most four digits; None for anything else."""
    return int(text) if _DIGITS.fullmatch(text) else None


def county_of(word: str, spot: Spot, game: GameText) -> str | None:
    """The county in play that a word stands for; a problem is noted if there is none, or several."""
    names = printed_board().counties
    meant = meant_counties(word, names, game.playing())
    if len(meant) == 1:
        return meant[0]
    if meant:
        game.refuse(spot, f"{quoted(word)} can be {_listed(meant)}; write one of these codes")
    elif elsewhere := meant_counties(word, names, names):
        game.refuse(spot, f"{elsewhere[0]} is out of play in this game (B0.1); see the number of players")
    else:
        game.refuse(spot, f"{quoted(word)} is not the code or name of a county{_suggestion(word, game.playing())}")
    return None


def region_of(word: str) -> str:
    """The region whose name a word is, "" if there is none; capitals and accents do not matter."""
    return next((name for name in printed_board().regions if folded(name) == folded(word)), "")


def _suggestion(word: str, playing: Sequence[str]) -> str:
    short = codes(printed_board().counties)
    known = {folded(short[name]): name for name in playing} | {folded(stem_of(name)): name for name in playing}
    close = did_you_mean(folded(word), known).removeprefix("; did you mean ").removesuffix("?")
    near = [known[close]] if close else []
    near += [name for name in playing if folded(stem_of(name))[:2] == folded(word)[:2] and name not in near]
    return f"; did you mean {_listed(near[:_MOST_NAMED])}?" if near else ""


def _listed(names: Sequence[str]) -> str:
    short = codes(printed_board().counties)
    return " or ".join(f"{short[name]} ({name})" for name in names)
