"""Pages in another language: a catalogue of messages, put in for the texts of pages that are made in English.

A message is the text between two tags, in which every number, figure, county and letter of a line-up is `{}`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from html import escape, unescape

from wallsim.errors import InputError
from wallsim.report.html.page import COMMON
from wallsim.rules.board import load_board

LANGUAGES = ("de", "en")
ENGLISH = "en"
# A text with the figures in it, or something whose text is none: a tag, a script, a style, a comment.
_PIECES = re.compile(
    r"(<(script|style|code)\b.*?</\2>|<(?!data\b|/data\b)[^>]*>)|((?:[^<]|<data\b[^>]*>[^<]*</data>)+)", re.DOTALL
)
_FIGURE = r"<data\b[^>]*>[^<]*</data>"
_NUMBER = r"[+−]?\d+(?:[.,]\d+)*"
_WORDS = re.compile(r"[^\W\d_]{2}")


@cache
def messages(language: str) -> Mapping[str, str]:
    """The catalogue of a language. InputError for a language without one."""
    path = COMMON / f"{language}.toml"
    if language not in LANGUAGES or not path.is_file():
        raise InputError(f"--lang: {language!r} is not one of {', '.join(LANGUAGES)}")
    return dict(tomllib.loads(path.read_text("utf-8"))["messages"])


def translated(page: str, language: str, *, whole: bool) -> str:
    """A page with the texts that the catalogue has in another language; counties and regions stay as printed.

    A `whole` page is one of that language, with its numbers as they are written there: InputError for a text that the
    catalogue lacks. Of any other page the translated texts are marked, and other texts stay.
    """
    known, holes, pieces = messages(language), _holes(), [""]
    for tag, _, text in _PIECES.findall(page):
        plain, before, put = text if "<" in text else unescape(text), pieces[-1], tag or text
        key = " ".join(holes.sub("{}", plain).split())
        if key in known:
            inside = _filled(known[key], holes.findall(plain), whole)
            if not whole and before not in ("<title>", "<option>"):
                inside = f'<span lang="{language}">{inside}</span>'
            put = f"{text[:1] if text[0].isspace() else ''}{inside}{text[-1:] if text[-1].isspace() else ''}"
        elif whole and not _WORDS.search(key.replace("{}", "")):
            put = tag or _localised(text)
        elif whole and not tag:
            raise InputError(f"{COMMON / f'{language}.toml'}: has no text for {key!r}")
        pieces.append(put)
    text = "".join(pieces)
    return text.replace('<html lang="en">', f'<html lang="{language}">', 1) if whole else text


@cache
def _holes() -> re.Pattern[str]:
    board = load_board()
    names = sorted((*board.counties, *board.regions), key=len, reverse=True)
    return re.compile("|".join((_FIGURE, _NUMBER, *map(re.escape, names), r"\b[A-E]\b(?= puts| \{| its|\)| [+−\d])")))


def _filled(message: str, parts: list[str], whole: bool) -> str:
    filling = iter([_localised(part) if whole else part for part in parts])
    return re.sub(r"\{\}", lambda _: next(filling), escape(message, quote=False))


def _localised(text: str) -> str:
    """A text with German numbers: a comma before decimals, a point between thousands; attributes stay."""

    def number(found: re.Match[str]) -> str:
        if found[1]:
            return found[0]
        whole, _, decimals = found[0].partition(".")
        return found[0] if "." in decimals else whole.replace(",", ".") + ("," + decimals if decimals else "")

    return re.sub(rf"(<[^>]*>)|{_NUMBER}", number, text)
