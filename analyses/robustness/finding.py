"""The finding of the study `robustness`: how many claims hold, at which tables, and how many have which answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, LITTLE, SAME, UNKNOWN, VARIES, Answer
from wallsim.analysis.claims.plays import CASUAL, STRONG
from wallsim.markdown import markdown_table
from wallsim.stats.intervals import LEVEL
from wallsim.studies.finding import Finding
from wallsim.studies.scope import plays_for

from .answers import Asked, Judged, margins_in_words
from .figures import PLAYERS

MEANINGS = {
    HOLDS: "in every cell of play, tower and set-up",
    VARIES: "in nearly every cell, and no cell is known to fail",
    LITTLE: "it holds, or the other way by less than what matters",
    DEPENDS: "it holds in some cell and fails in some cell",
    SAME: "in every cell the difference is too small to matter",
    FAILS: "the opposite holds in every cell",
    UNKNOWN: "none of these is shown",
}
SIZES = (PLAYERS, 3, 5)  # numbers of players


def finding_of(claims: Mapping[Asked, Judged], found: Mapping[Asked, Answer]) -> Finding:
    """How many claims hold everywhere and at both tables, and how many are not known; with four players."""
    counts = Counter(answer.word for asked, answer in found.items() if asked[2] == PLAYERS)
    nearly = "all or nearly all" if counts[VARIES] else "all"
    strong = [play.name for play in plays_for(PLAYERS) if play.strength == STRONG]
    casual, experienced = _holding(claims, found, [CASUAL], "lineup"), _holding(claims, found, strong, "draft")
    holding = f"{counts[HOLDS] + counts[VARIES]} of {counts.total()} claims"
    return Finding(
        f"{holding} hold in {nearly} kinds of play, towers and set-ups",
        f"{casual} claims are known to hold in casual play with the printed line-ups.",
        f"{experienced} claims are known to hold with both lines of strong play in the draft.",
        f"{counts[UNKNOWN]} claims are not known." if counts[UNKNOWN] else "",
        "Every claim in every cell of play, tower and set-up: whether it holds, fails or is open",
        f"{counts[DEPENDS]} claims hold in some kinds of play, towers and set-ups and fail in others."
        if counts[DEPENDS]
        else "",
    )


def _holding(claims: Mapping[Asked, Judged], found: Mapping[Asked, Answer], plays: list[str], setup: str) -> str:
    """In words how many of the claims that are judged in all these plays are known to hold there, under every tower."""
    holding = judged = 0
    for asked, each in claims.items():
        there = [cell for cell in each.cells() if cell.play in plays and cell.setup == setup]
        if asked[2] == PLAYERS and {cell.play for cell in there} == set(plays):
            judged += 1
            holding += set(there) <= set(found[asked].holds_in)
    return f"{holding} of {judged}"


def count_table(found: Mapping[Asked, Answer]) -> str:
    """One row an answer: what it says, and how many claims have it, by number of players."""
    counts = Counter((answer.word, asked[2]) for asked, answer in found.items())
    sizes = [size for size in SIZES if any(players == size for _, players in counts)]
    rows = [(word, words, *(str(counts[word, size]) for size in sizes)) for word, words in MEANINGS.items()]
    table = markdown_table(("answer", "what it says", *(f"claims, {size} players" for size in sizes)), rows)
    return (
        f"{table}\n\nAll answers are right together with {LEVEL:.0%}; each claim has one, on every page. What "
        f"matters at a table: {margins_in_words()}."
    )
