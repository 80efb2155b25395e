"""What may stand in a cell of a board file: a whole number, any text, or one of a few words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wallsim.escaping import UNPRINTABLE, escaped, is_printable

_INTEGER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True)
class Whole:
    """A cell that holds a whole number from `least` to `most`; with `blank` it may be empty (read as "")."""

    least: int
    most: int
    blank: bool = False

    def read(self, text: str) -> int | str | None:
        """The number, "" for an empty cell that may be empty, None if the text is not allowed."""
        if self.blank and text == "":
            return text
        if not _INTEGER.fullmatch(text):
            return None
        return int(text) if self.least <= int(text) <= self.most else None

    def allowed(self) -> str:
        """What may stand in the cell, in words."""
        return f"a whole number from {self.least} to {self.most}" + (" or nothing" if self.blank else "")


@dataclass(frozen=True)
class Word:
    """A cell that holds any text without spaces around it; only with `blank` may it be empty, with `lines` have lines.

    What stands on a board is printed: characters that act on a terminal are not allowed.
    """

    blank: bool = False
    lines: bool = False

    def read(self, text: str) -> str | None:
        """The text, or None if it is not allowed."""
        shown = escaped(text) == text if self.lines else is_printable(text)
        return text if shown and text == text.strip() and (text or self.blank) else None

    def allowed(self) -> str:
        """What may stand in the cell, in words."""
        return f"text without {UNPRINTABLE}, or spaces around it" + ("" if self.blank else ", not empty")


@dataclass(frozen=True)
class OneOf:
    """A cell that holds one of a few words."""

    words: tuple[str, ...]

    def read(self, text: str) -> str | None:
        """The word, or None if it is not among those allowed."""
        return text if text in self.words else None

    def allowed(self) -> str:
        """What may stand in the cell, in words."""
        return "one of " + ", ".join(self.words)


Cell = Whole | Word | OneOf
