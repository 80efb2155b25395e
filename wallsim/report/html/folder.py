"""A page on what a folder holds: a run, a tournament, or scenarios.

That of a run says who wins, by how much, where points come from, and what it rests on.
"""

from __future__ import annotations

from wallsim.analysis.contrasts.scenarios import compare_scenarios
from wallsim.analysis.games.breakdown import breakdown
from wallsim.analysis.games.summary import SeatFinding, Summary, summarise
from wallsim.analysis.tournament.results import judge
from wallsim.escaping import in_shell
from wallsim.report.html.comparison import scenarios_page
from wallsim.report.html.page import page_names
from wallsim.report.html.played import bots_line, in_players_words, played_rows, settings_lines
from wallsim.report.html.shared_files import run_files
from wallsim.report.html.sheets import Sheet, sheets_page
from wallsim.report.html.svg import Dot, dots
from wallsim.report.html.tournament import tournament_page
from wallsim.report.tables.estimates import NOTHING, in_words, number
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.lock import ReadOnlyError
from wallsim.runs.folder.results import Run
from wallsim.runs.results import open_results
from wallsim.runs.scenarios.folder import Scenarios, holds_scenarios
from wallsim.runs.shared_experiment import shared_run
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.interim_analyses import looks_of


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


def run_page(run: Run) -> str:
    """The page of a finished run. RunError if it is damaged or its rows disagree with its manifest."""
    summary = summarise(run)  # checks the files
    sources = {line.name: [in_words(each.mean, each.interval, 1) for each in line.seats]
               for line in breakdown(run, check=False) if line.is_points}  # fmt: skip
    won, points = [], []
    for each in summary.seats:
        deviation = NOTHING if each.vp_deviation is None else number(each.vp_deviation, 1)
        won.append([name_of(each), _percent(each), in_words(each.vp, each.vp_interval, 2), deviation])
        points.append([name_of(each), *(words[each.seat] for words in sources.values())])
    [name] = page_names([run.folder])
    sheets = [
        Sheet("Wins and points by seat", ("seat", "wins, %", "mean VP", "VP, standard deviation by game"), won,
              chart=chart(summary)),
        Sheet("Where points come from", ("mean VP of both years", *sources), points),
    ]  # fmt: skip
    lead = [
        bots_line([run]),
        f"{summary.games:,} game{'s' if summary.games != 1 else ''}. Every ± is half of an interval that "
        f"holds together with the others of its column with {100 * summary.level:.0f} % confidence.",
        *settings_lines(run),
    ]
    return sheets_page(
        run.manifest["experiment"]["name"] or "Games of a run", lead, takeaways(summary), sheets,
        ("This page", f"wallsim report {in_shell(name)}"), [*map(in_players_words, summary.assumptions)],
        played=played_rows({name: run}), shared=run_files(shared_run(run), run.manifest),
    )  # fmt: skip


def takeaways(summary: Summary) -> list[str]:
    """What is known of wins and of their spread, in sentences; an interval decides each word."""
    lines = [f"{name_of(each)} wins {words} than its share: {_percent(each)} %."
             for side, words in (("above", "more"), ("below", "less"))
             for each in summary.seats if each.against(summary.fair) == side]  # fmt: skip
    if not lines:
        needed = summary.confidence.min_blocks
        few = f" At least {needed:,} games are needed for intervals." if summary.games < needed else ""
        lines.append(f"No seat is known to win more or less than its share of {number(100 * summary.fair, 0)} %.{few}")
    if (spread := summary.spread) is not None and (interval := spread.interval(summary.confidence)) is not None:
        low, high = (number(end, 1) for end in interval)
        words = f"The imbalance between line-ups is {number(spread.value, 1)} percentage points ({low} to {high})."
        lines.append(words)
    return lines


def name_of(finding: SeatFinding) -> str:
    """A seat by its line-up if it has one, and its policy."""
    seat = f"Line-up {finding.lineup} in seat {finding.seat}" if finding.lineup else f"Seat {finding.seat}"
    return f"{seat} ({finding.policy})"


def chart(summary: Summary) -> str:
    """Wins by seat with intervals; empty if there are too few games for any."""
    rows = {}
    for each in summary.seats:
        if each.share_interval is None:
            return ""
        low, high = (100 * end for end in each.share_interval)
        rows[each.lineup or str(each.seat)] = Dot(100 * each.share, low, high, _percent(each))
    return dots(rows, 100 * summary.fair, "Wins by seat, with intervals", "%")


def _percent(finding: SeatFinding) -> str:
    return in_words(finding.share, finding.share_interval, 1, top=100.0, factor=100.0)
