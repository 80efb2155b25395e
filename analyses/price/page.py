"""The page of the study `price`: the answer and all tables, made from the register."""

from __future__ import annotations

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.games.setups import SETUP_WORDS
from wallsim.report.tables.estimates import in_words
from wallsim.report.tables.verdicts import tower_by_play, verdict_table
from wallsim.rules.terms import ROUND_NAMES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figures
from wallsim.studies.scope import Scope
from wallsim.studies.study import Page
from wallsim.studies.table_captions import limits, robust_words, scope_words, table_of

from .estimates import CLAIMS, EXPERIMENT, GIFTS, MEAN, MOMENTS, PLAYERS, PRICE, SIZES, START, WORTH, scenarios
from .figures import BY_CELL, BY_MOMENT, HEADLINE, LAST, confidence, gains_of, of_headline, of_moments
from .picture import points_by_gift

MARK = "price figures"


def page(figures: Figures, scope: Scope) -> Page:
    """All tables with the answer above them."""
    result = read_claims(figures, CLAIMS, scope.plays)
    parts = (
        scope_words(scope, load_experiment(EXPERIMENT), len(scenarios())),
        answer_words(figures, scope),
        gift_table(figures, scope, "vp"),
        gift_table(figures, scope, "win"),
        price_table(figures, scope),
        verdict_table(result.verdicts, result.estimates, result.confidence, 2),
        robust_words(result) + " " + limits(result.confidence, scope.others, len(scope.cells())),
        cell_table(figures, scope),
    )
    return Page({MARK: "\n\n".join(parts)})


def answer_words(figures: Figures, scope: Scope) -> str:
    """The answer in two sentences, with intervals."""
    home = scope.baseline_cell()
    price, first, last = (
        _as_text(figures.of(HEADLINE, PRICE, players=PLAYERS, cell=home, moment=moment))
        for moment in (MEAN, START, LAST)
    )
    worth = _as_text(figures.of(HEADLINE, WORTH, players=PLAYERS, cell=home, moment=MEAN))
    by_cell = [figure.value for figure in figures.cells(BY_CELL, players=PLAYERS).values()]
    return (
        f"**Answer.** One of four more Thalers brings a seat {price} VP in the mean of the rounds, {first} at the "
        f"start and {last} in {LAST}, and over all {len(by_cell)} cells between {min(by_cell):.2f} and "
        f"{max(by_cell):.2f}. A VP brings {worth} percentage points of wins."
    )


def _as_text(figure: Measured) -> str:
    return in_words(figure.value, figure.interval(of_headline()), 2)


def gift_table(figures: Figures, scope: Scope, outcome: str) -> str:
    """One row per gift: the change at the start and in each round."""
    sure, home, rows = confidence(), scope.baseline_cell(), []
    for name in GIFTS:
        estimate = [
            figures.of(gains_of(outcome), name, players=PLAYERS, cell=home, moment=moment) for moment in MOMENTS
        ]
        rows.append((name, *(in_words(one.value, one.interval(sure), 2, "+") for one in estimate)))
    head = "VP" if outcome == "vp" else "wins, % points"
    used = [figure for name in GIFTS for figure in figures.all_of(gains_of(outcome), name, players=PLAYERS)]
    return table_of(scope, (head, *MOMENTS), rows, sure, used)


def price_table(figures: Figures, scope: Scope) -> str:
    """The price of a Thaler by moment and number of players, in the baseline cell."""
    sure, sizes = of_moments(), (SIZES[0], PLAYERS, SIZES[1])
    estimate = {(size, one.moment): one for size in sizes for one in figures.all_of(BY_MOMENT, players=size)}
    rows = []
    for moment in (MEAN, *MOMENTS):
        each = (estimate.get((size, moment)) for size in sizes)
        rows.append((moment, *("–" if one is None else in_words(one.value, one.interval(sure), 2) for one in each)))
    table = table_of(scope, (PRICE, *(f"{size} players" for size in sizes)), rows, sure)
    return table + f" With {SIZES[0]} and {SIZES[1]} players there are {scope.others:,} blocks."


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
    title = f"{scope.baseline:,} blocks of 24 games, strong play; bars: simultaneous {sure.level:.0%} intervals"
    return points_by_gift(lines, sure, title)
