"""The page of the study `amounts`: all tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words, number
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.outcomes import LEADER, SPREAD
from wallsim.studies.scope import Scope
from wallsim.studies.study import Page
from wallsim.studies.table_captions import scope_words, table_of

from .estimates import DOUBLED, EXPERIMENT, GAME_OUTCOMES, STYLES, Turned, in_fours, turned_in
from .figures import (
    BASELINE,
    BY_CELL,
    EXPLAINED,
    HEADLINE,
    KINDS,
    LINEUP_WINS,
    MEAN,
    NUMBER,
    PLAYERS,
    POINTS_PLAYED,
    RANGE_OF_LINEUPS,
    RANGE_OF_TILES,
    SHOWN,
    STYLE,
    TILE,
    TILE_WORTH,
    TWICE,
    TWICE_ROUNDS,
    WINS,
    item,
    sure_of_cells,
    sure_of_games,
    sure_of_headline,
    sure_of_picture,
    sure_of_responses,
    sure_of_twice,
    sure_of_worths,
)  # fmt: skip
from .finding import both_tables, finding_of
from .picture import Row, amounts_at_a_glance
from .play_tables import play_tables
from .surface import FAIR, LINEUPS, RESPONSES, VARIABLES

_LEVEL_WINS = 2.0  # percentage points from a quarter of the wins: a line-up within them is level


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the numbers that move the spread most, and all tables."""
    rows = turned_in(scope)
    parts = (
        scope_words(scope, load_experiment(EXPERIMENT), 2 * len(rows))
        + " Errors are those of blocks of four games, one a seat.",
        summary_words(figures, scope),
        games_table(figures, scope, rows),
        robust_table(figures, scope, rows),
        *play_tables(figures, scope),
        worth_table(figures, scope, rows),
        doubled_table(figures, scope),
        surface_table(figures, scope),
        fairness_tables(figures, scope),
    )
    finding = None if scope.quick else finding_of(figures, scope)
    return Page(finding, both_tables(figures, scope), "\n\n".join(parts))


def as_text(figure: Measured, sure: Confidence, digits: int = 2) -> str:
    """An estimate with the half-width of its interval."""
    return in_words(figure.value, figure.interval(sure), digits, "+")


def summary_words(figures: Figures, scope: Scope) -> str:
    """In short: what moves the spread and decisiveness, doubled tiles, and how near to fair the numbers come."""
    home, names = scope.baseline_cell(), [each.name for each in turned_in(scope)]
    sure = sure_of_headline(turned_in(scope))
    games = {
        name: {
            outcome: figures.of(HEADLINE, item(name, outcome), players=PLAYERS, cell=home) for outcome in GAME_OUTCOMES
        }
        for name in names
    }
    name = max(games, key=lambda each: abs(games[each][SPREAD].value))
    moved = [f"`{each}`" for each, changes in games.items() if _side(changes[LEADER], sure)]
    rounds = [figure for tile in DOUBLED for figure in figures.all_of(TWICE_ROUNDS, tile, players=PLAYERS)]
    gains, losses = (sum(_side(each, sure_of_twice(True)) == side for each in rounds) for side in (1, -1))
    before, after = ({kind: figures.cells(quantity, kind, players=PLAYERS) for kind in KINDS}
                     for quantity in (RANGE_OF_TILES, RANGE_OF_LINEUPS))  # fmt: skip
    nearer = sum(before["found"][cell].value < each.value for cell, each in before["printed"].items())
    cells = len(before["printed"])
    tiles = f"{number(before['printed'][home].value, 2)} to {number(before['found'][home].value, 2)} VP a round"
    lineups = f"{number(after['printed'][home].value, 1)} to {number(after['found'][home].value, 1)} percentage points"
    return (
        f"In strong play the spread of points moves most with `{name}`, by "
        f"{as_text(games[name][SPREAD], sure)} VP from its lower to its higher value; the wins of year one's leader "
        f"are known to move with {', '.join(moved) or 'none'}. With a doubled gift a tile is known to be worth more in "
        f"{gains} of {len(rounds)} pairs of tile and round, and less in {losses}. The fairest numbers that were found "
        f"bring the best tile and the worst from {tiles} apart, and nearer to each other in {nearer} of "
        f"{cells} cells; the best line-up and the worst from {lineups} of wins."
    )


