"""Which cards lay on which boxes in the first season, and in the next one, and how the seats that laid them fared.

The numbers describe games; they do not say what a card is worth. Who lays a card differs in line-up, luck and plan from
who does not; `wallsim.analysis.openings.forced` plays the same games with another card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import polars as pl

from wallsim.analysis.games.breakdown import Mean
from wallsim.errors import InputError
from wallsim.folder.results import Run
from wallsim.rules.terms import ACTIONS, MONEY_CARDS
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval, wilson

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


LEAST = 30  # cards laid less often are counted together
REST = "rest"
MEASURES = ("vp", "wins")
MOST_FREQUENT = 3  # choices that are followed into the next season, and forced


@dataclass(frozen=True)
class Choice:
    """A card on a box. `vp` and `wins` are means above those of the table, wins above the fair share of 1 per game.

    `card` is a county, "pass" for any other card or none, on the auction box a bid, or "rest" for all cards laid fewer
    than LEAST times. `cases` counts plans, `games` the games that they come from. `share` is that of all plans of the
    same table. The intervals of one quantity hold together with those of the other cards of the box.
    """

    card: str
    cases: int
    games: int
    share: float
    share_interval: Interval | None
    vp: Mean
    wins: Mean


@dataclass(frozen=True)
class Box:
    """The choices on one box, the most frequent first and the rest last."""

    box: str
    choices: tuple[Choice, ...]

    @property
    def frequent(self) -> tuple[Choice, ...]:
        """The most frequent cards, at most MOST_FREQUENT, without the rest."""
        return tuple(choice for choice in self.choices if choice.card != REST)[:MOST_FREQUENT]


@dataclass(frozen=True)
class Opening:
    """The first plans of a policy with a line-up, None where there are no line-ups; `vp` and `wins` are those of all.

    `following` has the boxes of the next season for the plans with a card on a box of the first: by (box, card).
    """

    lineup: str | None
    policy: str
    cases: int
    games: int
    vp: Mean
    wins: Mean
    boxes: tuple[Box, ...]
    following: dict[tuple[str, str], tuple[Box, ...]]


def openings_of(run: Run, lineup: str | None = None, policy: str | None = None) -> tuple[Opening, ...]:
    """The openings of a run, by line-up and policy; only those of a line-up or policy if one is named.

    InputError if the run did not write the table `plans`, or has no such line-up or policy; RunError if it is damaged.
    """
    results, units = results_of(run), units_of(run)
    first = plans_of(run, FIRST).join(results, on=("game", "seat")).collect()
    for name, wanted in (("lineup", lineup), ("policy", policy)):
        if wanted is not None:
            first = _only(first, name, wanted, run)
    later = plans_of(run, NEXT).select("game", "seat", *(pl.col(box).alias(_next(box)) for box in BOXES)).collect()
    both = first.join(later, on=("game", "seat"))
    result = []
    for (line, name), plans in both.group_by(GROUP, maintain_order=True):
        boxes = tuple(_box(plans, units, box) for box in BOXES)
        following = {
            (box.box, choice.card): tuple(
                _box(plans.filter(pl.col(box.box) == choice.card), units, _next(later), later) for later in BOXES
            )
            for box in boxes
            for choice in box.frequent
        }
        [whole] = _sums_by_card(plans.with_columns(card=pl.lit("")))
        vp, wins = (_mean(whole, measure, units, Confidence()) for measure in MEASURES)
        result.append(Opening(_text(line), str(name), plans.height, whole["games"], vp, wins, boxes, following))
    return tuple(sorted(result, key=lambda each: (each.lineup or "", each.policy)))


def _only(plans: pl.DataFrame, name: str, wanted: str, run: Run) -> pl.DataFrame:
    """The plans with a line-up or a policy, which must be there."""
    there = sorted(plans[name].drop_nulls().unique())
    if wanted not in there:
        allowed = f"it has {', '.join(there)}" if there else "its games have none"
        raise InputError(f"{name}: {wanted!r} is not in {run.folder}; {allowed}")
    return plans.filter(pl.col(name) == wanted)


def _next(box: str) -> str:
    return f"{box} {NEXT}"


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _box(plans: pl.DataFrame, units: Mapping[str, int], column: str, box: str = "") -> Box:
    """The choices of plans in a column; `box` is its name if it is another."""
    counts = plans.group_by(card=column).len().filter(pl.col("len") >= LEAST)
    card = pl.when(pl.col(column).is_in(counts["card"].to_list())).then(pl.col(column)).otherwise(pl.lit(REST))
    sums = _sums_by_card(plans.with_columns(card=card))
    order = sorted(sums, key=lambda row: (row["card"] == REST, -row["cases"], row["card"]))
    confidence = Confidence(n_comparisons=len(order))
    games = plans["game"].n_unique()
    return Box(box or column, tuple(_choice(row, units, plans.height, games, confidence) for row in order))


def _sums_by_card(plans: pl.DataFrame) -> list[dict[str, Any]]:
    # A game is a block: several seats of it may have laid the same card.
    by_game = plans.group_by("card", "game").agg(pl.len().cast(pl.Int64).alias("cases"), pl.col(*MEASURES).sum())
    return (
        by_game.group_by("card")
        .agg(
            pl.len().alias("games"),
            pl.col("cases").sum(),
            pl.col("cases").pow(2).sum().alias("squares"),
            pl.col(*MEASURES).sum(),
            pl.col(*MEASURES).pow(2).sum().name.suffix(" squares"),
            *((pl.col(name) * pl.col("cases")).sum().alias(f"{name} products") for name in MEASURES),
        )
        .rows(named=True)
    )


def _choice(row: dict[str, Any], units: Mapping[str, int], cases: int, games: int, confidence: Confidence) -> Choice:
    share, played = row["cases"] / cases, row["games"]
    vp, wins = (_mean(row, name, units, confidence) for name in MEASURES)
    shared = wilson(share, games, confidence.z) if games >= confidence.min_blocks else None
    return Choice(row["card"], row["cases"], played, share, shared, vp, wins)


def _mean(row: dict[str, Any], name: str, units: Mapping[str, int], confidence: Confidence) -> Mean:
    """The ratio of a sum to the cases, with an interval between games (a linearised ratio, as `block_ratio`)."""
    games, cases, total = row["games"], row["cases"], row[name]
    value = total / cases / units[name]
    # The sum of (total - value * cases) ** 2 over games, times cases ** 2: whole numbers, so nothing cancels wrongly.
    squares = (
        cases * cases * row[f"{name} squares"]
        - 2 * total * cases * row[f"{name} products"]
        + total * total * row["squares"]
    )
    error = sqrt(squares / (games - 1) * games) / cases / cases / units[name] if games > 1 else 0.0
    if games < confidence.min_blocks or not error > NO_ERROR:
        return Mean(value, None)
    return Mean(value, confidence.students(value, error, games))
