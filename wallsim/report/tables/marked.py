"""Figures inside a text: what stands between two marks is written by a study, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

_DIGITS = 12  # of the experiment's hash, in the opening mark: another one once policy or rules change


def marks(name: str) -> re.Pattern[str]:
    """What finds the marks `<!-- NAME ... -->` and `<!-- /NAME -->` with all between; group 1 is the closing one."""
    return re.compile(rf"<!-- {name}[^\n]*-->\n.*?(<!-- /{name} -->)", re.DOTALL)


def put_between_marks(path: Path, name: str, digest: str, script: str, answer: str) -> None:
    """Put an answer between the marks of that name in a file, with its experiment's hash and script in the opening one.

    ValueError, and nothing is written, unless the file has exactly one such place.
    """
    opening = f"<!-- {name} of experiment {digest[:_DIGITS]}: written by {script}, do not edit -->\n"
    text, places = marks(name).subn(lambda found: opening + answer + found[1], path.read_text("utf-8"))
    if places != 1:
        raise ValueError(f"{path}: has {places} places marked for {name}; there must be one")
    path.write_text(text, "utf-8")
