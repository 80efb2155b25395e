"""Seats that cards hit or help: what a missing grain costs by the winter's card, and whom a card in force helps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_ratio, combined
from wallsim.studies.changes import by_round
from wallsim.studies.contrasts import TURN
from wallsim.studies.games import Counted, Games
from wallsim.studies.quantities import Key
from wallsim.studies.scenarios import BASE, Lines, identity_of, scenarios_played
from wallsim.studies.scope import Scope, sizes_of, three_tables
from wallsim.studies.study import Storage

from .cards import CARDS, EXPERIMENT, IN_FORCE, LOSSES, WINTERS

AS_IT_IS = "as it is"
PARTS = {"vp": 1.0, "win": 100.0}  # outcomes with their factors: wins in per cent
LEAST, MOST = -6, 1  # margins, grain after the loss less counties; those beyond count as the last
MARGINS = {value: f"{-value} missing" if value <= 0 else "spare" for value in range(MOST, LEAST - 1, -1)}
MARGIN_WORDS = {**{item: item for item in MARGINS.values()}, "spare": "some to spare", "0 missing": "just enough",
                f"{-LEAST} missing": f"{-LEAST} missing or more"}  # fmt: skip
AMOUNTS = tuple(sorted(set(LOSSES.values())))  # grain that some card takes
RESERVES = tuple(range(1, max(AMOUNTS) + 1))  # grain beyond the counties, before the loss; more is never asked for
# What a seat may have most or least of at its table, when the round begins, by the column of `seasons` that has it.
HOLDINGS = {
    "points": "vp_with_board", "counties": "counties", "palaces": "palaces", "churches": "churches",
    "trading posts": "trading_posts", "armies": "armies", "Thalers": "thalers",
}  # fmt: skip
ENDS = ("most", "fewest")
_SEASONS = np.array([SEASON_NAMES.index(name) for name in ROUND_NAMES])
# The scenarios of grain: as it is, and one grain less for the treated seat before the loss of each winter.
GRAIN: dict[str, Lines] = {AS_IT_IS: BASE} | {
    f"one grain less, {winter}": ({"do": "hand", "grain": -1, "seat": TURN, "round": winter},) for winter in WINTERS
}


def tables_of_grain(scope: Scope) -> Scope:
    """The tables in which grain is taken from a seat, and their blocks."""
    return three_tables(scope, 500, 24)


def tables_of_holders(scope: Scope) -> Scope:
    """The tables in which it is counted whom cards help, and their blocks."""
    return three_tables(scope, 200, 12)


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    return {
        "grain": identity_of(EXPERIMENT, tables_of_grain(scope), {"grain": GRAIN}, sizes_of(scope)),
        "holdings": identity_of(EXPERIMENT, tables_of_holders(scope), {"holdings": IN_FORCE}, sizes_of(scope)),
    }


def play(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Estimate]]:
    """Play the scenarios at every table with every number of players, and measure what grain and cards bring."""
    for tables, scenarios, count, counted, measured in (
        (tables_of_grain(scope), GRAIN, count_grain, "grain in winter", grain_of),
        (tables_of_holders(scope), IN_FORCE, count_holders, "cards by standing and holding", holders_of),
    ):
        for players, table in product(sizes_of(scope), tables.tables):
            played = scenarios_played(
                EXPERIMENT, table, scenarios, tables.baseline, count, players=players, seasons=True,
                workers=storage.workers, cache=storage.cache, counted=counted,
            )  # fmt: skip
            yield from measured(dict(played), players, table)


def count_grain(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's points and wins in games in which its winter was of some kind, and how many these are.

    Kinds are the loss of the card, and the margin of the seat: its grain after the loss less its counties.
    """
    outcomes = {name: factor * games.treated(games.seats(name)) for name, factor in PARTS.items()}
    losses, counted = np.array(list(LOSSES.values())), {}
    for year, (winter, place) in enumerate(WINTERS.items(), start=1):
        fall = np.full(len(games.numbers), place - 1)
        loss = losses[games.game(f"winter_event_year{year}").astype(int)]
        held, counties = (games.treated(games.in_seasons(name, fall)) for name in ("grain_held", "counties"))
        margin = np.clip(held - loss - counties, LEAST, MOST)
        kinds = {f"loss {amount}, {winter}": loss == amount for amount in AMOUNTS}
        kinds |= {f"margin {each}, {winter}": margin == each for each in MARGINS}
        for kind, fits in kinds.items():
            counted[kind] = fits.astype(float)
            counted |= {f"{name} {kind}": values * fits for name, values in outcomes.items()}
        for amount in AMOUNTS:
            counted[f"short loss {amount}, {winter}"] = 100.0 * ((loss == amount) & (margin < 0))
    return counted


