"""The page on a tournament: its ladder, skill and luck, wins by line-up, and how to play it again."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from wallsim.analysis.tournament.ratings import Rating, Ratings
from wallsim.analysis.tournament.results import Findings, lineup_wins
from wallsim.escaping import in_shell
from wallsim.report.html.page import page_names
from wallsim.report.html.played import bots_line, in_players_words, played_rows, settings_lines
from wallsim.report.html.shared_files import tournament_files
from wallsim.report.html.sheets import Panel, Panels, Sheet, sheets_page
from wallsim.report.html.svg import Dot, axis_of, dots
from wallsim.report.tables.estimates import how_many, in_words, share, share_ends
from wallsim.report.tables.ratings import (
    AGREEMENT,
    CYCLES,
    LADDER,
    SKILL,
    agreement_rows,
    cycle_rows,
    ladder_notes,
    ladder_rows,
    payoff_headings,
    payoff_notes,
    payoff_rows,
    skill_notes,
    skill_rows,
    strength_of,
)
from wallsim.runs.shared_experiment import shared_tournament
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.interim_analyses import looks_in_words
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence

_POLICY = "policy"  # the component of skill that bots make
_MOST_CHARTS = 12
_NAMED = 3  # bots in a title


def tournament_page(run: TournamentRun, findings: Findings, looks: tuple[int, ...]) -> str:
    """The page of a finished tournament and its results; `looks` are the numbers of blocks at which it was checked.

    It has what was played, and the experiment by which others play it again.
    """
    ratings, against = findings.ratings, cycle_rows(findings.upsets, findings.cycles)
    notes = [*ladder_notes(ratings), looks_in_words(looks)]
    skill = skill_rows([findings.skill])
    sheets = [
        Sheet("The ladder", LADDER, ladder_rows(ratings), notes, _chart(findings)),
        Sheet("Skill and luck", SKILL, skill, skill_notes(findings.skill), _skill_chart(findings)),
        Sheet(
            "Who finishes before whom", payoff_headings(findings.payoffs), payoff_rows(findings.payoffs),
            payoff_notes(findings.payoffs),
        ),
        Sheet("Against the ladder", CYCLES, against, [] if against else [
            "No pair is known to contradict the ladder, and there is no known cycle of three."
        ]),
        Sheet("Strength, wins and points", AGREEMENT, agreement_rows(findings.agreement)),
    ]  # fmt: skip
    manifest, players = run.manifest, run.identity["players"]
    games = f"{how_many(manifest['games'], 'game')} in {how_many(manifest['blocks'], 'block')}"
    first = [ratings.ladder[0].policy, *_alike(ratings)]
    title = f"{' and '.join(first)} rank{'s' if len(first) == 1 else ''} first of {len(run.policies)} bots"
    return sheets_page(
        title if len(first) <= _NAMED else f"No bot of {len(run.policies)} is known to be the strongest",
        [f"{games}, {players} players. {bots_line([run])}", *settings_lines(run)], _takeaways(findings),
        list(map(_for_players, sheets)),
        ("The ladder", f"wallsim tournament {in_shell(page_names([run.folder])[0])}"),
        list(map(in_players_words, findings.assumptions)), panels=_panels(run, findings),
        played=played_rows({"": run}), shared=tournament_files(shared_tournament(run), run),
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


def _takeaways(findings: Findings) -> list[str]:
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


def _chart(findings: Findings) -> str:
    """Wins of each bot from the strongest, with intervals; empty if there are too few blocks for any."""
    rows = {}
    for rating in findings.ratings.ladder:
        if rating.win_interval is None:
            return ""
        low, high = (100 * end for end in rating.win_interval)
        rows[rating.policy] = Dot(100 * rating.win_share, low, high, _wins(rating))
    return dots(rows, 100 * findings.ratings.fair, "Wins of each bot, the strongest first, with intervals", "%")


def _skill_chart(findings: Findings) -> str:
    """The share of each component in the differences between seats; empty if there are too few blocks for any."""
    rows = {}
    for part in findings.skill.parts:
        if part.interval is None:
            return ""
        low, high = (100 * end for end in part.interval)
        rows[in_players_words(part.name)] = Dot(
            100 * part.share, low, high, in_words(part.share, part.interval, 1, factor=100.0)
        )
    return dots(rows, 0.0, "Shares of the differences in victory points, with intervals", "%", line="0 %")


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
    rows = {}
    for letter, estimate in lineups.items():
        interval = estimate.interval(confidence)
        if interval is None:
            return {}
        low, high = max(0.0, interval[0]), min(1.0, interval[1])
        words = in_words(estimate.value, interval, 1, top=100.0, factor=100.0)
        rows[letter] = Dot(100 * estimate.value, 100 * low, 100 * high, words)
    return rows


def _wins(rating: Rating) -> str:
    return in_words(rating.win_share, rating.win_interval, 1, top=100.0, factor=100.0)
