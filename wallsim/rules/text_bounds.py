"""Bounds of text from files that others wrote, which is looked at before a parser gets it.

Parsers in Python recurse with every bracket, and some take the square of the parts of a key in time and memory: a few
kB can end a process. What is outside of strings and comments decides.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate
from math import isinf

MOST_TOML_BYTES = 1 << 20  # of experiments, policies and towers; those that ship have a few kB
_DEEPEST = 32  # brackets within each other
_MOST_PARTS = 16  # of a key with dots
_MOST_ENTRIES = 20_000  # keys, tables and items of lists in a TOML file
_LONGEST_WORD = 100  # a number, or a key without quotes
_MOST_MARKS = 30  # accents on one letter, as in Unicode's stream-safe text; sorting them takes the square

# Strings and comments from left to right; one without an end takes the rest, so that no place is read twice.
_TOML_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|'
    r"'''(?:[^']|'(?!''))*+(?:'{3,5})?|"
    r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?|'
    r"'[^'\n]*+'?|#[^\n]*+",
    re.DOTALL,
)
_PARTS = re.compile(rf"(?:\.[ \t]*+[\w-]*+[ \t]*+){{{_MOST_PARTS}}}")
_WORD = re.compile(rf"(?<!\w)\w{{{_LONGEST_WORD + 1}}}")
_NEITHER_BRACKETS_NOR_QUOTES = bytes({*range(256)} - {*b'[]{}"'})
_MARKS = re.compile(rf"[\u0300-\U0010ffff]{{{_MOST_MARKS + 1},}}")


def check_toml(text: str) -> None:
    """ValueError, which says what is allowed, for TOML that could take time or memory beyond its length."""
    bare = _TOML_STRING.sub(lambda found: "" if found[0].startswith("#") else "_", text)
    if sum(map(bare.count, "=[{,")) > _MOST_ENTRIES:
        raise ValueError(f"has more than {_MOST_ENTRIES:,} keys, tables and items")
    if found := _PARTS.search(bare):
        line = _line_of(bare, found.start(), text)
        raise ValueError(f"{line}a key with dots has more than {_MOST_PARTS} parts")
    if found := _WORD.search(bare):
        raise ValueError(f"a number or a key has more than {_LONGEST_WORD} characters: {found[0][:20]}...")
    _check_depth(bare.encode("utf-8", "replace"))


def check_json(data: bytes) -> None:
    """ValueError, which says what is allowed, for the UTF-8 of JSON that is nested too deeply."""
    if data.count(b"[") + data.count(b"{") > _DEEPEST:
        # Without escapes every second piece between quotes is a string. Journals are read so by the ten thousand.
        plain = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _NEITHER_BRACKETS_NOR_QUOTES)
        _check_depth(b"".join(plain.split(b'"')[::2]))


def whole(text: str) -> int:
    """A whole number of JSON; ValueError for one with too many digits."""
    if len(text) > _LONGEST_WORD:
        raise ValueError(f"a number or a key has more than {_LONGEST_WORD} characters: {text[:20]}...")
    return int(text)


def finite(text: str) -> float:
    """A number of JSON or TOML that is not whole; ValueError for one that is too large. `inf` is what it says."""
    number = float(text)
    if isinf(number) and text[-1].isdigit():
        raise ValueError(f"a number is too large: {text[:40]}")
    return number


def check_marks(text: str) -> None:
    """ValueError if a letter has more accents than a normal form can put in order in reasonable time."""
    for found in () if text.isascii() else _MARKS.finditer(text):
        marks = 0
        for character in found[0]:
            marks = marks + 1 if unicodedata.combining(character) else 0
            if marks > _MOST_MARKS:
                raise ValueError(f"a letter has more than {_MOST_MARKS} accents")


def _check_depth(bare: bytes) -> None:
    steps = (1 if bracket in b"[{" else -1 for bracket in bare if bracket in b"[]{}")
    if max(accumulate(steps), default=0) > _DEEPEST:
        raise ValueError(f"is nested more than {_DEEPEST} deep")


def _line_of(bare: str, start: int, text: str) -> str:
    # Strings of several lines have none in `bare`, so that the line is known only without them.
    return f"line {bare.count(chr(10), 0, start) + 1}: " if bare.count("\n") == text.count("\n") else ""
