"""Endings of the names of written files: a file whose name promises another format is not written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wallsim.errors import InputError

_KNOWN = (".csv", ".html", ".json", ".jsonl", ".md", ".parquet", ".pdf", ".png", ".svg", ".toml", ".txt")


def check_ending(file: Path, option: str, endings: Sequence[str], *, or_unknown: bool = False) -> None:
    """InputError unless the name of a file, given by an option, ends with one of `endings` and is no folder's.

    With `or_unknown` it may also have an ending that stands for no format of wallsim, or none.
    """
    ending = file.suffix.lower()
    if (ending in endings or (or_unknown and ending not in _KNOWN)) and not (file.is_dir() and not or_unknown):
        return
    raise InputError(f"{option}: {file}: name a file that ends with {' or '.join(endings)}")
