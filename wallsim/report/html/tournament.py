"""The page on a tournament: its ladder, who finishes before whom, what contradicts the ladder, skill and luck."""

from __future__ import annotations

from wallsim.analysis.games.setups import settings_of
from wallsim.analysis.tournament.ratings import Rating
from wallsim.analysis.tournament.results import Findings
from wallsim.escaping import in_shell
from wallsim.report.html.page import page_names
from wallsim.report.html.sheets import Sheet, sheets_page
from wallsim.report.html.svg import Dot, dots
from wallsim.report.tables.estimates import in_words
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
from wallsim.report.tables.tournament import title_of
from wallsim.rules.other_settings import settings_line
from wallsim.runs.tournament.folder import TournamentRun
from wallsim.runs.tournament.interim_analyses import looks_in_words


def tournament_page(run: TournamentRun, findings: Findings, looks: tuple[int, ...]) -> str:
    """The page of a finished tournament and its results; `looks` are the numbers of blocks at which it was checked."""
    ratings, against = findings.ratings, cycle_rows(findings.upsets, findings.cycles)
    notes = [*ladder_notes(ratings), looks_in_words(looks)]
    sheets = [
        Sheet("The ladder", LADDER, ladder_rows(ratings), notes, _chart(findings)),
        Sheet(
            "Who finishes before whom", payoff_headings(findings.payoffs), payoff_rows(findings.payoffs),
            payoff_notes(findings.payoffs),
        ),
        Sheet("Against the ladder", CYCLES, against, [] if against else [
            "No pair is known to contradict the ladder, and there is no known cycle of three."
        ]),
        Sheet("Strength, wins and points", AGREEMENT, agreement_rows(findings.agreement)),
        Sheet("Skill and luck", SKILL, skill_rows([findings.skill]), skill_notes(findings.skill)),
    ]  # fmt: skip
    lead = [f"{title_of(run)}.", *filter(None, [settings_line(settings_of(run.manifest))])]
    return sheets_page(
        f"A tournament of {len(run.policies)} policies", lead, _takeaways(findings), sheets,
        ("The ladder", f"wallsim tournament {in_shell(page_names([run.folder])[0])}"), findings.assumptions,
    )  # fmt: skip


def _takeaways(findings: Findings) -> list[str]:
    """Which policy is the strongest and which are not known to be weaker; how many pairs contradict the ladder."""
    first, *others = findings.ratings.ladder
    lines = [f"{first.policy} ranks first, with a strength of {strength_of(first)}."]
    if first.interval is not None:
        low = first.interval[0]
        near = [each.policy for each in others if each.interval is not None and each.interval[1] >= low]
        lines.append(
            f"The intervals of {', '.join(near)} meet that of {first.policy}." if near
            else f"No interval of another policy meets that of {first.policy}."
        )  # fmt: skip
    else:
        lines.append("There are too few blocks for intervals; draw no conclusions.")
    count = len(findings.upsets)
    if count:
        lines.append(f"{count} pair{'s are' if count > 1 else ' is'} known to contradict the ladder.")
    return lines


def _chart(findings: Findings) -> str:
    """Wins of each policy by its place on the ladder, with intervals; empty if there are too few blocks for any."""
    rows = {}
    for place, rating in enumerate(findings.ratings.ladder, start=1):
        if rating.win_interval is None:
            return ""
        low, high = (100 * end for end in rating.win_interval)
        rows[str(place)] = Dot(100 * rating.win_share, low, high, _wins(rating))
    return dots(
        rows, 100 * findings.ratings.fair, "Wins of each policy by its place on the ladder, with intervals", "%"
    )


def _wins(rating: Rating) -> str:
    return in_words(rating.win_share, rating.win_interval, 1, top=100.0, factor=100.0)
