"""Endings of the names of written files and pictures: a name that promises another format is an error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wallsim.errors import InputError

_KNOWN = (".csv", ".html", ".json", ".jsonl", ".md", ".parquet", ".pdf", ".png", ".svg", ".toml", ".txt")
FORMATS = ("png", "svg", "pdf")  # of pictures


def check_ending(file: Path, option: str, endings: Sequence[str], *, or_unknown: bool = False) -> None:
    """InputError unless the name of a file, given by an option, ends with one of `endings` and is no folder's.

    With `or_unknown` it may also have an ending that stands for no format of wallsim, or none.
    """
    ending = file.suffix.lower()
    if (ending in endings or (or_unknown and ending not in _KNOWN)) and not (file.is_dir() and not or_unknown):
        return
    raise InputError(f"{option}: {file}: name a file that ends with {' or '.join(endings)}")


def picture_format(path: str | Path) -> str:
    """`png`, `svg` or `pdf`, by the ending of a file's name; InputError for any other ending."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise InputError(f"{path}: unsupported picture format; the name must end in .{', .'.join(FORMATS)}")
    return ending
