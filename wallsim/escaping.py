"""Text as it may be shown: characters that act on a terminal, cannot be seen, or reorder others, become escapes.

Names come from files that others wrote, and a terminal obeys what it is sent: a name could move the cursor, rewrite
lines above it, or set the window's title. Everything that is printed for people passes through here.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

# C0 but for tab and newline, DEL and C1; separators of lines; halves of characters that no encoding has; characters for
# private use, which mark numbers in our own texts (`report.tables.traced`); and those that are drawn as nothing
# (Default_Ignorable_Code_Point of Unicode), with marks, embeddings, overrides and isolates of direction, by which two
# names could look alike. Selectors of a variant of the letter before them stay: they are part of its picture.
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U0010ffff"
_ACTING = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_IN_TEXT = re.compile(f"[{_ACTING}{_PRIVATE}]")
_IN_LINE = re.compile(f"[\t\n{_ACTING}{_PRIVATE}]")
_IN_MARKED_LINE = re.compile(f"[\t\n{_ACTING}]")
UNPRINTABLE = "control, invisible or private-use characters"  # what a printable name has none of
_SHORT = {"\t": "\\t", "\n": "\\n"}


def escaped(text: str) -> str:
    """A text in lines with its acting characters as escapes, `\\x1b` or `\\u202e`; newlines and tabs stay.

    JSON stays the same JSON: there the first kind is escaped already, and the second has JSON's form.
    """
    return _IN_TEXT.sub(_escape, text)


def escaped_line(text: str, *, marks: bool = False) -> str:
    """The same for a text that is one line: newlines and tabs are escapes, too, so that it cannot begin another.

    With `marks` characters for private use stay: those of our own texts, until they are printed.
    """
    return (_IN_MARKED_LINE if marks else _IN_LINE).sub(_escape, text)


def in_shell(path: object) -> str:
    """A path as a word of a command that is printed to be pasted: quoted where it must be, and never an option."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


def in_toml(value: Any) -> str:
    """A text, number, switch, flat list or flat table as TOML, in one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(toml_line(name, each) for name, each in value.items())} }}"
    # JSON and TOML write all others in the same way, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_line(name: str, value: Any) -> str:
    """A name and its value as TOML."""
    return f"{name if re.fullmatch('[A-Za-z0-9_-]+', name) else in_toml(name)} = {in_toml(value)}"


def is_printable(name: str) -> bool:
    """Whether a name is one line without acting characters."""
    return _IN_LINE.search(name) is None


def _escape(result: re.Match[str]) -> str:
    character = result[0]
    if character in _SHORT:
        return _SHORT[character]
    if character < " ":
        return f"\\x{ord(character):02x}"
    units = character.encode("utf-16-be", "surrogatepass").hex()  # as JSON has them, two beyond the first plane
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
