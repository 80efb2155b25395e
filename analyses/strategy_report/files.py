"""Writing the report into a folder."""

from __future__ import annotations

from pathlib import Path

from wallsim.errors import InputError
from wallsim.runs.folder.commit import write_whole

from .pages import INDEX, report_files
from .translation import ENGLISH


def write_report(folder: str | Path, language: str = ENGLISH, *, with_cards: bool = False) -> list[str]:
    """Write the strategy report into a folder, the first page last; returns the names of its files.

    Files of an earlier report are replaced; the same register gives the same bytes. Nothing is written before all
    pages are made. InputError if the register lacks a study or a figure, for a folder that is a file, and for an
    unknown language.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: {folder}: is a file; name a folder for the report")
    files = report_files(language, with_cards=with_cards)
    for name in sorted(files, key=lambda each: each == INDEX):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, files[name])
    return list(files)
