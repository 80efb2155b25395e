"""The page of the study `price`: the answer and all tables, made from the register."""

from __future__ import annotations

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.tables.estimates import number, of_estimate
from wallsim.report.tables.verdicts import tower_by_play
from wallsim.rules.terms import ROUND_NAMES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope
from wallsim.studies.study import Page
from wallsim.studies.table_captions import limits, scope_words, table_name, table_of

from ..robustness.answers import claims_table, differing, not_known
from .estimates import CLAIMS, EXPERIMENT, GIFTS, MEAN, MOMENTS, PLAYERS, PRICE, SIZES, START, scenarios
from .figures import BY_CELL, BY_MOMENT, HEADLINE, LAST, confidence, gains_of, of_headline, of_moments
from .picture import points_by_gift


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the price by round, and all tables."""
    parts = (
        scope_words(scope, load_experiment(EXPERIMENT), len(scenarios())),
        *(gift_table(figures, scope, outcome, table) for outcome in ("vp", "win") for table in scope.tables),
        *(price_table(figures, scope, table) for table in scope.tables),
        claims_table(figures, CLAIMS, scope.plays, decimals=2),
        limits(Confidence(LEVEL, len(CLAIMS) * len(scope.cells())), scope.others, len(scope.cells())),
        cell_table(figures, scope),
    )
    finding = None if scope.quick else finding_of(figures)
    return Page(finding, both_tables(figures, scope), "\n\n".join(parts))


def finding_of(figures: Figures) -> Finding:
    """What a Thaler is worth at both tables, early and late."""
    casual, experienced = (_price(figures, table, MEAN) for table in (CASUAL_TABLE, EXPERIENCED_TABLE))
    return Finding(
        f"A Thaler is worth {number(casual.value, 1)} victory points to casual players, "
        f"{number(experienced.value, 1)} to experienced ones",
        _sentence(figures, CASUAL_TABLE), _sentence(figures, EXPERIENCED_TABLE), not_known(figures, CLAIMS),
        "Victory points that gifts of Thalers bring, a line for each round", differing(figures, CLAIMS),
    )  # fmt: skip


def _sentence(figures: Figures, table: Cell) -> str:
    first, last = (_as_text(_price(figures, table, moment)) for moment in (START, LAST))
    return f"A Thaler brings {first} VP at the start and {last} in the last fall."


def _price(figures: Figures, table: Cell, moment: str) -> Figure:
    return figures.of(HEADLINE, PRICE, players=PLAYERS, cell=table, moment=moment)


def both_tables(figures: Figures, scope: Scope) -> str:
    """The price of a Thaler at both tables, by moment."""
    sure, rows = of_moments(), []
    prices = {table: {row.moment: row for row in figures.all_of(BY_MOMENT, players=PLAYERS) if row.cell == table}
              for table in scope.tables}  # fmt: skip
    for moment in (MEAN, *MOMENTS):
        each = (prices[table].get(moment) for table in scope.tables)
        rows.append((moment, *(of_estimate(one, sure, 2) for one in each)))
    return table_of(scope, (PRICE, *map(table_name, scope.tables)), rows, sure)


def _as_text(figure: Measured) -> str:
    return of_estimate(figure, of_headline(), 2)


def gift_table(figures: Figures, scope: Scope, outcome: str, table: Cell) -> str:
    """One row per gift: the change at the start and in each round, at one table."""
    sure, rows = confidence(), []
    for name in GIFTS:
        estimate = [
            figures.of(gains_of(outcome), name, players=PLAYERS, cell=table, moment=moment) for moment in MOMENTS
        ]
        rows.append((name, *(of_estimate(one, sure, 2, sign="+") for one in estimate)))
    head = f"{'VP' if outcome == 'vp' else 'wins, % points'}, {table_name(table)}"
    every = (figure for name in GIFTS for figure in figures.all_of(gains_of(outcome), name, players=PLAYERS))
    used = [figure for figure in every if figure.cell == table]
    return table_of(scope, (head, *MOMENTS), rows, sure, used)


def price_table(figures: Figures, scope: Scope, table: Cell) -> str:
    """The price of a Thaler by moment and number of players, at one table."""
    sure, sizes = of_moments(), (SIZES[0], PLAYERS, SIZES[1])
    estimate = {
        (size, one.moment): one
        for size in sizes
        for one in figures.all_of(BY_MOMENT, players=size)
        if one.cell == table
    }
    rows = []
    for moment in (MEAN, *MOMENTS):
        each = (estimate.get((size, moment)) for size in sizes)
        rows.append((moment, *(of_estimate(one, sure, 2) for one in each)))
    heads = (f"{PRICE}, {table_name(table)}", *(f"{size} players" for size in sizes))
    return (
        table_of(scope, heads, rows, sure)
        + f" With {SIZES[0]} and {SIZES[1]} players there are {scope.others:,} blocks."
    )


def cell_table(figures: Figures, scope: Scope) -> str:
    """The price of a Thaler in every cell, set-up by set-up."""
    estimate = figures.cells(BY_CELL, players=PLAYERS)
    sure = Confidence(LEVEL, len(estimate))
    tables = []
    for setup in scope.setups:
        order = (Cell(play.name, tower, setup) for tower in scope.towers for play in scope.plays)
        tables.append(
            tower_by_play({cell: estimate[cell] for cell in order}, sure, f"{PRICE}, {SETUP_WORDS[setup]}", 2)
        )
    words = f"The mean of the rounds; {scope.others:,} blocks a cell, simultaneous {LEVEL:.0%} intervals."
    return "\n\n".join((*tables, words))


def picture(figures: Figures, scope: Scope) -> Picture:
    """Victory points against Thalers, a line a moment."""
    doses = {name: dose for name, (what, dose) in GIFTS.items() if what == "thalers"}
    home, sure = scope.baseline_cell(), confidence()
    lines = {
        moment: [
            (dose, figures.of(gains_of("vp"), name, players=PLAYERS, cell=home, moment=moment))
            for name, dose in doses.items()
        ]
        for moment in ROUND_NAMES
    }
    title = f"{scope.baseline:,} blocks of 24 games, experienced table; bars: simultaneous {sure.level:.0%} intervals"
    return points_by_gift(lines, sure, title)
