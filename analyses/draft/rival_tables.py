"""The tables of the study `draft` about table drafters among each other, made from the register, as Markdown."""

from __future__ import annotations

from typing import Any

from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figures

from .cells import DRAFT, PLAYERS, Scope
from .counties import as_text
from .rival_figures import (
    ALL_LESS_NONE,
    BORDERS,
    ONE_MORE,
    RESPONSE,
    SAME_WORTHS,
    TABLES,
    others_of,
    side_among,
    sure_of_rivals,
)
from .rivals import FITTED, JUDGED, blocks_of_rivals, in_table, plays_of_rivals, sizes_of_rivals

_DECIMALS = {"points": 2, "wins": 1}
_SIDES = {1: "gains", -1: "costs"}


def rival_tables(figures: Figures, scope: Scope) -> str:
    """What one more table drafter gains by how many others there are, and the responses, with a sentence on both."""
    return "\n\n".join([_one_more(figures, scope), _responses(figures, scope), _words(figures, scope)])


def _at(scope: Scope, play: str, players: int = PLAYERS) -> dict[str, Any]:
    return {"players": players, "play": play, "tower": scope.towers[0], "setup": DRAFT}


def _one_more(figures: Figures, scope: Scope) -> str:
    sure, plays, rows = sure_of_rivals(scope), plays_of_rivals(scope), []
    for players in sizes_of_rivals(scope):
        for others in range(players):
            gains = (
                as_text(figures.of(quantity, others_of(others), **_at(scope, play, players)), sure, _DECIMALS[what])
                for what, quantity in ONE_MORE.items()
                for play in plays
            )
            rows.append((str(players), f"{others} of {players - 1}", *gains))
    heads = ("players", "others who draft by the table", *(f"VP, {play}" for play in plays))
    return markdown_table((*heads, *(f"wins, {play}, % points" for play in plays)), rows)


def _responses(figures: Figures, scope: Scope) -> str:
    sure, rows = sure_of_rivals(scope), []
    for play in plays_of_rivals(scope):
        at = _at(scope, play)
        gains = (as_text(figures.of(RESPONSE[what], **at), sure, decimals) for what, decimals in _DECIMALS.items())
        same = number(figures.of(SAME_WORTHS, **at).value, 2)
        borders = (number(figures.of(BORDERS, name, **at).value, 2, "+") for name in TABLES)
        rows.append((play, *gains, same, *borders))
    heads = (
        "one seat picks by the response, three by the table", "VP", "wins, % points",
        "correlation of the worths of counties", *(f"VP for a border, in {name}" for name in TABLES),
    )  # fmt: skip
    return markdown_table(heads, rows)


def _words(figures: Figures, scope: Scope) -> str:
    sure, plays = sure_of_rivals(scope), plays_of_rivals(scope)
    blocks = {players: blocks_of_rivals(scope, players) for players in sizes_of_rivals(scope)}
    means = ", ".join(f"{as_text(figures.of(ALL_LESS_NONE, **_at(scope, play)), sure)} ({play})" for play in plays)
    seeds = (in_table(scope, plays[0], PLAYERS, shift).seed for shift in (JUDGED, FITTED))
    judged, fitted = seeds
    few = min(blocks.values())
    return (
        f"The table is that of the same play and number of players. {_verdicts(figures, scope)} Where all {PLAYERS} "
        f"seats draft by it instead of none, a seat's mean result changes by {means} VP. VP in the "
        "tables are above the table's mean. "
        f"Of each draft number every set of seats drafts by the table: "
        f"{', '.join(f'{count:,} blocks with {players} players' for players, count in blocks.items())}, seed {judged}, "
        f"tower {scope.towers[0]}. The response is estimated from {scope.deals:,} drafts of seed {fitted} in which "
        f"all seats go by the table. The ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals."
        + (f" {sure.too_few(few, 'blocks')}" if few < sure.min_blocks else "")
    )


def _verdicts(figures: Figures, scope: Scope) -> str:
    """In which plays the table is known to gain, or to cost, however many others draft by it."""
    plays: dict[int | None, list[str]] = {}
    for play in plays_of_rivals(scope):
        plays.setdefault(side_among(figures, scope, play), []).append(play)
    told = {side: f"{' and '.join(names)} play" for side, names in plays.items()}
    known = [f"{verb} points in {told[side]}" for side, verb in _SIDES.items() if side in told]
    words = [f"With {PLAYERS} players it {' and '.join(known)}, however many others draft by it."] if known else []
    if None in told:
        words.append(f"Whether it gains with {PLAYERS} players depends on the others in {told[None]}.")
    if 0 in told:
        words.append(f"Whether it always gains with {PLAYERS} players is not known for {told[0]}.")
    return " ".join(words)
