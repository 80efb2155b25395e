"""Expansions: what do the Emperor's Court, the Landsknechte and the military leaders change?

Method. (1) All eight subsets of the three expansions are played, each on games of its own, since games with other
expansions soon share nothing. Main effects and interactions of each outcome are orthogonal contrasts of the eight, with
Student's t intervals over blocks of 24 games; they are judged in every play, tower and set-up. (2) In every subset a
ladder of policies from weak to strong and the zoo's styles play tournaments: what share of the variance of points is
skill, and which styles gain. (3) Favors, Landsknechte cards and statues are given to one seat and denied to it, by
policies that answer one question otherwise, in games with all expansions. (4) The same games are played on boards with
other figures in place of the assumed ones of the favors. Strong play is that tuned with all three expansions; lines
made without any are played beside it and are not called strong. With --quick there are few cells and games.
"""

from __future__ import annotations

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.intervals import LEVEL
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Figure, Figures, Rows
from wallsim.studies.finding import Finding
from wallsim.studies.grids import Grid, Line, estimate, sure_of, texts_of, value
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.quantities import add_values
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope
from wallsim.studies.study import Judged, Page, Study

from ..robustness.answers import left_open
from .effects import (
    ATTACKS,
    CLAIMS,
    COURT,
    DRAWN,
    EFFECTS,
    LANDSKNECHTE,
    LEADER,
    LEADERS,
    PLAYERS,
    UNITS,
    WITHOUT,
    name_of_effect,
    outcomes_by_game,
    plays_cells,
    plays_with_expansions,
    scope_of,
)
from .estimates import Expansions, identity, play
from .picture import expansions_at_a_glance
from .quantities import QUANTITIES
from .skill import FIELDS, ZOO
from .tables import tables

NAMES = {COURT: "the Emperor's Court", LANDSKNECHTE: "the Landsknechte", LEADERS: "the military leaders"}
SIGNED = estimate(2, "+")


def figures(result: Expansions, rows: Rows) -> None:
    """Add every figure: the factorial, the claims, and all others."""
    add_values(rows, QUANTITIES, result.factorial)
    add_claims(rows, CLAIMS, result.claims, result.scope.plays, UNITS)
    add_values(rows, QUANTITIES, result.others)


def effect(figures: Figures, name: str, table: Cell) -> Figure:
    """The main effect of an expansion on points at a table."""
    return figures.of("effect-by-cell", f"{name} {POINTS}", players=PLAYERS, cell=table)


def finding_of(figures: Figures) -> Finding:
    """Which expansion moves most points, and what the others do at both tables."""
    tables = (CASUAL_TABLE, EXPERIENCED_TABLE)
    most = max(EXPANSIONS, key=lambda name: sum(abs(effect(figures, name, table).value) for table in tables))
    casual, experienced = (value(1, "+")(effect(figures, most, table)) for table in tables)

    def others(table: Cell) -> str:
        each = [f"{SIGNED(effect(figures, name, table))} with {NAMES[name]}" for name in EXPANSIONS if name != most]
        return f"A seat's points change by {' and by '.join(each)}."

    return Finding(
        f"Most points move with {NAMES[most]}: {casual} VP a seat at the casual table, {experienced} at the "
        "experienced one",
        others(CASUAL_TABLE),
        others(EXPERIENCED_TABLE),
        picture="What each expansion and each pair of them changes in points and in their spread, in every kind of "
        "play, and what it changes in the wins of styles",
        **left_open(figures, CLAIMS),
    )


def first(figures: Figures) -> Grid:
    """The main effects on four outcomes at both tables, and by lines made without any expansion."""
    shown = {POINTS: SIGNED, SPREAD: SIGNED, LEADER: estimate(1, "+"), ATTACKS: SIGNED}
    family = sure_of(figures.all_of("effect-by-cell", f"{COURT} {POINTS}", players=PLAYERS)).n_comparisons
    return Grid(
        "expansion: outcome",
        [Line(f"{name[0].upper()}{name[1:]}: {outcome}", {"item": f"{expansion} {outcome}"}, show)
         for expansion, name in NAMES.items() for outcome, show in shown.items()],
        (Line("casual table", {"cell": CASUAL_TABLE}), Line("experienced table", {"cell": EXPERIENCED_TABLE}),
         *(Line(f"{play}, draft", {"cell": EXPERIENCED_TABLE._replace(play=play)}) for play in WITHOUT)),
        {"quantity": "effect-by-cell", "players": PLAYERS},
        under=f"The mean over the other expansions; tower {CASUAL_TABLE.tower}; for each outcome {family:,} "
        f"simultaneous {LEVEL:.0%} intervals. The experienced table is of the one line of strong play that was tuned "
        "with all three; the last columns are of strong lines that were tuned or taught without any.",
        gaps=True,
    )  # fmt: skip


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the effects at both tables, and all tables."""
    finding = None if scope.quick else finding_of(figures)
    return Page(finding, first(figures).text(figures), texts_of(figures, tables(figures, scope)))


def picture(figures: Figures, scope: Scope) -> Picture:
    """The effects on points and their spread in every play, and which styles gain."""
    nowhere, rows = scope.baseline_cell()._replace(play=""), list(map(name_of_effect, EFFECTS))

    def shown(quantity: str, item: str, cell: Cell) -> Figure:
        return figures.of(quantity, item, players=PLAYERS, cell=cell)

    panels = {outcome: {name: {cell.play: shown("picture", f"{name} {outcome}", cell) for cell in plays_cells(scope)}
                        for name in rows} for outcome in DRAWN}  # fmt: skip
    styles = {style: {name: shown("picture-of-wins", f"{ZOO} {style} {name}", nowhere) for name in EXPANSIONS}
              for style in FIELDS[ZOO]}  # fmt: skip
    title = "What each expansion changes: points, their spread, and the wins of styles\n"
    title += f"Tower {nowhere.tower}, line-ups; strong: tuned with all three; {LEVEL:.0%} intervals, simultaneous for "
    title += "effects and for styles"
    return expansions_at_a_glance(panels, [play.name for play in scope.plays], styles, title)


STUDY = Study(
    __file__, __doc__, scope_of, identity, play, figures, page, picture, quantities=QUANTITIES,
    judged=(Judged(CLAIMS, outcomes_by_game, games_a_row=2, plays=plays_with_expansions, units=UNITS),),
)  # fmt: skip
