"""Standard output and error on every terminal: characters that one cannot show are written in plain ones."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

_PLAIN = {
    "×": "x", "·": "-", "•": "-", "–": "-", "—": "-", "−": "-", "±": "+-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    "∞": "inf", "▲": "^", "▼": "v", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"', "→": "->", "τ": "tau",
    "³": "3", "²": "2", "━": "-", "╸": "-", "╺": "-", "ß": "ss",
}  # fmt: skip
_HANDLER = "wallsim.plain"


def plain(text: str) -> str:
    """A text in ASCII: signs by their usual spelling, letters without their accents, all others as `?`."""
    found = []
    for character in text:
        bare = _PLAIN.get(character) or unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        found.append(bare or "?")
    return "".join(found)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


def show_everything() -> None:
    """Let no character that a terminal or a pipe cannot show end a command; what it can show stays as it is."""
    codecs.register_error(_HANDLER, _replace)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors not in ("ignore", "replace"):
            stream.reconfigure(errors=_HANDLER)


def echo(text: object, err: bool = False) -> None:
    """Write a line to standard output, or to standard error.

    Unlike `typer.echo`, which writes UTF-8 to an ASCII terminal, it keeps to what the stream can show.
    """
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}\n")
    stream.flush()
