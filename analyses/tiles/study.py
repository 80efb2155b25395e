"""Tiles: what are a bonus tile and a place in the player order worth, and what bid for them breaks even?

    .venv/bin/python -m analyses.tiles results/tiles docs/studies/tiles.png --into docs/studies/tiles.md

Method. A block is 6 × players games in a row, in which each pair of seat and round is treated once. After all have
picked and before anything is done, the treated seat gets a tile, or none, instead of its own, or trades places with
whoever has the place asked for; tiles stay then. Nobody knows of it beforehand and no other luck changes. A tile is
compared with none, a place with the mean of all places, by block. In the baseline cell the seat also has the tile, or
none, in every round: the six rounds' effects add up to that, but for a rest. Thalers are victory points divided by the
price of a Thaler in the same cell and round (`analyses/prices.csv`, of the study `price`, whose games have another
seed); their intervals carry its error (Fieller). Beside it stands what the mere averages of holders would have said: by
how much seats that held a tile ended above the mean of their table, in the games without interventions. A cell is a
play, a tower calibration and a set-up, for each number of players. CLAIMS are judged in all cells, with intervals that
hold simultaneously for a number of players. With --quick there are few cells and blocks.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from math import floor
from pathlib import Path
from typing import Any

from analyses.effect_files import write_results
from matplotlib.figure import Figure

from analyses import driver
from wallsim.analysis.claims.robustness import Robustness, robustness
from wallsim.report.figures.effects import worth_by_round
from wallsim.report.tables.estimates import ends, in_words, number
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.ratios import Ratio
from wallsim.studies.changes import Change
from wallsim.studies.scope import Scope, plays_for
from wallsim.studies.words import limits, robust_words, scope_words, table_of

from ..price.prices import PRICES, Prices, in_thalers, read_prices
from .estimates import CLAIMS, EXPERIMENT, MEAN, SIZES, Tiles, games_digest, held_always, scenarios, scope_of, study

MARKS = ("tiles figures",)
MOMENTS = (MEAN, *ROUND_NAMES)
USUAL = 4  # players of the baseline
LARGEST_BID = 4  # Thalers
_HEADS = {"vp": "VP", "win": "wins, % points"}


def answer(args: Namespace) -> driver.Answer:
    """Play all scenarios, and make the tables."""
    scope = scope_of(args.games, args.quick)
    hashed = digest(scope)  # raises for a wrong experiment before anything is played
    prices = prices_for(scope)
    found = study(scope, args.folder, args.workers)
    save(found, args.folder)
    text = figures(found, prices)
    return driver.Answer(hashed, dict.fromkeys(MARKS, text), text, picture(found))


STUDY = driver.Study(__file__, __doc__, MARKS, driver.add_size, answer)


def digest(scope: Scope | None = None) -> str:
    """The hash of everything that decides the results, the prices too; without an argument of the published study."""
    return identity_hash({"games": games_digest(scope), "prices": PRICES.read_text("utf-8")})


def save(found: Tiles, folder: str | Path) -> None:
    """Write the changes of the baseline cell with 3, 4 and 5 players into a folder."""
    tables: dict[str, Mapping[tuple[Any, ...], Change]] = {}
    for players, worth in found.worth.items():
        tables |= {f"tiles, {players} players": worth.tiles, f"places, {players} players": worth.places}
    write_results(folder, tables, digest(found.scope), found.scope)


def prices_for(scope: Scope) -> Prices:
    """The prices of the study `price`. InputError if one that is needed is missing."""
    prices = read_prices()
    for players in SIZES:
        prices.of(players, scope.baseline_cell())
    for moment in ROUND_NAMES:
        prices.of(USUAL, scope.baseline_cell(), moment)
    return prices


def figures(found: Tiles, prices: Prices) -> str:
    """All tables with the answer above them."""
    words = scope_words(found.scope, load_experiment(EXPERIMENT), len(scenarios(USUAL) | held_always()))
    return "\n\n".join(
        (
            f"{words} The same with 3 and 5 players, each with its own strong policies.",
            answer_words(found, prices),
            tile_table(found, "vp"),
            tile_table(found, "win"),
            thaler_table(found, prices),
            holder_table(found, prices),
            place_table(found, "vp"),
            place_table(found, "win"),
            sum_table(found),
            size_table(found, prices),
            *(verdicts(found, players) for players in SIZES),
        )
    )


def thalers(found: Tiles, prices: Prices, tile: str, moment: str, players: int = USUAL) -> Ratio:
    """What a tile is worth in Thalers in the baseline cell, against none: the bid for it that breaks even."""
    points = found.worth[players].tiles[tile, "vp", moment].estimate
    return in_thalers(points, prices.of(players, found.scope.baseline_cell(), moment))


def thalers_more(found: Tiles, prices: Prices, tile: str, moment: str) -> Ratio:
    """The same against the mean of the five tiles, since whoever does not bid gets one of them."""
    points = found.worth[USUAL].ranked[tile, moment].estimate
    return in_thalers(points, prices.of(USUAL, found.scope.baseline_cell(), moment))


def sure_of_tiles() -> Confidence:
    """The confidence of the intervals of a table of tiles by moment."""
    return Confidence(LEVEL, len(TILES) * len(MOMENTS))


def answer_words(found: Tiles, prices: Prices) -> str:
    """The answer in two sentences with intervals: never bid more than ..., and what averages would have said."""
    sure = sure_of_tiles()
    worths = {(tile, moment): thalers_more(found, prices, tile, moment) for tile in TILES for moment in ROUND_NAMES}
    (tile, moment), most = max(worths.items(), key=lambda pair: pair[1].value)
    points = found.worth[USUAL].ranked[tile, moment].estimate
    wrong = [_name(name) for name in TILES if has_wrong_sign(found, name)]
    return (
        f"**Answer.** {never_more(worths, sure)}: against the mean of the tiles, which one gets without a bid, the "
        f"worthiest is {_name(tile)} in {moment} with {_points(points, sure)} VP, {number(most.value, 1)} Thalers "
        f"({ends(most.interval(sure), 1)}). The mere averages of holders have the wrong sign against no tile, beyond "
        f"all errors, for {', '.join(wrong) or 'no tile'}."
    )


def never_more(worths: Mapping[tuple[str, str], Ratio], sure: Confidence) -> str:
    """What never to bid more than, tile by tile: the highest end of its intervals over the rounds, in whole Thalers."""
    highest = {}
    for tile in TILES:
        intervals = [worths[tile, moment].interval(sure) for moment in ROUND_NAMES]
        tops = [interval[1] for interval in intervals if interval is not None]
        if len(tops) < len(ROUND_NAMES):
            return "How much to bid at most is not known from so few games"
        highest[tile] = min(LARGEST_BID, max(0, floor(max(tops))))
    told = [f"{most} for {_name(tile)}" for tile, most in highest.items() if most < LARGEST_BID]
    free = [_name(tile) for tile, most in highest.items() if most == LARGEST_BID]
    limits_told = f"Never bid more Thalers than {', '.join(told)}" if told else "No bid is too high for certain"
    return f"{limits_told}; even {LARGEST_BID} may pay in some round for {', '.join(free)}" if free else limits_told


def has_wrong_sign(found: Tiles, tile: str) -> bool:
    """Whether a tile is worth more than none though its holders ended below their table, or the reverse."""
    sure, worth = Confidence(LEVEL, 2 * len(TILES)), found.worth[USUAL]
    given, held = worth.tiles[tile, "vp", MEAN].estimate.interval(sure), worth.holders[tile].interval(sure)
    if given is None or held is None:
        return False
    return (given[1] < 0 < held[0]) or (held[1] < 0 < given[0])


def tile_table(found: Tiles, outcome: str) -> str:
    """One row per tile: what it brings against none, in the mean of the rounds and in each."""
    worth, sure = found.worth[USUAL].tiles, sure_of_tiles()
    rows = [(_name(tile), *(_told(worth[tile, outcome, moment], sure) for moment in MOMENTS)) for tile in TILES]
    used = [one for (_, what, _), one in worth.items() if what == outcome]
    return table_of(found.scope, (f"{_HEADS[outcome]}, tile against none", *MOMENTS), rows, sure, used)


def thaler_table(found: Tiles, prices: Prices) -> str:
    """One row per tile: the bids that break even, in Thalers with the error of the price, against none and the mean."""
    sure, rows, more = sure_of_tiles(), [], []
    for tile in TILES:
        rows.append((_name(tile), *(_in_thalers(thalers(found, prices, tile, moment), sure) for moment in MOMENTS)))
        more.append(
            (_name(tile), *(_in_thalers(thalers_more(found, prices, tile, moment), sure) for moment in MOMENTS))
        )
    note = " An interval is missing where there are too few blocks, or the price may be 0."
    return "\n\n".join(
        (
            table_of(found.scope, ("Thalers that break even, against none", *MOMENTS), rows, sure) + note,
            table_of(found.scope, ("Thalers that break even, against the mean of tiles", *MOMENTS), more, sure) + note,
        )
    )


def holder_table(found: Tiles, prices: Prices) -> str:
    """One row per tile: what it brings when it is given, what holders had above their table, what they paid."""
    worth, sure = found.worth[USUAL], Confidence(LEVEL, 5 * len(TILES))
    rows = []
    for tile in TILES:
        signed = (worth.tiles[tile, "vp", MEAN].estimate, worth.ranked[tile, MEAN].estimate, worth.holders[tile])
        paid, even = _points(worth.paid[tile], sure), _in_thalers(thalers_more(found, prices, tile, MEAN), sure)
        rows.append((_name(tile), *(_points(one, sure, "+") for one in signed), paid, even))
    heads = (
        "given, VP against none",
        "given, VP against the mean of tiles",
        "held in play, VP above the table",
        "Thalers that holders paid",
        "Thalers that break even against the mean of tiles",
    )
    return table_of(found.scope, ("tile, mean of the rounds", *heads), rows, sure)


def sum_table(found: Tiles) -> str:
    """One row per tile: the effects of the six rounds added up, that of holding it in every round, and the rest."""
    sure, rows = Confidence(LEVEL, 3 * len(TILES)), []
    for tile, (added, ever) in found.worth[USUAL].sums.items():
        rows.append((_name(tile), *(_points(one, sure, "+") for one in (added, ever, ever - added))))
    heads = ("the six rounds' effects added up", "held in every round", "the rest")
    return table_of(found.scope, ("VP, tile against none", *heads), rows, sure)


def place_table(found: Tiles, outcome: str) -> str:
    """One row per place: against the mean of places, in the mean of the rounds and in each."""
    worth = found.worth[USUAL].places
    sure = Confidence(LEVEL, USUAL * len(MOMENTS))
    rows = [
        (str(place), *(_told(worth[place, outcome, moment], sure) for moment in MOMENTS))
        for place in range(1, USUAL + 1)
    ]
    used = [one for (_, what, _), one in worth.items() if what == outcome]
    return table_of(found.scope, (f"{_HEADS[outcome]}, place against the mean", *MOMENTS), rows, sure, used)


def size_table(found: Tiles, prices: Prices) -> str:
    """Tiles and places by number of players, in the mean of the rounds."""
    sure = Confidence(LEVEL, sum(2 * len(TILES) + players for players in SIZES))
    rows = []
    for tile in TILES:
        points = [_told(found.worth[players].tiles[tile, "vp", MEAN], sure) for players in SIZES]
        worths = [thalers(found, prices, tile, MEAN, players) for players in SIZES]
        told = [_in_thalers(one, sure) for one in worths]
        rows.append((_name(tile), *points, *told))
    for place in range(1, max(SIZES) + 1):
        places = [found.worth[players].places.get((place, "vp", MEAN)) for players in SIZES]
        rows.append(
            (f"place {place}", *("–" if one is None else _told(one, sure) for one in places), *["–"] * len(SIZES))
        )
    heads = [f"VP, {players} players" for players in SIZES] + [f"Thalers, {players}" for players in SIZES]
    return table_of(found.scope, ("mean of the rounds", *heads), rows, sure)


def verdicts(found: Tiles, players: int) -> str:
    """The claims judged in all cells with a number of players."""
    result = judged(found, players)
    table = verdict_table(result.verdicts, result.estimates, result.confidence, 2)
    words = limits(result.confidence, found.scope.others, len(found.cells[players]))
    return f"With {players} players:\n\n{table}\n\n{robust_words(result)} {words}"


def judged(found: Tiles, players: int) -> Robustness:
    """The claims, judged in all cells with a number of players."""
    known = {play.name for play in found.scope.plays}
    plays = [play for play in plays_for(players) if play.name in known]
    return robustness(CLAIMS, found.cells[players], plays)


def picture(found: Tiles) -> Figure:
    """A bar a tile, round by round; beside it each tile as given and as held."""
    return worth_by_round(*drawn(found))


Drawn = tuple[dict[str, list[Estimate]], Sequence[str], dict[str, tuple[Estimate, Estimate]], Confidence, str]


def drawn(found: Tiles) -> Drawn:
    """What the picture shows: by tile the worth in each round, given and held, the confidence, and the title."""
    worth, sure = found.worth[USUAL], sure_of_tiles()
    bars = {tile: [worth.tiles[tile, "vp", moment].estimate for moment in ROUND_NAMES] for tile in TILES}
    pairs = {tile: (worth.ranked[tile, MEAN].estimate, worth.holders[tile]) for tile in TILES}
    title = f"{found.scope.baseline:,} blocks of 24 games, strong play; bars: simultaneous {LEVEL:.0%} intervals"
    return bars, ROUND_NAMES, pairs, sure, title


def _told(each: Change, sure: Confidence) -> str:
    return _points(each.estimate, sure, "+")


def _points(estimate: Estimate, sure: Confidence, sign: str = "") -> str:
    return in_words(estimate.value, estimate.interval(sure), 2, sign)


def _in_thalers(worth: Ratio, sure: Confidence) -> str:
    return f"{number(worth.value, 1)} ({ends(worth.interval(sure), 1)})"


def _name(tile: str) -> str:
    return tile.replace("_", " ")


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
