"""A page on what a folder holds: a run, a tournament, or scenarios."""

from __future__ import annotations

from pathlib import Path

from wallsim.analysis.contrasts.scenarios import compare_scenarios
from wallsim.analysis.tournament.results import judge
from wallsim.report.html.comparison import scenarios_page
from wallsim.report.html.sheets import check_page_name, write_page
from wallsim.report.html.tournament import tournament_page
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.lock import ReadOnlyError
from wallsim.runs.results import open_results
from wallsim.runs.scenarios.folder import Scenarios, holds_scenarios
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.interim_analyses import looks_of

from .run_page import run_page


def folder_page(folder: Folder) -> str:
    """The page on a finished folder of a run, a tournament or scenarios; a look at a ladder is recorded there.

    InputError for a folder without any and for a single scenario, RunError if it is unfinished or damaged.
    """
    if holds_scenarios(folder):
        return scenarios_page(compare_scenarios(Scenarios.open(folder)), folder)
    found = open_results(folder)
    if not isinstance(found, TournamentRun):
        return run_page(found)
    try:
        looks = found.note_look()
    except ReadOnlyError:
        looks = looks_of(found.folder, found.hash)
    return tournament_page(found, judge(found), looks)


def write_folder_page(folder: Folder, file: str | Path) -> None:
    """Write the page on a folder into a file. InputError for a name that is not one of a page, before it is read."""
    check_page_name(Path(file), "--out")
    write_page(folder_page(folder), Path(file), "--out")
