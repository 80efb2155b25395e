"""Pages in another language: a catalogue of messages, put in for the texts of pages that are made in English.

A message is the text between two tags, in which every number, figure, county and letter of a line-up is `{}`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from html import escape, unescape

from wallsim.errors import InputError

from .html import TEMPLATES

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
    path = TEMPLATES / f"{language}.toml"
    if language not in LANGUAGES or not path.is_file():
        raise InputError(f"--lang: {language!r} is not one of {', '.join(LANGUAGES)}")
    return dict(tomllib.loads(path.read_text("utf-8"))["messages"])


def translated(page: str, language: str, names: Collection[str], *, whole: bool) -> str:
    """A page with the texts that the catalogue has in another language; `names`, such as counties, stay.

    A `whole` page is one of that language, with its numbers as they are written there, and other texts are marked as
    English. Of any other page the translated texts are marked.
    """
    known, pieces = messages(language), []
    holes = _holes(tuple(sorted(names, key=len, reverse=True)))
    for found in _PIECES.finditer(page):
        tag, _, text = found.groups()
        if tag is not None:
            pieces.append(tag)
            continue
        key, parts = _message(text, holes)
        if key in known:
            inside = _filled(known[key], parts, local=whole)
            titled = pieces and pieces[-1] in ("<title>", "<option>")
            put = inside if whole or titled else f'<span lang="{language}">{inside}</span>'
            pieces.append(f"{_edge(text, 0)}{put}{_edge(text, -1)}")
        elif whole and not _WORDS.search(re.sub("|".join(("{}", *map(re.escape, names))), "", key)):
            pieces.append(_localised(text))
        else:
            english = whole and key.strip() and _may_hold_elements(pieces)
            pieces.append(f'<span lang="en">{text}</span>' if english else text)
    text = "".join(pieces)
    return text.replace('<html lang="en">', f'<html lang="{language}">', 1) if whole else text


def _holes(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join((_FIGURE, _NUMBER, *map(re.escape, names), r"\b[A-E]\b(?= puts| \{| its|\)| [+−\d])")))


def _message(text: str, holes: re.Pattern[str]) -> tuple[str, list[str]]:
    parts: list[str] = []

    def hole(found: re.Match[str]) -> str:
        parts.append(found[0])
        return "{}"

    return " ".join(holes.sub(hole, unescape(text) if "<" not in text else text).split()), parts


def _filled(message: str, parts: list[str], *, local: bool) -> str:
    filling = iter(_localised(part) if local else part for part in parts)
    return re.sub(r"\{\}", lambda _: next(filling), escape(message, quote=False))


def _localised(text: str) -> str:
    """A text with German numbers: a comma before decimals, a point between thousands; attributes stay."""

    def number(found: re.Match[str]) -> str:
        if found[1]:
            return found[0]
        whole, _, decimals = found[0].partition(".")
        return found[0] if "." in decimals else whole.replace(",", ".") + ("," + decimals if decimals else "")

    return re.sub(rf"(<[^>]*>)|{_NUMBER}", number, text)


def _edge(text: str, place: int) -> str:
    return text[place] if text[place].isspace() else ""


def _may_hold_elements(pieces: list[str]) -> bool:
    tag = pieces[-1] if pieces else ""
    return not tag.startswith(("<!", "<title", "<option", "<html", "<head", "<body"))
