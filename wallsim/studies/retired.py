"""Retired ids: those that were published once and are no longer, with the reason. None of them may be used again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from wallsim.studies.published import matcher
from wallsim.studies.shared_files import rows_of

RETIRED = "retired.csv"
COLUMNS = ("ids", "reason")


def retired_errors(ids: Iterable[str], folder: Path) -> list[str]:
    """The ids that a folder of the register has retired, one line each. InputError if its list is damaged."""
    path = folder / RETIRED
    patterns = [pattern for _, (pattern, _) in rows_of(path, COLUMNS)[1:]] if path.is_file() else []
    any_of = re.compile("|".join(f"(?:{matcher(pattern).pattern})" for pattern in patterns))
    found = filter(any_of.match, ids) if patterns else ()
    return [
        f"{path}: ids: {next(each for each in patterns if matcher(each).match(key))!r} retires {key}" for key in found
    ]


def to_retire(published: Iterable[str], played: Iterable[str]) -> list[str]:
    """The patterns of the published ids that are not played any more, each as short as no other id allows."""
    stay, kept = {*played}, {beginning for key in played for beginning in _beginnings(key)}
    gone = (key for key in published if key not in stay)
    exactly = "{}[{}]".format  # such as a.b[c], which a.bc.d does not match
    return list(dict.fromkeys(
        next((each for each in _beginnings(key) if each not in kept), exactly(key[:-1], key[-1])) for key in gone
    ))  # fmt: skip


def _beginnings(key: str) -> Iterator[str]:
    # From STUDY.QUANTITY on, each up to a full part.
    ends = [found.start() for found in re.finditer("[./@]", key)] + [len(key)]
    return (key[:end] for end in ends[1:] or ends)
