"""A page of tables: takeaways first, then a table with its chart and notes in each section, and what it rests on."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wallsim import __version__
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.escaping import escaped, in_shell
from wallsim.folder.commit import write_whole
from wallsim.folder.result_folder import ResultFolder
from wallsim.folder.tournament import TournamentRun
from wallsim.play.shared_experiment import FILE, SharedExperiment, tournament_policies
from wallsim.report.file_endings import check_ending
from wallsim.report.html.page import COMMON, STYLES, rendered
from wallsim.report.html.played import in_players_words, played_rows
from wallsim.report.tables.columns import Sheet

ENDING = ".html"


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


class Page(NamedTuple):
    """A page of tables: what it says first, its tables, and what they rest on.

    `again` says what `command` makes again. `results` were played, by the names that the page has for them; `shared`
    are the files by which others play them again.
    """

    title: str
    lead: Sequence[str]
    takeaways: Sequence[str]
    sheets: Sequence[Sheet]
    again: str
    command: str
    assumptions: Sequence[str] = ()
    panels: Panels | None = None
    results: Mapping[str, ResultFolder] = {}
    shared: SharedFiles | None = None


def sheets_page(page: Page) -> str:
    """The page as HTML, with bots in place of policies in what it assumes."""
    facts = page._asdict() | {"assumptions": list(map(in_players_words, page.assumptions))}
    return rendered(
        "sheets.html.j2", COMMON, styles=(*STYLES, "sheets.css"), version=__version__, engine=ENGINE_VERSION,
        played=played_rows(page.results) if page.results else (), **facts,
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


AGAIN = "results/again"  # the folder into which a reader plays
_TRUST = " --trust-code"
_CODE = "They contain Python code, which runs with your rights: read it first."


class SharedFile(NamedTuple):
    """A file by its path, with its text, and a link that holds its bytes."""

    name: str
    text: str
    link: str


class Step(NamedTuple):
    """What the reader does, with the commands for it."""

    words: str
    commands: Sequence[str] = ()


class SharedFiles(NamedTuple):
    """The steps that play the games again, and the files that they need, the experiment first."""

    steps: Sequence[Step]
    files: Sequence[SharedFile]


def run_files(shared: SharedExperiment, manifest: Mapping[str, Any], page: str) -> SharedFiles:
    """The files and steps of a run or of scenarios; `page` is the command that writes the page, but for its file."""
    run = f"wallsim run {FILE}{_TRUST if shared.has_code else ''} --out {AGAIN}"
    return _files(shared, manifest, "Play the games", (run, f"{page} again.html"))


def tournament_files(shared: SharedExperiment, run: TournamentRun) -> SharedFiles:
    """The files and steps of a tournament."""
    policies = in_shell(",".join(tournament_policies(run, shared.files)))
    play = f"wallsim tournament {policies} --experiment {FILE} --blocks {run.manifest['blocks']} --out {AGAIN}"
    return _files(shared, run.manifest, "Play the tournament", (play, f"wallsim report {AGAIN} --out again.html"))


def _files(shared: SharedExperiment, manifest: Mapping[str, Any], play: str, commands: Sequence[str]) -> SharedFiles:
    version = manifest.get("packages", {}).get("wallsim", "")
    head = f"# Played with wallsim {version}, engine version {manifest['engine_version']}:\n"
    comments = "".join(f"#   {command}\n" for command in commands)
    save = f"Save {FILE} into a new folder, and go there."
    if shared.files:
        save = f"Save {FILE} into a new folder, and the files below it under their paths. Go to that folder."
    if shared.has_code:
        save += f" {_CODE}"
    text = f"{head}{comments}{shared.text}"
    files = {FILE: text.encode(), **shared.files}
    steps = [Step(save), Step(f"{play}, and write this page again:", commands)]
    return SharedFiles(steps, [_file(name, data) for name, data in files.items()])


def _file(name: str, data: bytes) -> SharedFile:
    link = f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    return SharedFile(name, data.decode("utf-8", "replace"), link)
