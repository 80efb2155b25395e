"""The plans of a season beside the results of their seats, as polars frames."""

from __future__ import annotations

import polars as pl

from wallsim.errors import InputError
from wallsim.rules.terms import ACTIONS, MONEY_CARDS
from wallsim.runs.folder.results import Run

FIRST, NEXT = "spring", "summer"  # the two seasons that openings are about, of year one
PASS = "pass"  # what a box without a county card means, whichever card lies there
BID = "bid"  # the auction box, on which a county card bids nothing, as no card does
COUNTY = "county"  # any county card in the auction box
BOXES = (*ACTIONS, BID)
GROUP = ("lineup", "policy")  # whose plans are counted together
TABLE = "plans"
_WIN = 60  # of which every share of a win, and the fair share, is a whole number


def plans_of(run: Run, season: str) -> pl.LazyFrame:
    """The plans of a season of year one: game, seat, line-up, policy, and by box what lies on it.

    On an action box that is a county or "pass"; on the auction box the Thalers bid, "county", or "pass" for no bid.
    InputError if the run did not write the table `plans`, RunError if it is damaged.
    """
    if TABLE not in run.tables:
        raise InputError(f"{run.folder}: has no table {TABLE!r}; play the run with --plans into another folder")
    plans = run.scan(TABLE).filter(pl.col("year") == 1, pl.col("season").cast(pl.String) == season)
    counties = (
        pl.when(pl.col(f"{action}_outcome").is_null())
        .then(pl.lit(PASS))
        .otherwise(pl.col(f"{action}_card").cast(pl.String))
        for action in ACTIONS
    )
    words = (pl.col(name).cast(pl.String) for name in GROUP)
    return plans.select("game", "seat", *words, **dict(zip(ACTIONS, counties, strict=True)), **{BID: _bid()})


def _bid() -> pl.Expr:
    card = pl.col("auction_card").cast(pl.String)
    bids = {f"money_{amount}": f"{amount} Thaler{'' if amount == 1 else 's'}" for amount in range(MONEY_CARDS)}
    bids |= {"tower": PASS, "blank": PASS}
    laid = card.replace_strict(bids, default=COUNTY, return_dtype=pl.String)
    return pl.when(card.is_null()).then(pl.lit(PASS)).otherwise(laid)


def units_of(run: Run) -> dict[str, int]:
    """How many units of `results_of` are one victory point, and one win."""
    return {"vp": int(run.identity["players"]), "wins": _WIN}


def results_of(run: Run) -> pl.LazyFrame:
    """By game and seat: victory points above the mean of the table, and wins above the fair share.

    Both are whole numbers in the units of `units_of`, so that sums are exact in any order.
    """
    players, points = int(run.identity["players"]), pl.col("vp")
    wins = (pl.col("win") * _WIN).round().cast(pl.Int64) - _WIN // players
    return run.scan("seats").select("game", "seat", vp=players * points - points.sum().over("game"), wins=wins)
