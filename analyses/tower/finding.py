"""The finding of the study `tower`: between what ends the towers move the outcomes at both tables that exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL, STRONG, Play
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, ends, number
from wallsim.stats.intervals import Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding

from .estimates import OUTCOMES, PLAYERS_WON, of_pair
from .figures import BASELINE, OUTCOME, PLAYERS, sure_of

LEAD = "first above last"
TABLES = {"casual table": (CASUAL, "lineup"), "experienced table": (STRONG, "draft")}  # strength and set-up


def at_table(figures: Figures, outcome: str, plays: Iterable[Play], table: str) -> dict[Cell, Figure]:
    """An outcome by cell at one of both tables, under all towers; of both lines of strong play at the experienced."""
    strength, setup = TABLES[table]
    names = {play.name for play in plays if play.strength == strength}
    arms = figures.cells(OUTCOME, outcome, players=PLAYERS)
    return {cell: arm for cell, arm in arms.items() if cell.play in names and cell.setup == setup}


def finding_of(figures: Figures, plays: Iterable[Play]) -> Finding | None:
    """Whether success depends on the tower, and between what ends; None with too few blocks for intervals."""
    sure, chosen = sure_of(figures), tuple(plays)
    casual, experienced = (at_table(figures, PLAYERS_WON, chosen, table) for table in TABLES)
    lead = at_table(figures, LEAD, chosen, "casual table")
    if any(each.interval(sure) is None for arms in (casual, experienced, lead) for each in arms.values()):
        return None
    every = {**casual, **experienced}
    depends, succeed = (_depends(every, sure), span(every.values(), 0, 100.0))
    return Finding(
        f"How often an attack on a player succeeds {depends}: in {succeed} % of cases",
        f"By tower, {span(casual.values(), 0, 100.0)} % of attacks on players succeed, and {span(lead.values(), 0)} "
        "points lie between first and last.",
        f"In the draft, {span(experienced.values(), 0, 100.0)} % of attacks of both strong lines succeed, by tower.",
        "Which tower is most like a real one: nobody has published a series of casts.",
        "Outcomes of the game, a panel for each, under every dice tower",
    )


def _depends(arms: Mapping[Cell, Figure], sure: Confidence) -> str:
    """Whether an outcome is known to differ between towers in each play, by intervals that do not meet."""
    by_play: dict[str, list[tuple[float, float]]] = {}
    for cell, arm in arms.items():
        low, high = arm.interval(sure) or (-float("inf"), float("inf"))
        by_play.setdefault(cell.play, []).append((low, high))
    apart = [max(low for low, _ in each) > min(high for _, high in each) for each in by_play.values()]
    if all(apart):
        return "depends on the dice tower"
    return f"{'may depend' if any(apart) else 'is not known to depend'} on the dice tower"


def both_tables(figures: Figures, plays: Iterable[Play]) -> str:
    """One row per outcome of four equal players: under the default tower, and the range over all towers, by table."""
    chosen, rows = tuple(plays), []
    for outcome, measured in OUTCOMES.items():
        cells = []
        for table in TABLES:
            arms = at_table(figures, outcome, chosen, table)
            here = [arm for cell, arm in arms.items() if cell.tower == BASELINE]
            cells += [_each(here, measured.decimals), span(arms.values(), measured.decimals, measured.top)]
        if not of_pair(outcome) and set(cells) != {NOTHING}:
            rows.append((f"{outcome}, {measured.unit}", *cells))
    heads = (f"{table}, {what}" for table in TABLES for what in ("default tower", "all towers"))
    return (
        f"{markdown_table(('outcome', *heads), rows)}\n\n"
        "Means of tables of four equal players; at the experienced table of both lines of strong play, the first "
        "before the second. [All tables](tower-tables.md) has each with its interval."
    )


def _each(arms: Iterable[Figure], decimals: int) -> str:
    return " and ".join(number(arm.value, decimals) for arm in arms) or NOTHING


def span(arms: Iterable[Figure], decimals: int, top: float | None = None) -> str:
    """The least and the largest of some estimates, or a dash where none is known."""
    values = [arm.value for arm in arms if not isnan(arm.value)]
    return ends((min(values), max(values)), decimals, top=top) if values else NOTHING
