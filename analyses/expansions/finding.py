"""The finding of the study `expansions`: what each expansion changes at the casual and at the experienced table."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number, of_estimate
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope

from ..robustness.answers import differing, not_known
from .count import ATTACKS, LEADER
from .effects import CLAIMS, COURT, EFFECTS, LANDSKNECHTE, LEADERS, WITHOUT
from .figures import BY_CELL, PLAYERS, item

NAMES = {COURT: "the Emperor's Court", LANDSKNECHTE: "the Landsknechte", LEADERS: "the military leaders"}
_SHOWN = {POINTS: 2, SPREAD: 2, LEADER: 1, ATTACKS: 2}  # outcomes of the table, and their decimals


def finding_of(figures: Figures, scope: Scope) -> Finding:
    """Which expansion moves most points, and what the others do at both tables."""
    changes = {
        name: [_effect(figures, name, POINTS, table) for table in (CASUAL_TABLE, EXPERIENCED_TABLE)]
        for name in EXPANSIONS
    }
    most = max(changes, key=lambda name: sum(abs(each.value) for each in changes[name]))
    casual, experienced = (number(each.value, 1, "+") for each in changes[most])
    others = [name for name in EXPANSIONS if name != most]
    return Finding(
        f"Most points move with {NAMES[most]}: {casual} VP a seat at the casual table, {experienced} at the "
        "experienced one",
        _sentence(figures, scope, others, CASUAL_TABLE),
        _sentence(figures, scope, others, EXPERIENCED_TABLE),
        not_known(figures, CLAIMS),
        "What each expansion and each pair of them changes in points and in their spread, in every kind of play, and "
        "what it changes in the wins of styles",
        differing(figures, CLAIMS),
    )


def _sentence(figures: Figures, scope: Scope, names: list[str], table: Cell) -> str:
    each = [f"{_as_text(scope, _effect(figures, name, POINTS, table), 2)} with {NAMES[name]}" for name in names]
    return f"A seat's points change by {' and by '.join(each)}."


def _effect(figures: Figures, name: str, outcome: str, cell: Cell) -> Figure:
    return figures.of(BY_CELL, item(name, outcome), players=PLAYERS, cell=cell)


def _as_text(scope: Scope, figure: Figure | None, decimals: int) -> str:
    sure = Confidence(LEVEL, len(scope.cells()) * len(EFFECTS))  # all effects on an outcome in all cells
    return of_estimate(figure, sure, decimals, sign="+")


def both_tables(figures: Figures, scope: Scope) -> str:
    """One row per expansion and outcome: the main effect at both tables, and by lines made without any."""
    without = [EXPERIENCED_TABLE._replace(play=play) for play in WITHOUT]
    cells, rows = [CASUAL_TABLE, EXPERIENCED_TABLE, *without], []
    for name in EXPANSIONS:
        for outcome, decimals in _SHOWN.items():
            found = figures.cells(BY_CELL, item(name, outcome), players=PLAYERS)
            words = f"{NAMES[name][0].upper()}{NAMES[name][1:]}: {outcome}"
            rows.append((words, *(_as_text(scope, found.get(cell), decimals) for cell in cells)))
    heads = ("expansion: outcome", "casual table", "experienced table", *(f"{cell.play}, draft" for cell in without))
    return (
        f"{markdown_table(heads, rows)}\n\nThe mean over the other expansions; tower {CASUAL_TABLE.tower}; for each "
        f"outcome {len(scope.cells()) * len(EFFECTS):,} simultaneous {LEVEL:.0%} intervals. The experienced table is "
        "of the one line of strong play that was tuned with all three; the last columns are of strong lines that "
        "were tuned or taught without any."
    )
