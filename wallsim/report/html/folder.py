"""A page on what a folder holds: a run, a tournament, or scenarios.

That of a run says who wins, by how much, where points come from, and what it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from wallsim.analysis.contrasts.scenarios import compare_scenarios
from wallsim.analysis.games.breakdown import breakdown
from wallsim.analysis.games.summary import SeatFinding, Summary, summarise
from wallsim.analysis.tournament.ratings import Ratings
from wallsim.analysis.tournament.results import Findings, judge, lineup_wins
from wallsim.escaping import in_shell
from wallsim.folder.address import Folder
from wallsim.folder.interim_analyses import looks_of
from wallsim.folder.lock import ReadOnlyError
from wallsim.folder.results import Run
from wallsim.folder.scenarios import Scenarios, holds_scenarios
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.verification import open_results
from wallsim.play.shared_experiment import shared_run, shared_tournament
from wallsim.report.html.comparison import scenarios_page
from wallsim.report.html.page import page_names
from wallsim.report.html.played import bots_line, in_players_words, settings_lines
from wallsim.report.html.sheets import AGAIN, Page, Panel, Panels, run_files, sheets_page, tournament_files
from wallsim.report.html.svg import Dot, axis_of, dots, share_dots
from wallsim.report.tables.columns import Sheet
from wallsim.report.tables.estimates import NOTHING, how_many, in_words, number, share, share_ends, share_words
from wallsim.report.tables.tournament import sheets_of, strength_of
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence


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
    won = [
        [name_of(each), share_words(each.share, each.share_interval), in_words(each.vp, each.vp_interval, 2),
         NOTHING if each.vp_deviation is None else number(each.vp_deviation, 1)]
        for each in summary.seats
    ]  # fmt: skip
    points = [[name_of(each), *(words[each.seat] for words in sources.values())] for each in summary.seats]
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
        Page(
            run.manifest["experiment"]["name"] or "Games of a run", lead, takeaways(summary), sheets,
            "This page", f"wallsim report {in_shell(name)}", summary.assumptions,
            results={name: run},
            shared=run_files(shared_run(run), run.manifest, f"wallsim report {AGAIN} --out"),
        )
    )  # fmt: skip


def takeaways(summary: Summary) -> list[str]:
    """What is known of wins and of their spread, in sentences; an interval decides each word."""
    lines = [f"{name_of(each)} wins {words} than its share: {share_words(each.share, each.share_interval)} %."
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
    rows = share_dots({each.lineup or str(each.seat): (each.share, each.share_interval) for each in summary.seats})
    return dots(rows, 100 * summary.fair, "Wins by seat, with intervals", "%")


_POLICY = "policy"  # the component of skill that bots make
_MOST_CHARTS = 12
_NAMED = 3  # bots in a title


def tournament_page(run: TournamentRun, findings: Findings, looks: tuple[int, ...]) -> str:
    """The page of a finished tournament and its results; `looks` are the numbers of blocks at which it was checked.

    It has what was played, and the experiment by which others play it again.
    """
    ratings = findings.ratings
    ladder, *others, skill = sheets_of(findings, looks)
    sheets = [ladder._replace(chart=_ladder_chart(findings)), skill._replace(chart=_skill_chart(findings)), *others]
    manifest, players = run.manifest, run.identity["players"]
    games = f"{how_many(manifest['games'], 'game')} in {how_many(manifest['blocks'], 'block')}"
    first = [ratings.ladder[0].policy, *_alike(ratings)]
    title = f"{' and '.join(first)} rank{'s' if len(first) == 1 else ''} first of {len(run.policies)} bots"
    return sheets_page(
        Page(
            title if len(first) <= _NAMED else f"No bot of {len(run.policies)} is known to be the strongest",
            [f"{games}, {players} players. {bots_line([run])}", *settings_lines(run)], _ladder_takeaways(findings),
            list(map(_for_players, sheets)),
            "The ladder", f"wallsim tournament {in_shell(page_names([run.folder])[0])}",
            findings.assumptions, panels=_panels(run, findings), results={"": run},
            shared=tournament_files(shared_tournament(run), run),
        )
    )  # fmt: skip


def _for_players(sheet: Sheet) -> Sheet:
    rows = [list(map(in_players_words, row)) for row in sheet.rows]
    return sheet._replace(
        heads=list(map(in_players_words, sheet.heads)), rows=rows, notes=list(map(in_players_words, sheet.notes))
    )


def _alike(ratings: Ratings) -> list[str]:
    """The bots that are not distinguishable from the strongest one; all of them with too few blocks for intervals."""
    first, *others = ratings.ladder
    low = first.interval[0] if first.interval is not None else -inf
    return [each.policy for each in others if each.interval is None or each.interval[1] >= low]


def _ladder_takeaways(findings: Findings) -> list[str]:
    """Which bot is the strongest and which are not known to be weaker; what decides; what contradicts the ladder."""
    first, alike = findings.ratings.ladder[0], _alike(findings.ratings)
    lines = [f"{first.policy} ranks first, with a strength of {strength_of(first)}."]
    if first.interval is None:
        lines.append("There are too few blocks for intervals; draw no conclusions.")
    else:
        lines.append(
            f"Not distinguishable from {first.policy}: {', '.join(alike)}." if alike
            else f"{first.policy} is known to be stronger than all others."
        )  # fmt: skip
    lines += [
        f"Skill: the choice of the bot makes {share(part.share)} % ({share_ends(part.interval)}) of the differences in "
        f"victory points at a table."
        for part in findings.skill.parts
        if part.name == _POLICY and part.interval is not None
    ]
    count = len(findings.upsets)
    if count:
        lines.append(f"{count} pair{'s are' if count > 1 else ' is'} known to contradict the ladder.")
    return lines


def _ladder_chart(findings: Findings) -> str:
    """Wins of each bot from the strongest, with intervals; empty if there are too few blocks for any."""
    rows = share_dots({each.policy: (each.win_share, each.win_interval) for each in findings.ratings.ladder})
    title = "Wins of each bot, the strongest first, with intervals"
    return dots(rows, 100 * findings.ratings.fair, title, "%")


def _skill_chart(findings: Findings) -> str:
    """The share of each component in the differences between seats; empty if there are too few blocks for any."""
    rows = share_dots({in_players_words(part.name): (part.share, part.interval) for part in findings.skill.parts})
    title = "Shares of the differences in victory points, with intervals"
    return dots(rows, 0.0, title, "%", line="0 %")


def _panels(run: TournamentRun, findings: Findings) -> Panels | None:
    """Wins by line-up of all bots together and of each; None in a draft, and for too few blocks."""
    found = lineup_wins(run.rows(check=False))  # the files were checked for the ladder
    order = [None, *(rating.policy for rating in findings.ratings.ladder)][: _MOST_CHARTS + 1]
    shown = {bot: found[bot] for bot in order if bot in found}
    confidence = Confidence(findings.ratings.level, sum(map(len, shown.values())))
    rows = {bot: _dots_of(lineups, confidence) for bot, lineups in shown.items()}
    rows = {bot: each for bot, each in rows.items() if each}
    if None not in rows:
        return None
    fair = 100 * findings.ratings.fair
    axis = axis_of(list(rows.values()), fair)
    return Panels(
        "Wins by line-up",
        [
            Panel(bot or "All bots", [], dots(each, fair, f"Wins of {bot or 'all bots'} by line-up", "%", axis))
            for bot, each in rows.items()
        ],
        [f"Share of games won, in per cent. The {confidence.n_comparisons} intervals hold simultaneously with 95 % "
         "confidence, over blocks. A bot that wins hardly ever has no chart."],
        after=1,
    )  # fmt: skip


def _dots_of(lineups: Mapping[str, Estimate], confidence: Confidence) -> dict[str, Dot]:
    """The wins by line-up, within what shares can be; none if one has no interval."""
    shares = {letter: (estimate.value, estimate.interval(confidence)) for letter, estimate in lineups.items()}
    return {
        letter: dot._replace(low=max(0.0, dot.low), high=min(100.0, dot.high))
        for letter, dot in share_dots(shares).items()
    }
