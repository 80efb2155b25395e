"""A page of tables: takeaways first, then a table with its chart and notes in each section, and what it rests on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wallsim import __version__
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.escaping import escaped
from wallsim.report.file_endings import check_ending
from wallsim.report.html.page import COMMON, STYLES, rendered
from wallsim.report.html.shared_files import SharedFiles
from wallsim.runs.folder.commit import write_whole

ENDING = ".html"


class Sheet(NamedTuple):
    """A table with its title, headings, notes below it, and a chart as SVG, which may be empty.

    A folded one shows its title until the reader opens it.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    chart: str = ""
    folded: bool = False


class Panel(NamedTuple):
    """A small chart with its title and some lines above it."""

    title: str
    lines: Sequence[str]
    chart: str


class Panels(NamedTuple):
    """Small charts side by side, with notes below them; `after` is the number of tables that come before them."""

    title: str
    each: Sequence[Panel]
    notes: Sequence[str] = ()
    after: int = 0


def sheets_page(
    title: str, lead: Sequence[str], takeaways: Sequence[str], sheets: Sequence[Sheet], again: tuple[str, str],
    assumptions: Sequence[str] = (), *, panels: Panels | None = None, played: Sequence[tuple[str, str]] = (),
    shared: SharedFiles | None = None,
) -> str:  # fmt: skip
    """The page; `again` says what a command makes again, and the command.

    `played` are pairs of a name and words about what was played, `shared` the files by which others play it again.
    """
    return rendered(
        "sheets.html.j2", COMMON, styles=(*STYLES, "sheets.css"), title=title, lead=lead, takeaways=takeaways,
        sheets=sheets, assumptions=assumptions, again=again[0], command=again[1], version=__version__,
        engine=ENGINE_VERSION, panels=panels, played=played, shared=shared,
    )  # fmt: skip


def check_page_name(file: Path, option: str) -> None:
    """InputError for the name of a file, given by an option, that is not one of a page."""
    check_ending(file, option, (ENDING,))


def write_page(page: str, file: Path, option: str) -> None:
    """Write a page whole, through a link to its file. InputError, naming the option, if it cannot be written.

    What cannot be seen or turns text becomes escapes, so that two names never look alike.
    """
    check_page_name(file, option)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(Path(os.path.realpath(file)), escaped(page).encode())
    except OSError as error:
        raise InputError(f"{option}: {file}: cannot be written: {error.strerror}") from None
