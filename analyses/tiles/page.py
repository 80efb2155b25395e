"""The page of the study `tiles`: the answer, all tables and the picture, made from the register."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

from matplotlib.figure import Figure as Picture

from wallsim.report.tables.estimates import ends, in_words, number
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.claims import read_claims
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.scope import Scope, plays_for
from wallsim.studies.study import Page
from wallsim.studies.table_captions import limits, robust_words, scope_words, table_of

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
from .picture import worth_by_round

MARK = "tiles figures"
LARGEST_BID = 4  # Thalers
_HEADS = {"vp": "VP", "win": "wins, % points"}


def page(figures: Figures, scope: Scope) -> Page:
    """All tables with the answer above them."""
    words = scope_words(scope, load_experiment(EXPERIMENT), len(scenarios(PLAYERS) | held_always()))
    parts = (
        f"{words} The same with 3 and 5 players, each with its own strong policies.",
        answer_words(figures, scope),
        tile_table(figures, scope, "vp"),
        tile_table(figures, scope, "win"),
        thaler_table(figures, scope),
        holder_table(figures, scope),
        place_table(figures, scope, "vp"),
        place_table(figures, scope, "win"),
        sum_table(figures, scope),
        size_table(figures, scope),
        *(verdicts(figures, scope, players) for players in SIZES),
    )
    return Page({MARK: "\n\n".join(parts)})


def _of(figures: Figures, scope: Scope, quantity: str, name: str, moment: str = "", players: int = PLAYERS) -> Figure:
    return figures.of(quantity, name, players=players, cell=scope.baseline_cell(), moment=moment)


def answer_words(figures: Figures, scope: Scope) -> str:
    """The answer in two sentences with intervals: never bid more than ..., and what averages would have said."""
    sure = sure_of_tiles()
    worths = {
        (tile, moment): _of(figures, scope, THALERS_MORE, tile, moment) for tile in TILES for moment in ROUND_NAMES
    }
    (tile, moment), most = max(worths.items(), key=lambda pair: pair[1].value)
    points = _of(figures, scope, RANKED, tile, moment)
    wrong = [_name(name) for name in TILES if has_wrong_sign(figures, scope, name)]
    return (
        f"**Answer.** {never_more(worths, sure)}: against the mean of the tiles, which one gets without a bid, the "
        f"worthiest is {_name(tile)} in {moment} with {_points(points, sure)} VP, {number(most.value, 1)} Thalers "
        f"({ends(most.interval(sure), 1)}). The mere averages of holders have the wrong sign against no tile, beyond "
        f"all errors, for {', '.join(wrong) or 'no tile'}."
    )


def never_more(worths: Mapping[tuple[str, str], Measured], sure: Confidence) -> str:
    """What never to bid more than, tile by tile: the highest end of its intervals over the rounds, in whole Thalers."""
    highest = {}
    for tile in TILES:
        intervals = [worths[tile, moment].interval(sure) for moment in ROUND_NAMES]
        tops = [interval[1] for interval in intervals if interval is not None]
        if len(tops) < len(ROUND_NAMES):
            return "How much to bid at most is not known from so few games"
        highest[tile] = min(LARGEST_BID, max(0, floor(max(tops))))
    texts = [f"{most} for {_name(tile)}" for tile, most in highest.items() if most < LARGEST_BID]
    free = [_name(tile) for tile, most in highest.items() if most == LARGEST_BID]
    advice = f"Never bid more Thalers than {', '.join(texts)}" if texts else "No bid is too high for certain"
    return f"{advice}; even {LARGEST_BID} may pay in some round for {', '.join(free)}" if free else advice


def has_wrong_sign(figures: Figures, scope: Scope, tile: str) -> bool:
    """Whether a tile is worth more than none though its holders ended below their table, or the reverse."""
    given, held = (_of(figures, scope, each, tile).interval(sure_of_signs()) for each in (SIGN_GIVEN, SIGN_HELD))
    if given is None or held is None:
        return False
    return (given[1] < 0 < held[0]) or (held[1] < 0 < given[0])


def tile_table(figures: Figures, scope: Scope, outcome: str) -> str:
    """One row per tile: what it brings against none, in the mean of the rounds and in each."""
    sure, quantity = sure_of_tiles(), tile_worth(outcome)
    estimated = {tile: [_of(figures, scope, quantity, tile, moment) for moment in MOMENTS] for tile in TILES}
    rows = [(_name(tile), *(_points(one, sure, "+") for one in each)) for tile, each in estimated.items()]
    used = [one for each in estimated.values() for one in each]
    return table_of(scope, (f"{_HEADS[outcome]}, tile against none", *MOMENTS), rows, sure, used)


def thaler_table(figures: Figures, scope: Scope) -> str:
    """One row per tile: the bids that break even, in Thalers with the error of the price, against none and the mean."""
    sure, rows, more = sure_of_tiles(), [], []
    for tile in TILES:
        rows.append(
            (_name(tile), *(_in_thalers(_of(figures, scope, THALERS, tile, moment), sure) for moment in MOMENTS))
        )
        more.append(
            (_name(tile), *(_in_thalers(_of(figures, scope, THALERS_MORE, tile, moment), sure) for moment in MOMENTS))
        )
    note = " An interval is missing where there are too few blocks, or the price may be 0."
    return "\n\n".join(
        (
            table_of(scope, ("Thalers that break even, against none", *MOMENTS), rows, sure) + note,
            table_of(scope, ("Thalers that break even, against the mean of tiles", *MOMENTS), more, sure) + note,
        )
    )


def holder_table(figures: Figures, scope: Scope) -> str:
    """One row per tile: what it brings when it is given, what holders had above their table, what they paid."""
    sure, rows = sure_of_holders(), []
    for tile in TILES:
        signed = (_points(_of(figures, scope, each, tile), sure, "+") for each in (GIVEN, BETTER, HELD))
        paid, even = _of(figures, scope, PAID, tile), _of(figures, scope, EVEN, tile)
        rows.append((_name(tile), *signed, _points(paid, sure), _in_thalers(even, sure)))
    heads = (
        "given, VP against none",
        "given, VP against the mean of tiles",
        "held in play, VP above the table",
        "Thalers that holders paid",
        "Thalers that break even against the mean of tiles",
    )
    return table_of(scope, ("tile, mean of the rounds", *heads), rows, sure)


def sum_table(figures: Figures, scope: Scope) -> str:
    """One row per tile: the effects of the six rounds added up, that of holding it in every round, and the rest."""
    sure = sure_of_sums()
    rows = [
        (_name(tile), *(_points(_of(figures, scope, each, tile), sure, "+") for each in (ADDED, ALWAYS, REST)))
        for tile in TILES
    ]
    heads = ("the six rounds' effects added up", "held in every round", "the rest")
    return table_of(scope, ("VP, tile against none", *heads), rows, sure)


def place_table(figures: Figures, scope: Scope, outcome: str) -> str:
    """One row per place: against the mean of places, in the mean of the rounds and in each."""
    sure, quantity = sure_of_places(), place_worth(outcome)
    estimated = {
        number: [_of(figures, scope, quantity, place(number), moment) for moment in MOMENTS]
        for number in range(1, PLAYERS + 1)
    }
    rows = [(str(number), *(_points(one, sure, "+") for one in each)) for number, each in estimated.items()]
    used = [one for each in estimated.values() for one in each]
    return table_of(scope, (f"{_HEADS[outcome]}, place against the mean", *MOMENTS), rows, sure, used)


def size_table(figures: Figures, scope: Scope) -> str:
    """Tiles and places by number of players, in the mean of the rounds."""
    sure, rows = sure_of_sizes(), []
    for tile in TILES:
        points = [_points(_of(figures, scope, TILE_BY_SIZE, tile, players=size), sure, "+") for size in SIZES]
        texts = [_in_thalers(_of(figures, scope, THALERS_BY_SIZE, tile, players=size), sure) for size in SIZES]
        rows.append((_name(tile), *points, *texts))
    for at in range(1, max(SIZES) + 1):
        places = [
            _points(_of(figures, scope, PLACE_BY_SIZE, place(at), players=size), sure, "+") if at <= size else "–"
            for size in SIZES
        ]
        rows.append((place(at), *places, *["–"] * len(SIZES)))
    heads = [f"VP, {players} players" for players in SIZES] + [f"Thalers, {players}" for players in SIZES]
    return table_of(scope, ("mean of the rounds", *heads), rows, sure)


def verdicts(figures: Figures, scope: Scope, players: int) -> str:
    """The claims judged in all cells with a number of players."""
    known = {play.name for play in scope.plays}
    plays = [play for play in plays_for(players) if play.name in known]
    result = read_claims(figures, CLAIMS, plays, players=players)
    table = verdict_table(result.verdicts, result.estimates, result.confidence, 2)
    words = limits(result.confidence, scope.others, len(scope.cells()))
    return f"With {players} players:\n\n{table}\n\n{robust_words(result)} {words}"


def picture(figures: Figures, scope: Scope) -> Picture:
    """A bar a tile, round by round; beside it each tile as given and as held."""
    bars = {tile: [_of(figures, scope, tile_worth("vp"), tile, moment) for moment in ROUND_NAMES] for tile in TILES}
    pairs = {tile: (_of(figures, scope, RANKED, tile, MEAN), _of(figures, scope, HELD_SHOWN, tile)) for tile in TILES}
    title = f"{scope.baseline:,} blocks of 24 games, strong play; bars: simultaneous {LEVEL:.0%} intervals"
    return worth_by_round(bars, ROUND_NAMES, pairs, sure_of_tiles(), title)


def _points(estimate: Measured, sure: Confidence, sign: str = "") -> str:
    return in_words(estimate.value, estimate.interval(sure), 2, sign)


def _in_thalers(worth: Measured, sure: Confidence) -> str:
    return f"{number(worth.value, 1)} ({ends(worth.interval(sure), 1)})"


def _name(tile: str) -> str:
    return tile.replace("_", " ")
