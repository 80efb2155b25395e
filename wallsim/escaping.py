"""Text as it may be shown: characters that act on a terminal, or hide or reorder their neighbours, become escapes.

Names come from files that others wrote, and a terminal obeys what it is sent: a name could move the cursor, rewrite
lines above it, or set the window's title. Everything that is printed for people passes through here.
"""

from __future__ import annotations

import re

# C0 but for tab and newline, DEL and C1; separators of lines; marks, embeddings, overrides and isolates of direction;
# halves of characters that no encoding has.
_ACTING = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(f"[{_ACTING}]")
_IN_LINE = re.compile(f"[\t\n{_ACTING}]")
_SHORT = {"\t": "\\t", "\n": "\\n"}
_SPACE = 0x20


def escaped(text: str) -> str:
    """A text in lines with its acting characters as escapes, `\\x1b` or `\\u202e`; newlines and tabs stay.

    JSON stays the same JSON: there the first kind is escaped already, and the second has JSON's form.
    """
    return _IN_TEXT.sub(_escape, text)


def escaped_line(text: str) -> str:
    """The same for a text that is one line: newlines and tabs are escapes, too, so that it cannot begin another."""
    return _IN_LINE.sub(_escape, text)


def is_printable(name: str) -> bool:
    """Whether a name is one line without acting characters."""
    return _IN_LINE.search(name) is None


def _escape(result: re.Match[str]) -> str:
    character = result[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < _SPACE else f"\\u{code:04x}")