def games_table(figures: Figures, scope: Scope, rows: Sequence[Turned]) -> str:
    """One row a number: points, spread, the wins of year one's leader and wins by line-up, in the baseline cell."""
    home, sure = scope.baseline_cell(), sure_of_games(rows)
    lines, used = [], []
    for each in rows:
        shown = [
            figures.of(BASELINE, item(each.name, outcome), players=PLAYERS, cell=home) for outcome in GAME_OUTCOMES
        ]
        of_lineups = [figures.of(WINS, item(each.name, letter), players=PLAYERS, cell=home) for letter in LINEUPS]
        lines.append(
            (
                *_head(each),
                *(as_text(one, sure) for one in shown[:2]),
                *(as_text(one, sure, 1) for one in (shown[2], *of_lineups)),
            )
        )
        used += [*shown, *of_lineups]
    heads = ("number", "from → to", *GAME_OUTCOMES, *(f"wins of {letter}, % points" for letter in LINEUPS))
    return table_of(in_fours(scope), heads, lines, sure, used) + " * with all expansions, played by `strong-4p-bigbox`."


def robust_table(figures: Figures, scope: Scope, rows: Sequence[Turned]) -> str:
    """One row a number that moves the spread or the leader's wins in some cell: where, and between which values."""
    sure, lines = sure_of_cells(scope), []
    for each in rows:
        result = [
            list(figures.cells(BY_CELL, item(each.name, outcome), players=PLAYERS).values())
            for outcome in (SPREAD, LEADER)
        ]
        sides = [[_side(change, sure) for change in changes] for changes in result]
        if any(any(one) for one in sides):
            formatted_sides = [
                f"up in {one.count(1)}, down in {one.count(-1)}" if any(one) else "not known in any" for one in sides
            ]
            ends = [_ends(changes) for changes in result]
            pairs = [text for pair in zip(ends, formatted_sides, strict=True) for text in pair]
            lines.append((*_head(each), str(len(result[0])), *pairs))
    heads = ("number", "from → to", "cells", "spread of VP", "known", "leader's wins, % points", "known")
    scope = in_fours(scope)
    few = f" {sure.too_few(scope.others, 'blocks')}" if scope.others < sure.min_blocks else ""
    return (
        f"{markdown_table(heads, lines)}\n\nLeast and most over the cells of play and tower; only numbers that move "
        f"either in some cell are shown. At least {scope.others} blocks a cell, {sure.n_comparisons:,} simultaneous "
        f"{LEVEL:.0%} intervals.{few} * with all expansions, judged by one line of strong play."
    )


def worth_table(figures: Figures, scope: Scope, rows: Sequence[Turned]) -> str:
    """One row a number: the worth of each tile, held in every round, and the wins of each style, in the baseline."""
    home, sure, lines, used = scope.baseline_cell(), sure_of_worths(rows), [], []
    for each in rows:
        tiles = [figures.of(TILE, item(each.name, tile), players=PLAYERS, cell=home) for tile in TILES]
        styles = [figures.of(STYLE, item(each.name, style), players=PLAYERS, cell=home) for style in STYLES]
        lines.append((*_head(each), *(as_text(one, sure) for one in tiles), *(as_text(one, sure, 1) for one in styles)))
        used += [*tiles, *styles]
    heads = ("number", "from → to", *(f"tile `{tile}`, VP a round" for tile in TILES))
    heads += tuple(f"`{style}`, % points" for style in STYLES)
    note = (
        " A tile is held in every round, and none with the same luck; the styles sit at one table, in each seat once. "
        "* with all expansions."
    )
    return table_of(in_fours(scope), heads, lines, sure, used) + note


def doubled_table(figures: Figures, scope: Scope) -> str:
    """One row a tile: how much more it is worth with a doubled gift, in the mean of the rounds and in each."""
    sure, lines = sure_of_twice(), []
    twice = {tile: figures.all_of(TWICE, tile, players=PLAYERS) for tile in DOUBLED}
    for tile, each in twice.items():
        gift = ", ".join(f"{name} = {value}" for name, value in DOUBLED[tile].items())
        lines.append((f"`{tile}`", gift, *(as_text(one, sure) for one in each)))
    blocks = next(iter(twice.values()))[0].n
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{markdown_table(('tile', 'doubled gift', MEAN, *ROUND_NAMES), lines)}\n\nVP more that a tile in one "
        f"round brings against none, with the gift doubled: {blocks:,} blocks of 24 in the baseline cell; "
        f"{sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.{few}"
    )


def surface_table(figures: Figures, scope: Scope) -> str:
    """How well the fits predict points of the design that they have not seen."""
    low, high = zip(*VARIABLES.values(), strict=True)
    bounds = ", ".join(f"`{name}` {a} to {b}" for name, a, b in zip(VARIABLES, low, high, strict=True))
    lines = [(name, f"{100 * _explained(figures, scope, name):.0f}") for name in RESPONSES]
    names = [f"tile `{name}`" if name in TILES else f"wins of line-up {name}" for name, _ in lines]
    table = markdown_table(
        ("response", "variance explained, %"), [(name, line[1]) for name, line in zip(names, lines, strict=True)]
    )
    return (
        f"Turned at once: {bounds}; {figures.of(POINTS_PLAYED).value:.0f} points and the printed numbers, strong "
        f"play.\n\n{table}\n\n"
        "The share of the variance between points that the fitted surface explains of points it has not seen, in "
        "five-fold cross-validation; sampling error is part of the rest."
    )


