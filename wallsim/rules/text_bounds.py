"""Bounds of text from files that others wrote, which is looked at before a parser gets it.

Parsers in Python recurse with every bracket, and some take the square of the parts of a key in time and memory: a few
kB can end a process. What is outside of strings and comments decides.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate

MOST_TOML_BYTES = 1 << 20  # of experiments, policies and towers; those that ship have a few kB
_DEEPEST = 32  # brackets within each other
_MOST_PARTS = 16  # of a key with dots
_MOST_ENTRIES = 20_000  # keys, tables and items of lists in a TOML file
_LONGEST_WORD = 100  # a number, or a key without quotes
_MOST_MARKS = 30  # accents on one letter, as in Unicode's stream-safe text; sorting them takes the square

# Strings and comments from left to right; one without an end takes the rest, so that no place is read twice.
_JSON_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_TOML_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|'
    r"'''(?:[^']|'(?!''))*+(?:'{3,5})?|"
    r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?|'
    r"'[^'\n]*+'?|#[^\n]*+",
    re.DOTALL,
)
_BRACKET = re.compile(r"[\[\]{}]")
_PARTS = re.compile(rf"(?:\.[ \t]*+[\w-]*+[ \t]*+){{{_MOST_PARTS}}}")
# A long word, and a power of ten at which a number is no longer finite.
_WORD = re.compile(
    rf"(?<!\w)(?:\w{{{_LONGEST_WORD + 1}}}|[0-9][0-9_]*+(?:\.[0-9_]*+)?+[eE]\+?0*+(?:[2-9][0-9]{{2}}|[0-9]{{4}}))"
)
_MARKS = re.compile(rf"[\u0300-\U0010ffff]{{{_MOST_MARKS + 1},}}")


def check_toml(text: str) -> None:
    """ValueError, which says what is allowed, for TOML that could take time or memory beyond its length."""
    bare = _TOML_STRING.sub(lambda found: "" if found[0].startswith("#") else "_", text)
    if sum(map(bare.count, "=[{,")) > _MOST_ENTRIES:
        raise ValueError(f"has more than {_MOST_ENTRIES:,} keys, tables and items")
    if found := _PARTS.search(bare):
        line = _line_of(bare, found.start(), text)
        raise ValueError(f"{line}a key with dots has more than {_MOST_PARTS} parts")
    _check_bare(bare)


def check_json(text: str) -> None:
    """ValueError, which says what is allowed, for JSON that is nested deeply or has numbers beyond reason."""
    if text.count("[") + text.count("{") > _DEEPEST or _WORD.search(text):  # perhaps within strings
        _check_bare(_JSON_STRING.sub("_", text))


def check_marks(text: str) -> None:
    """ValueError if a letter has more accents than a normal form can put in order in reasonable time."""
    for found in () if text.isascii() else _MARKS.finditer(text):
        marks = 0
        for character in found[0]:
            marks = marks + 1 if unicodedata.combining(character) else 0
            if marks > _MOST_MARKS:
                raise ValueError(f"a letter has more than {_MOST_MARKS} accents")


def _check_bare(bare: str) -> None:
    steps = (1 if found[0] in "[{" else -1 for found in _BRACKET.finditer(bare))
    if max(accumulate(steps), default=0) > _DEEPEST:
        raise ValueError(f"is nested more than {_DEEPEST} deep")
    if found := _WORD.search(bare):
        if found.end() - found.start() > _LONGEST_WORD:
            raise ValueError(f"a number or a key has more than {_LONGEST_WORD} characters: {found[0][:20]}…")
        raise ValueError(f"a number is too large: {found[0][:40]}")


def _line_of(bare: str, start: int, text: str) -> str:
    # Strings of several lines have none in `bare`, so that the line is known only without them.
    return f"line {bare.count(chr(10), 0, start) + 1}: " if bare.count("\n") == text.count("\n") else ""
