"""Writing the report into a folder."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from wallsim.errors import InputError
from wallsim.runs.folder.commit import write_whole

from .pages import INDEX, report_files
from .translation import ENGLISH


def write_report(
    folder: str | Path, language: str = ENGLISH, *, with_cards: bool = False, url: str = "",
    watch: Callable[[int, int], None] | None = None,
) -> list[str]:  # fmt: skip
    """Write the strategy report into a folder, the first page last; returns the names of its files.

    Files of an earlier report are replaced; the same register gives the same bytes. Nothing is written before all
    pages are made. `url` is the address at which the folder will lie, if it is known; `watch` is that of
    `report_files`. InputError if the register lacks a study or a figure, for a folder that is a file, for an unknown
    language, and for an address that is none of a folder on the web.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: {folder}: is a file; name a folder for the report")
    files = report_files(language, with_cards=with_cards, url=_address(url), watch=watch)
    for name in sorted(files, key=lambda each: each == INDEX):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, files[name])
    return list(files)


def _address(url: str) -> str:
    if url and not re.fullmatch(r"https?://[^\s\"'<>?#]+", url):
        raise InputError(f"--url: {url!r} is not the address of a folder, such as https://example.org/wallenstein")
    return url.rstrip("/")