def fairness_tables(figures: Figures, scope: Scope) -> str:
    """The fairest numbers found, what they do to tiles and line-ups in the first cell, and the ranges in all."""
    result = {name: round(figures.of(NUMBER, name).value) for name in VARIABLES}
    changed = {name: value for name, value in result.items() if value != PRINTED[name]}
    numbers = ", ".join(f"`{name}` = {value} (printed {PRINTED[name]})" for name, value in changed.items())
    cells = list(figures.cells(RANGE_OF_TILES, KINDS[0], players=PLAYERS))
    home, sure = cells[0], sure_of_responses()
    lines = [(f"tile `{tile}`, VP a round", *_both(figures, TILE_WORTH, tile, home, sure, 2)) for tile in TILES]
    lines += [(f"line-up {letter}, wins, %", *_both(figures, LINEUP_WINS, letter, home, sure, 1)) for letter in LINEUPS]
    one = markdown_table((home.in_words(cells), *KINDS), lines)
    ranges = [
        (
            cell.in_words(cells),
            *(number(figures.of(RANGE_OF_TILES, kind, players=PLAYERS, cell=cell).value, 2) for kind in KINDS),
            *(number(figures.of(RANGE_OF_LINEUPS, kind, players=PLAYERS, cell=cell).value, 1) for kind in KINDS),
            _level(figures, cell),
        )
        for cell in cells
    ]
    heads = ("cell", "tiles, printed", "tiles, found", "line-ups, printed", "line-ups, found", "level line-ups, found")
    return (
        f"The fairest numbers found: {numbers}.\n\n{one}\n\nConfirmed on games that no search saw; "
        f"{sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.\n\n{markdown_table(heads, ranges)}\n\n"
        "Best less worst: of the tiles in VP a round, of the line-ups in percentage points of wins. A line-up is level "
        f"within {_LEVEL_WINS:g} points of a quarter of the wins."
    )


def _level(figures: Figures, cell: Cell) -> str:
    wins = {
        letter: figures.of(LINEUP_WINS, item(letter, KINDS[1]), players=PLAYERS, cell=cell).value for letter in LINEUPS
    }
    return ", ".join(letter for letter, value in wins.items() if abs(value - FAIR) < _LEVEL_WINS) or "none"


def _both(figures: Figures, quantity: str, name: str, cell: Cell, sure: Confidence, digits: int) -> tuple[str, str]:
    both = [figures.of(quantity, item(name, kind), players=PLAYERS, cell=cell) for kind in KINDS]
    first, second = (in_words(each.value, each.interval(sure), digits) for each in both)
    return first, second


def _explained(figures: Figures, scope: Scope, name: str) -> float:
    return figures.of(EXPLAINED, name, players=PLAYERS, cell=scope.baseline_cell()).value


def picture(figures: Figures, scope: Scope) -> Picture:
    """The numbers that move the spread or a tile most, and what each does to spread and to the tiles."""
    ends = {each.name: f"{each.name}: {each.low} to {each.high}" for each in turned_in(scope)}
    result = {name: figures.cells(SHOWN, item(name, SPREAD), players=PLAYERS) for name in ends}
    order = [name for key in figures for name in ends if result[name] and key == next(iter(result[name].values())).id]
    rows = [
        Row(
            ends[name],
            next(iter(result[name].values())),
            {tile: figures.of(SHOWN, item(name, tile), players=PLAYERS, cell=scope.baseline_cell()) for tile in TILES},
        )
        for name in order
    ]
    title = (
        "What turning a number does to the spread of points and to the tiles\n"
        "Strong play, tower spielbyweb, line-ups; the numbers that move the spread or a tile most; "
        f"{sure_of_picture(len(rows)).n_comparisons} simultaneous intervals"
    )
    return amounts_at_a_glance(rows, title)


def _head(each: Turned) -> tuple[str, str]:
    mark = " *" if each.base == "all expansions" else ""
    return f"`{each.name}`{mark}", f"{each.low} → {each.high}"


def _side(figure: Measured, sure: Confidence) -> int:
    return side_of(figure.interval(sure))


def _ends(changes: Iterable[Figure]) -> str:
    values = [each.value for each in changes]
    return f"{number(min(values), 2, '+')} to {number(max(values), 2, '+')}"
