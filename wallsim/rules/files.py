"""Where the input data lie, beside the package in a source tree or inside it in a wheel, and how files are read.

A text is looked at before a parser gets it: parsers in Python recurse with every bracket, and some take the square of
the parts of a key in time and memory, so that a few kB can end a process. What is outside of strings and comments
decides.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from itertools import accumulate
from math import isinf
from pathlib import Path
from typing import Any, BinaryIO

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


_PACKAGE = Path(__file__).resolve().parent.parent
MOST_BYTES = 1 << 26  # of a file that a person writes or wallsim learns; nothing longer is read into memory
MOST_COLUMNS = 200  # of CSV
_BLOCK = 1 << 20


def data_folder(room: str) -> Path:
    """The folder of `board`, `tower` or `policies` data; FileNotFoundError if the installation lacks it."""
    for folder in (_PACKAGE / "_data" / room, _PACKAGE.parent / "data" / room):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the data folder {room!r} is missing beside the package")


def stamps_of(*folders: Path) -> tuple[tuple[str, int, int], ...]:
    """Path, time of change in ns and bytes of every file of some folders: equal as long as none has changed."""
    files = (entry for folder in folders for entry in os.scandir(folder))
    return tuple(sorted((file.path, file.stat().st_mtime_ns, file.stat().st_size) for file in files))


def read_input(path: Path, most: int | None = None) -> bytes:
    """The bytes of a file that somebody names, at most `most` or MOST_BYTES; a pipe is read only below /dev.

    OSError, whose `strerror` says why, for a device, any other pipe, a folder, a longer file and a path that no file
    can have; others are passed on.
    """
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "the path contains a NUL character", str(path))
    given = str(path).startswith("/dev/")  # such as /dev/stdin; a pipe in another folder may never have a writer
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | (0 if given else os.O_NONBLOCK))
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode) and not (given and stat.S_ISFIFO(mode)):
        os.close(handle)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise OSError(errno.EINVAL, "is not a regular file", str(path))
    most = MOST_BYTES if most is None else min(most, MOST_BYTES)
    with open(handle, "rb") as file:
        data = read_rest(file, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"exceeds the limit of {most:,} bytes", str(path))
    return data


def read_rest(file: BinaryIO, most: int) -> bytes:
    """The rest of a file, at most so many bytes; unlike `file.read(most)` it takes no more memory than there are."""
    blocks = []
    while most > 0 and (block := file.read(min(most, _BLOCK))):
        blocks.append(block)
        most -= len(block)
    return b"".join(blocks)


def decoded(data: bytes) -> str:
    """The text of a file's bytes, with or without a byte order mark; ValueError names the line of what is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("line {}: {}".format(*_undecoded(data, error))) from None


def _undecoded(data: bytes, error: UnicodeDecodeError) -> tuple[int, str]:
    # The line, and what is wrong there.
    byte = f"byte 0x{data[error.start]:02x}" if data[:2] not in (b"\xff\xfe", b"\xfe\xff") else "UTF-16"
    return data.count(b"\n", 0, error.start) + 1, f"{byte} is not UTF-8; save the file as UTF-8"


def normal_text(data: bytes, refuse: Callable[[int, str], None]) -> str | None:
    """The text of a file in which equal names have equal characters: an "ü" may be typed as one or as two.

    None if it has none; `refuse` is then told the line, 0 for the whole file, and why.
    """
    try:
        text = data.decode("utf-8-sig")
        check_marks(text)
    except UnicodeDecodeError as error:
        refuse(*_undecoded(data, error))
    except ValueError as error:
        refuse(0, str(error))
    else:
        return unicodedata.normalize("NFC", text)
    return None


def csv_rows(text: str, refuse: Callable[[int, str], None], delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The rows of CSV from anywhere but this package, each with the number of its first line; empty ones are left out.

    Where it ends early, `refuse` is told the line and why: it is not CSV, or a row has more than MOST_COLUMNS cells.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start = 1
    try:
        for fields in reader:
            if len(fields) > MOST_COLUMNS:
                refuse(start, f"{len(fields):,} fields; at most {MOST_COLUMNS} are allowed")
                return
            if fields:
                yield start, fields
            start = reader.line_num + 1  # a quoted field may span lines: a row is named by its first
    except csv.Error as error:
        refuse(start, f"not readable as CSV: {error}")


def read_toml(source: bytes | str) -> dict[str, Any]:
    """The entries of TOML from anywhere but this package.

    ValueError says what is wrong and where: no UTF-8, no TOML, a name that needs quotes, or out of the bounds of
    `check_toml`.
    """
    if len(source) > MOST_TOML_BYTES:
        raise ValueError(f"has more than {MOST_TOML_BYTES:,} bytes")
    text = source if isinstance(source, str) else decoded(source)
    check_toml(text)
    try:
        return tomllib.loads(text, parse_float=finite)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{error}{_needs_quotes(text, str(error))}") from None


def _needs_quotes(text: str, error: str) -> str:
    # TOML takes only A to Z, digits, _ and - without quotes, and its errors do not say so of a name such as Lüneburg.
    place = re.search(r"\(at line (\d+), column (\d+)\)$", error)
    if place is None:
        return ""
    line, column = text.replace("\r\n", "\n").split("\n")[int(place[1]) - 1], int(place[2]) - 1
    names = (match[0] for match in re.finditer(r"[\w-]+", line) if match.start() <= column < match.end())
    name = next((name for name in names if not name.isascii()), None)
    return "" if name is None else f'; a name with letters other than A to Z needs quotes: "{name[:80]}"'


_JSON = json.JSONDecoder(parse_int=whole, parse_float=finite)


def read_json(source: bytes | str) -> Any:
    """The value of JSON from anywhere but this package.

    ValueError says what is wrong: no UTF-8, no JSON, or out of the bounds of `check_json`.
    """
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    check_json(data)
    return _JSON.decode(source if isinstance(source, str) else decoded(data))
