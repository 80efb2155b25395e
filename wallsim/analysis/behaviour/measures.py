"""The measures of a policy's behaviour: each with its unit, its meaning and the columns it is computed from.

A measure is a ratio: the sum of a total over rows of `seats` or `seasons`, divided by the sum of cases over the same
rows. The rows are those of the seats that a policy plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from wallsim.analysis.games.breakdown import USES
from wallsim.errors import refuse_twice
from wallsim.rules.terms import BUILDINGS, EXPANSIONS, TILES

RESULT = "result"  # the group of results, which do not count as differences in behaviour


class Measure(NamedTuple):
    """One measure: a total divided by its cases, both one number per row of `table`, times `scale`.

    `unit` names the case, `decimals` is the number of decimals shown, `group` the subject of the measure.
    """

    name: str
    group: str
    unit: str
    decimals: int
    meaning: str
    total: pl.Expr
    cases: pl.Expr
    table: str = "seats"
    scale: float = 1.0


_ROW = pl.lit(1)
_IN_WINTER = pl.col("season").cast(pl.String) == "winter"
_FALL = pl.col("season").cast(pl.String) == "fall"
_LAST_FALL = _FALL & (pl.col("year") == 2)
_BEHIND = (pl.col("led") == 0) & ~((pl.col("season").cast(pl.String) == "spring") & (pl.col("year") == 1))
_BID = pl.col("bid").cast(pl.String)
_SEVERAL = ("palaces", "churches", "trading posts")
_DONE = [f"done_{kind}" for kind in BUILDINGS]
_SPENT = ("paid_bids", *(f"paid_{kind}" for kind in BUILDINGS), "paid_deploy5", "paid_deploy3", "paid_deploy1")


def _sum(columns: Sequence[str]) -> pl.Expr:
    return pl.sum_horizontal(columns)


def _per_game(name: str, group: str, meaning: str, total: pl.Expr, unit: str = "per game") -> Measure:
    return Measure(name, group, unit, 2, meaning, total, _ROW)


def _of(name: str, group: str, unit: str, meaning: str, total: pl.Expr, cases: pl.Expr) -> Measure:
    return Measure(name, group, unit, 1, meaning, total, cases, scale=100.0)


def _rounds(name: str, meaning: str, which: pl.Expr) -> Measure:
    total = (which & ~_IN_WINTER).fill_null(value=False)
    return Measure(name, "auction", "% of rounds", 1, meaning, total, ~_IN_WINTER, "seasons", 100.0)


def _last_fall(name: str, group: str, meaning: str, column: str) -> Measure:
    total = pl.when(_LAST_FALL).then(pl.col(column)).otherwise(0)
    return Measure(name, group, "in the last fall", 2, meaning, total, _LAST_FALL.cast(pl.Int64), "seasons")


def _per_winter(name: str, meaning: str, total: pl.Expr) -> Measure:
    return Measure(name, "grain", "per winter", 2, meaning, total, _IN_WINTER.cast(pl.Int64), "seasons")


_FIRST_TO_CHOOSE = pl.col("choosing_place") == 1
_NEUTRALS = pl.col("attacks") - pl.col("attacks_on_players")
_NEUTRALS_WON = pl.col("attacks_won") - pl.col("attacks_on_players_won")
_HELD = pl.col("times_attacked") - pl.col("times_attacked_lost")
_FED = _IN_WINTER & (pl.col("shortages") == 0)

_FIRST = (
    _per_game("attacks on players", "war", "attacks on counties of players (B6)", pl.col("attacks_on_players")),
    _per_game("attacks on neutrals", "war", "attacks on neutral counties (B6)", _NEUTRALS),
    _of(
        "success against players", "war", "% of attacks", "attacks on players that took the county (B6.7)",
        pl.col("attacks_on_players_won"), pl.col("attacks_on_players"),
    ),
    _of(
        "success against neutrals", "war", "% of attacks", "attacks on neutral counties that took the county (B6.7)",
        _NEUTRALS_WON, _NEUTRALS,
    ),
    Measure(
        "attacks on the leader", "war", "% of attacks", 1,
        "attacks on players that hit one who led when the round began; without own rounds in the lead (B6, B7.4)",
        pl.when(_BEHIND).then(pl.col("attacks_on_leader")).otherwise(0),
        pl.when(_BEHIND).then(pl.col("attacks_on_players")).otherwise(0), "seasons", 100.0,
    ),
    _per_game("times attacked", "war", "attacks suffered", pl.col("times_attacked")),
    _of(
        "held when attacked", "war", "% of attacks", "attacks suffered that did not lose the county",
        _HELD, pl.col("times_attacked"),
    ),
    _per_game("armies deployed", "war", "armies put on the board by deploying (B5.6, B5.7)", pl.col("armies_deployed")),
    _of(
        "armies behind combats", "war", "% of armies", "deployed when both combats of the round were over (B2.6, B5.8)",
        pl.col("armies_behind_combats"), pl.col("armies_deployed"),
    ),
    _per_game("armies", "war", "armies on the board at the end", pl.col("armies"), "at the end"),
    _per_game("counties", "land", "counties owned at the end", pl.col("counties"), "at the end"),
    *(
        _per_game(several, "building", f"{several} put up by their action (B5.3)", pl.col(f"done_{kind}"))
        for several, kind in zip(_SEVERAL, BUILDINGS, strict=True)
    ),
    _per_game("buildings", "building", "buildings put up by actions, all three kinds (B5.3)", _sum(_DONE)),
    Measure(
        "built per round", "building", "per round", 2, "buildings put up by actions, of at most three (B5.3)",
        _sum(_DONE), (~_IN_WINTER).cast(pl.Int64), "seasons",
    ),
    Measure(
        "built in year two", "building", "% of buildings", 1, "buildings put up in year two",
        pl.when(pl.col("year") == 2).then(_sum(_DONE)).otherwise(0), _sum(_DONE), "seasons", 100.0,
    ),
    _per_game("buildings owned", "building", "buildings in own counties at the end",
            _sum(("palaces", "churches", "trading_posts")), "at the end"),
    _last_fall("free sites", "building", "sites without a building in own counties after fall (B0.3)", "free_sites"),
)  # fmt: skip

_AUCTION = (
    Measure(
        "Thalers bid", "auction", "per round", 2, "Thalers paid for bids (B4.1)",
        pl.col("paid_bids"), (~_IN_WINTER).cast(pl.Int64), "seasons",
    ),
    _rounds("money bids", "rounds with a money card of 1 to 4 in the auction box (B4.2)", _BID.is_in(list("1234"))),
    _rounds("bids of 0", "rounds with the money card 0 in the auction box (B4.2)", _BID == "0"),
    _rounds("county bids", "rounds with a county card in the auction box (B4.2)", _BID == "county"),
    _rounds("no bid", "rounds with an empty auction box (B3.2, B4.2)", pl.col("bid").is_null()),
    Measure(
        "place", "auction", "1 acts first", 2, "place in the player order (B4.3)",
        pl.col("place"), (~_IN_WINTER).cast(pl.Int64), "seasons",
    ),
    *(
        _rounds(f"tile {tile.replace('_', ' ')}", f"rounds with the bonus tile {tile.replace('_', ' ')} (B4.4)",
                pl.col("tile").cast(pl.String) == tile)
        for tile in TILES
    ),
    *(
        Measure(
            f"first choice {tile.replace('_', ' ')}", "auction", "% of first choices", 1,
            f"choices of the first to choose that took the bonus tile {tile.replace('_', ' ')} (B4.2, B4.4)",
            _FIRST_TO_CHOOSE & (pl.col("tile").cast(pl.String) == tile).fill_null(value=False), _FIRST_TO_CHOOSE,
            "seasons", 100.0,
        )
        for tile in TILES
    ),
)  # fmt: skip
_AUCTION_AT_COURT = (_rounds("tower bids", "rounds with a dice-tower card in the auction box (E3)", _BID == "tower"),)

_THEN = (
    _per_game("Thalers collected", "money", "Thalers collected by `taxes`, tile included (B5.4)", pl.col("taxes")),
    _per_game("Thalers spent", "money", "Thalers paid for bids, buildings and armies", _sum(_SPENT)),
    _last_fall("Thalers after the last fall", "money", "Thalers held after fall", "thalers"),
    _per_game("Thalers left", "money", "Thalers held at the end", pl.col("thalers"), "at the end"),
    _per_game("grain collected", "grain", "grain collected by `grain`, tile included (B5.4)", pl.col("grain")),
    _per_winter(
        "grain before winter", "grain held after fall",
        pl.when(_FALL).then(pl.col("grain_held")).otherwise(0),
    ),
    _per_winter(
        "grain to spare", "grain beyond what the counties need, after winter's loss; 0 in a shortage (B7.2)",
        pl.when(_FED).then(pl.col("grain_held") - pl.col("counties")).otherwise(0),
    ),
    _per_game("shortages", "grain", "winters with too little grain (B7.2)", pl.col("shortages")),
    _per_game("revolts", "unrest", "revolts fought, winter included (B6.4)", pl.col("revolts")),
    _per_game("revolts lost", "unrest", "revolts that took the county, winters too (B6.10)", pl.col("revolts_lost")),
    _per_game("winter revolts", "unrest", "revolts fought in winter (B7.3)", pl.col("winter_revolts")),
    _per_game("markers placed", "unrest", "revolt markers placed in own counties (B5.5)", pl.col("markers_placed")),
    _per_game("passes", "plans", "action boxes with a card that is no county, or with none (B3.2)", pl.col("passes")),
    _per_game("skipped cards", "plans", "county cards on an action box that led to nothing (B5.1)", pl.col("skipped")),
    _per_game(
        "cards without money", "plans", "skipped cards that failed for lack of Thalers (B5.2)", pl.col("skipped_money"),
    ),
)  # fmt: skip

VP, WINS = "victory points", "wins"
_WON = pl.when(pl.col("win") > 0).then(1 / (1 / pl.col("win")).round()).otherwise(0)  # 1/3 to the end
_RESULTS = (
    _per_game(VP, RESULT, "victory points at the end (B7.4)", pl.col("vp"), "at the end"),
    _of(WINS, RESULT, "% of games", "wins, a shared one by shares (B7.6)", _WON, _ROW),
)


def measures_of(edition: str = "2e", expansions: Sequence[str] = ()) -> tuple[Measure, ...]:
    """The measures that apply to games of an edition with some expansions, in the order of their groups.

    The first edition has no auction (V1), so it has no measures of bids, places and tiles.
    """
    auction: tuple[Measure, ...] = ()
    if edition != "1e":
        auction = (*_AUCTION, *(_AUCTION_AT_COURT if "court" in expansions else ()))
    uses = [
        _per_game(name, expansion, name, _sum(columns))
        for expansion in EXPANSIONS
        if expansion in expansions
        for name, columns in USES[expansion].items()
    ]
    return (*_FIRST, *auction, *_THEN, *uses, *_RESULTS)


refuse_twice("measures", (measure.name for measure in measures_of(expansions=EXPANSIONS)))