def grain_of(played: Mapping[str, Counted], players: int, table: Cell) -> Iterator[tuple[Key, Estimate]]:
    """What one grain less before the loss changes for a seat at a table, by winter, by the loss and by the margin.

    The reserve is what the grain of some number beyond one for each county brings before the card is known: the mean
    over the twelve cards. Short are the seats that lack grain by the loss, in per cent.
    """
    base = played[AS_IT_IS]
    for winter in WINTERS:
        after, by_margin = played[f"one grain less, {winter}"], {}
        for name in PARTS:
            for amount in AMOUNTS:
                key = Key(f"grain-less-{name}", f"loss of {amount}", players, table, winter)
                yield key, _by_case(base, after, name, f"loss {amount}, {winter}")
            for margin, item in MARGINS.items():
                by_margin[name, margin] = _by_case(base, after, name, f"margin {margin}, {winter}")
                yield Key(f"grain-missing-{name}", item, players, table, winter), by_margin[name, margin]
        for amount in AMOUNTS:
            kind = f"loss {amount}, {winter}"
            short = block_ratio(by_round(base[f"short {kind}"]), by_round(base[kind]))
            yield Key("grain-short", f"loss of {amount}", players, table, winter), short
        for reserve in RESERVES:
            # With the grain the margin is the reserve less the loss; without it one less.
            parts = [by_margin["vp", max(LEAST, min(MOST, reserve - loss))] for loss in LOSSES.values()]
            key = Key("grain-reserve", f"grain {reserve}", players, table, winter)
            yield key, combined([-1 / len(parts)] * len(parts), parts)


def _by_case(before: Counted, after: Counted, name: str, kind: str) -> Estimate:
    return block_ratio(by_round(after[f"{name} {kind}"] - before[f"{name} {kind}"]), by_round(before[kind]))


def count_holders(games: Games) -> Mapping[str, np.ndarray]:
    """Points of the seats with most or fewest of something when the treated round began, and how many these are.

    They are summed up above the mean of the table. Nobody is either where all have as much, and in the first round.
    """
    points = games.seats("vp")
    points = points - points.mean(axis=1, keepdims=True)
    starts, counted = _SEASONS[games.numbers // games.players % len(ROUND_NAMES)], {}
    for holding, column in HOLDINGS.items():
        had = games.in_seasons(column, np.maximum(starts - 1, 0))
        low, high = had.min(axis=1, keepdims=True), had.max(axis=1, keepdims=True)
        differ = (low < high) & (starts > 0)[:, None]
        for end, bound in zip(ENDS, (high, low), strict=True):
            fits = (had == bound) & differ
            counted[f"{end} {holding}"] = fits.sum(axis=1).astype(float)
            counted[f"vp {end} {holding}"] = (points * fits).sum(axis=1)
    return counted


def holders_of(played: Mapping[str, Counted], players: int, table: Cell) -> Iterator[tuple[Key, Estimate]]:
    """What each card changes for such seats above what it changes for their table, the card in force or cancelled."""
    for card, holding, end in product(CARDS, HOLDINGS, ENDS):
        key, (forced, cancelled) = f"{end} {holding}", (played[f"{card} {arm}"] for arm in ("forced", "cancelled"))
        yield Key("card-by-holding", f"{card} {key}", players, table), _by_case(cancelled, forced, "vp", key)
