"""The first screen of the study `openings`: what players build first, and whether frequent cards are good ones."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.openings.plans import BOXES
from wallsim.markdown import markdown_table
from wallsim.report.pages.openings import words_of
from wallsim.report.tables.estimates import number, of_estimate
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.scope import CASUAL_TABLE

from .estimates import PLAYERS, SECOND_TABLE, STRONG_TABLE, TABLES, Design
from .figures import BUILDINGS, LAID, SPRING, sure_of_laid
from .tables import Card, forced_at

NAMES = {CASUAL_TABLE: "casual", STRONG_TABLE: "experienced, first line", SECOND_TABLE: "experienced, second line"}


def finding_of(figures: Figures, design: Design) -> Finding | None:
    """What lies on the boxes first, and what frequent cards change; None for too few games of an interval."""
    if design.games < sure_of_laid().min_blocks:
        return None
    casual, first, second = (built(figures, table) for table in TABLES)
    return Finding(
        title_of(casual, first, second),
        f"A first plan has {of_estimate(casual, sure_of_laid(), 2)} buildings. {forced_words(figures, CASUAL_TABLE)}",
        f"With the printed line-ups, {of_estimate(first, sure_of_laid(), 2)} buildings in the first line of play, "
        f"{of_estimate(second, sure_of_laid(), 2)} in the second.",
        "How people open, what a draft changes, and cards in pairs.",
        "First plans that use each box, in per cent, a mark for each kind of table",
    )


def title_of(casual: Figure, first: Figure, second: Figure) -> str:
    """How the buildings of first plans of strong players, in each line of play, compare with those of casual ones."""
    sides = {side(line, casual) for line in (first, second)}
    if sides == {-1, 1}:
        ways = " or ".join(number(line.value, 1) for line in (first, second))
        others = number(casual.value, 1)
        return f"Strong players open in two ways: {ways} buildings in a first plan, casual players {others}"
    words = {-1: "fewer buildings", 1: "more buildings"}.get(sides.pop() if len(sides) == 1 else 0)
    if words is None:
        return "Whether strong players plan more buildings first than casual players depends on the line of play"
    return f"In the first season strong players plan {words} than casual players"


def side(one: Figure, other: Figure) -> int:
    """1 or -1 if the interval of one lies above or below that of another, else 0."""
    ends = [each.interval(sure_of_laid()) or (each.value, each.value) for each in (one, other)]
    return side_of((ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]))


def forced_words(figures: Figures, table: Cell) -> str:
    """How many of the frequent cards of a table are known to bring or to cost points where they replace others."""
    cards = forced_at(figures, table)
    gains, costs = ([card for card in cards if side_of(_points(card).ends) == sign] for sign in (1, -1))
    return f"Laid in place of others, {len(gains)} of {len(cards)} frequent cards bring points, {len(costs)} cost some."


def built(figures: Figures, table: Cell) -> Figure:
    """The buildings of a first plan at a table of four."""
    return figures.of(BUILDINGS, players=PLAYERS, cell=table, moment=SPRING)


def laid(figures: Figures, box: str, players: int, table: Cell) -> Figure:
    """How many first plans use a box, in per cent."""
    return figures.of(LAID, box, players=players, cell=table, moment=SPRING)


def laid_table(figures: Figures, players: int) -> str:
    """A row per box: how many first plans have a county on it, or bid Thalers, at each table."""
    heads = (f"first plans that use it, {players} players, %", *(NAMES[table] for table in TABLES))
    rows = [
        (words_of(box), *(of_estimate(laid(figures, box, players, table), sure_of_laid(), 1, top=100.0)
                          for table in TABLES))
        for box in BOXES
    ]  # fmt: skip
    return markdown_table(heads, rows)


def _points(card: Card) -> Figure:
    assert card.forced_vp is not None
    return card.forced_vp
