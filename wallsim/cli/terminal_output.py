"""Standard output and error on every terminal: unsupported characters are replaced by ASCII.

A full disk behind standard output becomes an error with a message, now or when the command ends. Python writes what is
left in the buffer when the process ends, and reports a failure there as a traceback and with a status of its own. So
the command writes the rest itself. A pipe whose reader has gone is no error and has no message.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from wallsim.errors import InputError
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


class OutputError(InputError):
    """Standard output cannot be written."""


class StandardOutput(io.TextIOWrapper):
    """Standard output of a process, which raises OutputError where a file raises OSError; a broken pipe stays one."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        """Write in place of `stream`, which must not be used any more, to the same file."""
        self._replaced = stream  # closing it would close the file
        # Without a buffer (`python -u`) Python takes a part that was written for the whole.
        self._at_once = not isinstance(stream.buffer, io.BufferedWriter)
        buffer = open(stream.fileno(), "wb", closefd=False)  # noqa: SIM115 (it is written to until the process ends)
        super().__init__(
            buffer, encoding=stream.encoding, errors=stream.errors, newline="\n", line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )  # fmt: skip

    def write(self, text: str) -> int:
        """Write a text."""
        with _named():
            written = super().write(text)
            if self._at_once:
                super().flush()
        return written

    def flush(self) -> None:
        """Write what is left in the buffer."""
        with _named():
            super().flush()


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        discard_output()
        raise OutputError(f"standard output: {error.strerror or error}") from None


def name_standard_output() -> None:
    """Let failures of standard output be OutputError from now on; closed standard streams are opened to nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # or a file of results would be opened with its number
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (as long as the process)
    if type(sys.stdout) is io.TextIOWrapper:
        sys.stdout.flush()
        sys.stdout = StandardOutput(sys.stdout)


def discard_output() -> None:
    """Send what is still written to standard output nowhere, so that the end of the process does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def flushed_output() -> bool:
    """Write what is left in the buffer; whether the reader of a pipe was still there. OutputError for a full disk."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
        return False
    return True
