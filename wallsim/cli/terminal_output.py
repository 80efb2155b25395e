"""Standard output and error on every terminal: unsupported characters are replaced by ASCII."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

from wallsim.escaping import escaped

_PLAIN = {
    "×": "x", "·": "-", "•": "-", "–": "-", "—": "-", "−": "-", "±": "+-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    "∞": "inf", "▲": "^", "▼": "v", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"', "→": "->", "τ": "tau",
    "³": "3", "²": "2", "━": "-", "╸": "-", "╺": "-", "ß": "ss",
}  # fmt: skip
_HANDLER = "wallsim.plain"


def plain(text: str) -> str:
    """A text in ASCII: symbols in their common ASCII form, letters without accents, other characters as `?`."""
    characters = []
    for character in text:
        ascii_form = (
            _PLAIN.get(character) or unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        )
        characters.append(ascii_form or "?")
    return "".join(characters)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


def install_ascii_fallback() -> None:
    """Replace characters that a terminal or a pipe does not support, instead of failing; others are unchanged."""
    codecs.register_error(_HANDLER, _replace)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors not in ("ignore", "replace"):
            stream.reconfigure(errors=_HANDLER)


def echo(text: object, err: bool = False) -> None:
    """Write a line to standard output, or to standard error; characters that act on a terminal become escapes.

    Unlike `typer.echo`, which writes UTF-8 to an ASCII terminal, it writes only characters that the stream supports.
    """
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{escaped(str(text))}\n")
    stream.flush()
