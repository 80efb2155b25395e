"""The page of the study `tiles`: the finding, all tables and the picture, made from the register."""

from __future__ import annotations

from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import ends, number, of_estimate
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.scope import Scope, plays_for
from wallsim.studies.study import Page
from wallsim.studies.table_captions import limits, scope_words, table_name, table_of

from ..robustness.answers import claims_table
from .auction_page import auction_tables
from .estimates import CLAIMS, EXPERIMENT, MEAN, PLAYERS, SIZES, held_always, scenarios
from .figures import (
    ADDED,
    ALWAYS,
    BETTER,
    EVEN,
    GIVEN,
    HELD,
    HELD_SHOWN,
    MOMENTS,
    PAID,
    PLACE_BY_SIZE,
    RANKED,
    REST,
    SIGN_GIVEN,
    SIGN_HELD,
    THALERS,
    THALERS_BY_SIZE,
    THALERS_MORE,
    TILE_BY_SIZE,
    place,
    place_worth,
    sure_of_holders,
    sure_of_places,
    sure_of_signs,
    sure_of_sizes,
    sure_of_sums,
    sure_of_tiles,
    tile_worth,
)  # fmt: skip
from .finding import bid_table, finding_of, name_of
from .picture import worth_by_round

_HEADS = {"vp": "VP", "win": "wins, % points"}


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the bids, and all tables."""
    words = scope_words(scope, load_experiment(EXPERIMENT), len(scenarios(PLAYERS) | held_always()))
    parts = (
        f"{words} The same with 3 and 5 players, each with its own strong policies.",
        *(tile_table(figures, scope, table, outcome) for outcome in _HEADS for table in scope.tables),
        *(thaler_tables(figures, scope, table) for table in scope.tables),
        *(holder_table(figures, scope, table) for table in scope.tables),
        *(place_table(figures, scope, table, outcome) for outcome in _HEADS for table in scope.tables),
        *(sum_table(figures, scope, table) for table in scope.tables),
        *(size_table(figures, scope, table) for table in scope.tables),
        *auction_tables(figures, scope),
        *(verdicts(figures, scope, players) for players in SIZES),
    )
    finding = None if scope.quick else finding_of(figures)
    return Page(finding, bid_table(figures, scope), "\n\n".join(parts))


def _of(figures: Figures, table: Cell, quantity: str, name: str, moment: str = "", players: int = PLAYERS) -> Figure:
    return figures.of(quantity, name, players=players, cell=table, moment=moment)


def has_wrong_sign(figures: Figures, table: Cell, tile: str) -> bool:
    """Whether a tile is worth more than none though its holders ended below their table, or the reverse."""
    given, held = (_of(figures, table, each, tile).interval(sure_of_signs()) for each in (SIGN_GIVEN, SIGN_HELD))
    if given is None or held is None:
        return False
    return (given[1] < 0 < held[0]) or (held[1] < 0 < given[0])


def tile_table(figures: Figures, scope: Scope, table: Cell, outcome: str) -> str:
    """One row per tile: what it brings against none, in the mean of the rounds and in each."""
    sure, quantity = sure_of_tiles(), tile_worth(outcome)
    estimated = {tile: [_of(figures, table, quantity, tile, moment) for moment in MOMENTS] for tile in TILES}
    rows = [(name_of(tile), *(_points(one, sure, "+") for one in each)) for tile, each in estimated.items()]
    used = [one for each in estimated.values() for one in each]
    return table_of(scope, (f"{_HEADS[outcome]}, tile against none, {table_name(table)}", *MOMENTS), rows, sure, used)


def thaler_tables(figures: Figures, scope: Scope, table: Cell) -> str:
    """One row per tile: the Thalers that it is worth, with the error of the price, against none and the mean."""
    sure, texts = sure_of_tiles(), []
    for quantity, against in ((THALERS, "none"), (THALERS_MORE, "the mean of tiles")):
        rows = [
            (name_of(tile), *(_in_thalers(_of(figures, table, quantity, tile, moment), sure) for moment in MOMENTS))
            for tile in TILES
        ]
        head = f"Thalers that break even, against {against}, {table_name(table)}"
        note = "An interval is missing where there are too few blocks, or the price may be 0."
        texts.append(f"{table_of(scope, (head, *MOMENTS), rows, sure)} {note}")
    return "\n\n".join((*texts, "This is the tile alone, whatever its place; a bid also decides the place (below)."))


def holder_table(figures: Figures, scope: Scope, table: Cell) -> str:
    """One row per tile: what it brings when it is given, what holders had above their table, what they paid."""
    sure, rows = sure_of_holders(), []
    for tile in TILES:
        signed = (_points(_of(figures, table, each, tile), sure, "+") for each in (GIVEN, BETTER, HELD))
        paid, even = _of(figures, table, PAID, tile), _of(figures, table, EVEN, tile)
        rows.append((name_of(tile), *signed, _points(paid, sure), _in_thalers(even, sure)))
    heads = (
        f"tile, mean of the rounds, {table_name(table)}",
        "given, VP against none",
        "given, VP against the mean of tiles",
        "held in play, VP above the table",
        "Thalers that holders paid",
        "Thalers that break even against the mean of tiles",
    )
    wrong = [name_of(tile) for tile in TILES if has_wrong_sign(figures, table, tile)]
    return (
        f"{table_of(scope, heads, rows, sure)} The averages of holders have the wrong sign against no tile, beyond all "
        f"errors, for {', '.join(wrong) or 'no tile'}."
    )


def sum_table(figures: Figures, scope: Scope, table: Cell) -> str:
    """One row per tile: the effects of the six rounds added up, that of holding it in every round, and the rest."""
    sure = sure_of_sums()
    rows = [
        (name_of(tile), *(_points(_of(figures, table, each, tile), sure, "+") for each in (ADDED, ALWAYS, REST)))
        for tile in TILES
    ]
    heads = ("the six rounds' effects added up", "held in every round", "the rest")
    return table_of(scope, (f"VP, tile against none, {table_name(table)}", *heads), rows, sure)


def place_table(figures: Figures, scope: Scope, table: Cell, outcome: str) -> str:
    """One row per place: against the mean of places, in the mean of the rounds and in each."""
    sure, quantity = sure_of_places(), place_worth(outcome)
    estimated = {
        number: [_of(figures, table, quantity, place(number), moment) for moment in MOMENTS]
        for number in range(1, PLAYERS + 1)
    }
    rows = [(str(number), *(_points(one, sure, "+") for one in each)) for number, each in estimated.items()]
    used = [one for each in estimated.values() for one in each]
    head = f"{_HEADS[outcome]}, place against the mean, {table_name(table)}"
    return table_of(scope, (head, *MOMENTS), rows, sure, used)


def size_table(figures: Figures, scope: Scope, table: Cell) -> str:
    """Tiles and places by number of players, in the mean of the rounds."""
    sure, rows = sure_of_sizes(), []
    for tile in TILES:
        points = [_points(_of(figures, table, TILE_BY_SIZE, tile, players=size), sure, "+") for size in SIZES]
        texts = [_in_thalers(_of(figures, table, THALERS_BY_SIZE, tile, players=size), sure) for size in SIZES]
        rows.append((name_of(tile), *points, *texts))
    for at in range(1, max(SIZES) + 1):
        places = [
            _points(_of(figures, table, PLACE_BY_SIZE, place(at), players=size), sure, "+") if at <= size else "–"
            for size in SIZES
        ]
        rows.append((place(at), *places, *["–"] * len(SIZES)))
    heads = [f"VP, {players} players" for players in SIZES] + [f"Thalers, {players}" for players in SIZES]
    return table_of(scope, (f"mean of the rounds, {table_name(table)}", *heads), rows, sure)


def verdicts(figures: Figures, scope: Scope, players: int) -> str:
    """The claims with their answers, with a number of players."""
    known = {play.name for play in scope.plays}
    plays = [play for play in plays_for(players) if play.name in known]
    sure = Confidence(LEVEL, len(CLAIMS) * len(scope.cells()))
    table = claims_table(figures, CLAIMS, plays, players=players, decimals=2)
    return f"With {players} players:\n\n{table} {limits(sure, scope.others, len(scope.cells()))}"


def picture(figures: Figures, scope: Scope) -> Picture:
    """A bar a tile, round by round; beside it each tile as given and as held."""
    table = scope.baseline_cell()
    bars = {tile: [_of(figures, table, tile_worth("vp"), tile, moment) for moment in ROUND_NAMES] for tile in TILES}
    pairs = {tile: (_of(figures, table, RANKED, tile, MEAN), _of(figures, table, HELD_SHOWN, tile)) for tile in TILES}
    note = f"{scope.baseline:,} blocks of 24 games; bars: simultaneous {LEVEL:.0%} intervals"
    title = f"What tiles bring, {table_name(table)}"
    return worth_by_round(bars, ROUND_NAMES, pairs, sure_of_tiles(), title, note)


def _points(estimate: Measured, sure: Confidence, sign: str = "") -> str:
    return of_estimate(estimate, sure, 2, sign=sign)


def _in_thalers(worth: Measured, sure: Confidence) -> str:
    return f"{number(worth.value, 1)} ({ends(worth.interval(sure), 1)})"
