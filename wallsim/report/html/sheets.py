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
from wallsim.folder.tournament import TournamentRun
from wallsim.play.shared_experiment import FILE, SharedExperiment, tournament_policies
from wallsim.report.file_endings import check_ending
from wallsim.report.html.page import COMMON, STYLES, rendered

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


def run_files(shared: SharedExperiment, manifest: Mapping[str, Any]) -> SharedFiles:
    """The files and steps of a run."""
    run = f"wallsim run {FILE}{_TRUST if shared.has_code else ''} --out results/again"
    report = "wallsim report results/again --out again.html"
    return _files(shared, manifest, [Step("Play the games, and write this page again:", (run, report))])


def scenario_files(shared: SharedExperiment, manifest: Mapping[str, Any]) -> SharedFiles:
    """The files and steps of scenarios, the first of which is the one that others are compared with."""
    return _scenario_files(shared, manifest, "results/again")


def two_files(shared: SharedExperiment, manifest: Mapping[str, Any]) -> SharedFiles:
    """The files and steps of two runs as the scenarios A and B."""
    return _scenario_files(shared, manifest, "results/again/scenario=A results/again/scenario=B")


def _scenario_files(shared: SharedExperiment, manifest: Mapping[str, Any], compared: str) -> SharedFiles:
    run = f"wallsim run {FILE}{_TRUST if shared.has_code else ''} --out results/again"
    compare = f"wallsim compare {compared} --html again.html"
    return _files(shared, manifest, [Step("Play the games, and write this page again:", (run, compare))])


def tournament_files(shared: SharedExperiment, run: TournamentRun) -> SharedFiles:
    """The files and steps of a tournament."""
    policies = in_shell(",".join(tournament_policies(run, shared.files)))
    play = f"wallsim tournament {policies} --experiment {FILE} --blocks {run.manifest['blocks']} --out results/again"
    report = "wallsim report results/again --out again.html"
    return _files(shared, run.manifest, [Step("Play the tournament, and write this page again:", (play, report))])


def _files(shared: SharedExperiment, manifest: Mapping[str, Any], steps: Sequence[Step]) -> SharedFiles:
    version = manifest.get("packages", {}).get("wallsim", "")
    head = f"# Played with wallsim {version}, engine version {manifest['engine_version']}:\n"
    commands = "".join(f"#   {command}\n" for step in steps for command in step.commands)
    save = f"Save {FILE} into a new folder, and go there."
    if shared.files:
        save = f"Save {FILE} into a new folder, and the files below it under their paths. Go to that folder."
    if shared.has_code:
        save += f" {_CODE}"
    text = f"{head}{commands}{shared.text}"
    files = {FILE: text.encode(), **shared.files}
    return SharedFiles([Step(save), *steps], [_file(name, data) for name, data in files.items()])


def _file(name: str, data: bytes) -> SharedFile:
    link = f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    return SharedFile(name, data.decode("utf-8", "replace"), link)
