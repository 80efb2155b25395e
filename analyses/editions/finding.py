"""The finding of the study `editions`: how many open rules matter at which table, and by how much points move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, of_estimate
from wallsim.rules.ruleset import SWITCHES
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_ROWS, Finding
from wallsim.studies.outcomes import POINTS
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope, plays_for

from .estimates import EXPANDED, LIMITS, Variant, cells_for, plays_of, side, variants
from .figures import PLAYERS, VERDICT, item, sure_of_verdicts

# Settings by the marks of their switches, as a player would say them.
WORDS = {"": "the first edition", **{switch.mark: switch.other for switch in SWITCHES}}


def finding_of(figures: Figures, scope: Scope) -> Finding:
    """How many of the rules that the books leave open matter, everywhere and at both tables."""
    switches = [variant for variant in variants() if variant.mark]
    never = sum(is_idle(figures, scope, variant) for variant in switches)
    doubtful = sum(counts_of(figures, scope, variant)["open"] > 0 for variant in switches)
    return Finding(
        f"{never} of {len(switches)} rules that the rulebooks leave open do not matter in any kind of play",
        _sentence(figures, scope, switches, casual=True),
        _sentence(figures, scope, switches, casual=False),
        f"In some cell it is not known whether {doubtful} of these rules matter."
        if doubtful
        else "Nothing is open: each rule is known to matter or not in every cell.",
        "For each open rule, the games that its other setting changes, and the change of a seat's points in each kind "
        "of play",
    )


def _sentence(figures: Figures, scope: Scope, switches: Sequence[Variant], *, casual: bool) -> str:
    """How many rules matter at a table, and which of them moves points most."""
    there = {variant.mark: _cells(figures, variant, casual=casual) for variant in switches}
    played = [variant for variant in switches if there[variant.mark]]
    if not played:
        return ""
    moving = sum(all(_moves(figures, scope, variant, cell) for cell in there[variant.mark]) for variant in played)
    changes = {variant.mark: _points(figures, variant, there[variant.mark]) for variant in played}
    most = max(changes, key=lambda mark: fmean(abs(each.value) for each in changes[mark]))
    values = " and ".join(_as_text(each, scope) for each in changes[most])
    where = "" if casual else " in every strong line"
    matter = f"{moving} of them matter{'s' if moving == 1 else ''}{where}"
    return f"{matter}; most points move with {WORDS[most]}: {values} VP a seat."


def _cells(figures: Figures, variant: Variant, *, casual: bool) -> list[Cell]:
    """The cells of a table in which a variant was played: one of casual play, one for each line of strong play."""
    strong = (play.name for play in plays_of(variant.base) if play.strength == STRONG)
    wanted = [CASUAL_TABLE] if casual else [EXPERIENCED_TABLE._replace(play=play) for play in strong]
    played = figures.cells(VERDICT, item(variant, POINTS), players=PLAYERS)
    return [cell for cell in wanted if cell in played]


def _points(figures: Figures, variant: Variant, cells: Sequence[Cell]) -> list[Figure]:
    return [figures.of(VERDICT, item(variant, POINTS), players=PLAYERS, cell=cell) for cell in cells]


def sides_of(figures: Figures, scope: Scope, variant: Variant, cell: Cell) -> dict[str, str]:
    """Whether each outcome moves in a cell, by outcome: `small`, `moves` or `open`."""
    sure = sure_of_verdicts(scope)
    found = {outcome: figures.of(VERDICT, item(variant, outcome), players=PLAYERS, cell=cell) for outcome in LIMITS}
    return {outcome: side(each, each.error, outcome, sure) for outcome, each in found.items()}


def _moves(figures: Figures, scope: Scope, variant: Variant, cell: Cell) -> bool:
    return "moves" in sides_of(figures, scope, variant, cell).values()


def counts_of(figures: Figures, scope: Scope, variant: Variant) -> Counter[str]:
    """In how many cells a variant moves some outcome, none for sure, and none as far as is known."""
    counts: Counter[str] = Counter()
    for cell in cells_for(scope, variant):
        sides = set(sides_of(figures, scope, variant, cell).values())
        counts["moves" if "moves" in sides else "open" if "open" in sides else "small"] += 1
    return counts


def is_idle(figures: Figures, scope: Scope, variant: Variant) -> bool:
    """Whether a variant is known not to matter in any cell."""
    return set(counts_of(figures, scope, variant)) == {"small"}


def both_tables(figures: Figures, scope: Scope) -> str:
    """One row for each setting that may matter, those that move points most: the change of points at both tables."""
    strong = [EXPERIENCED_TABLE._replace(play=play.name) for play in plays_for(PLAYERS) if play.strength == STRONG]
    cells = [CASUAL_TABLE, *strong]
    mattering = [variant for variant in variants() if not is_idle(figures, scope, variant)]
    found = {each.name: figures.cells(VERDICT, item(each, POINTS), players=PLAYERS) for each in mattering}

    def size(variant: Variant) -> float:
        here = found[variant.name]
        return max((abs(here[cell].value) for cell in cells if cell in here), default=0.0)

    rows = []
    for variant in sorted(mattering, key=size, reverse=True)[:MOST_ROWS]:
        each = (found[variant.name].get(cell) for cell in cells)
        counts = counts_of(figures, scope, variant)
        name = f"{variant.mark} {WORDS[variant.mark]}{' *' if variant.base == EXPANDED else ''}".strip()
        shares = f"{counts['moves']} of {counts.total()}"
        rows.append((name, *(NOTHING if one is None else _as_text(one, scope) for one in each), shares))
    heads = ("setting", "casual table, VP", *(f"{cell.play}, draft, VP" for cell in strong), "matters in cells")
    note = "No other setting matters in any cell."
    if len(mattering) > MOST_ROWS:
        note = "Other settings move points less; all of them are on the page of all tables."
    return (
        f"{markdown_table(heads, rows)}\n\nChange of a seat's points, tower {CASUAL_TABLE.tower}; "
        f"{sure_of_verdicts(scope).n_comparisons:,} simultaneous {LEVEL:.0%} intervals. A setting matters in a cell "
        f"where it moves points, their spread or the wins of year one's leader. {note} * with all expansions, where "
        "one line of strong play is tuned."
    )


def _as_text(each: Figure, scope: Scope) -> str:
    return of_estimate(each, sure_of_verdicts(scope), 2, sign="+")
