"""Writing the report into a folder, and the page on a run into a file."""

from __future__ import annotations

from pathlib import Path

from wallsim.errors import InputError
from wallsim.runs.folder.commit import write_whole
from wallsim.runs.folder.results import Run

from .pages import INDEX, report_files
from .run_page import run_page

_PAGE = ".html"


def write_report(folder: str | Path) -> list[str]:
    """Write the strategy report into a folder, the first page last; returns the names of its files.

    Files of an earlier report are replaced; the same register gives the same bytes. Nothing is written before all
    pages are made. InputError if the register lacks a study or a figure, and for a folder that is a file.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out: {folder}: is a file; name a folder for the report")
    files = report_files()
    for name in sorted(files, key=lambda each: each == INDEX):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, files[name])
    return list(files)


def write_run_page(run: Run, file: str | Path) -> None:
    """Write the page on a finished run. InputError for a name that is not one of a page, RunError for a damaged run."""
    file = Path(file)
    if file.suffix != _PAGE or file.is_dir():
        raise InputError(f"--out: {file}: name a file that ends with {_PAGE} for the page on a run")
    page = run_page(run)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, page.encode())
