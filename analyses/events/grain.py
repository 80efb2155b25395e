"""Grain in winter: what a missing grain costs by the winter's card, and what a reserve of grain is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import Estimate, block_ratio, combined
from wallsim.studies.changes import by_round
from wallsim.studies.games import Counted, Games
from wallsim.studies.scenarios import BASE, Lines, identity_of
from wallsim.studies.scope import Scope, sizes_of, three_tables
from wallsim.studies.study import Storage

from .cards import CARDS, EXPERIMENT, LOSSES, WINTERS
from .played import played_everywhere

BLOCKS, QUICK_BLOCKS = 500, 24
COUNTED = "grain in winter"
PARTS = {"vp": 1.0, "win": 100.0}  # outcomes with their factors: wins in per cent
LEAST, MOST = -6, 1  # margins, grain after the loss less counties; those beyond count as the last
MARGINS = tuple(range(MOST, LEAST - 1, -1))
AMOUNTS = tuple(sorted(set(LOSSES.values())))  # grain that some card takes
RESERVES = tuple(range(1, max(AMOUNTS) + 1))  # grain beyond the counties, before the loss; more is never asked for


class Grain(NamedTuple):
    """What one grain less before the loss changes for a seat at a table, by winter.

    `by_loss` is by the grain that the card takes, `by_margin` by the margin of the seat: its grain after the loss less
    its counties, 0 where the grain just suffices. Both are of points and wins. `short` is the share of seats that lack
    grain by the loss, in per cent. `reserve` is what the grain number r beyond one for each county brings before the
    card is known, in VP: the mean over the twelve cards.
    """

    by_loss: dict[tuple[int, str, str], Estimate]
    by_margin: dict[tuple[int, str, str], Estimate]
    short: dict[tuple[int, str], Estimate]
    reserve: dict[tuple[int, str], Estimate]


def less(winter: str) -> str:
    """The name of the scenario in which the treated seat has one grain less before the loss of a winter."""
    return f"one grain less, {winter}"


def scenarios() -> dict[str, Lines]:
    """The scenarios by name: as it is, and one grain less for the treated seat before the loss of each winter."""
    return {"as it is": BASE} | {
        less(winter): ({"do": "hand", "grain": -1, "seat": "turn", "round": winter},) for winter in WINTERS
    }


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    return identity_of(EXPERIMENT, tables_of(scope), {"grain": scenarios()}, sizes_of(scope))


def tables_of(scope: Scope) -> Scope:
    """The tables that are played, and their blocks."""
    return three_tables(scope, BLOCKS, QUICK_BLOCKS)


def count(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's points and wins in games in which its winter was of some kind, and how many these are."""
    outcomes = {name: factor * games.treated(games.seats(name)) for name, factor in PARTS.items()}
    losses = np.array([LOSSES[card] for card in CARDS])
    counted = {}
    for year, (winter, place) in enumerate(WINTERS.items(), start=1):
        fall = np.full(len(games.numbers), place - 1)
        loss = losses[games.game(f"winter_event_year{year}").astype(int)]
        held, counties = (games.treated(games.in_seasons(name, fall)) for name in ("grain_held", "counties"))
        margin = np.clip(held - loss - counties, LEAST, MOST)
        kinds = {loss_of(amount, winter): loss == amount for amount in AMOUNTS}
        kinds |= {margin_of(each, winter): margin == each for each in MARGINS}
        for kind, fits in kinds.items():
            counted[kind] = fits.astype(float)
            counted |= {f"{name} {kind}": values * fits for name, values in outcomes.items()}
        for amount in AMOUNTS:
            counted[f"short {loss_of(amount, winter)}"] = 100.0 * ((loss == amount) & (margin < 0))
    return counted


def loss_of(amount: int, winter: str) -> str:
    """The name of the games in which a winter's card takes so much grain."""
    return f"loss {amount}, {winter}"


def margin_of(margin: int, winter: str) -> str:
    """The name of the games in which the treated seat has this margin in a winter."""
    return f"margin {margin}, {winter}"


def play(scope: Scope, storage: Storage) -> dict[tuple[int, Cell], Grain]:
    """Play the scenarios at every table with every number of players, and estimate what grain is worth."""
    everywhere = played_everywhere(scope, tables_of(scope), scenarios(), count, COUNTED, storage)
    return {where: grain_of(played) for where, played in everywhere}


def grain_of(played: Mapping[str, Counted]) -> Grain:
    """The results of a table from the counts of its scenarios."""
    base, result = played["as it is"], Grain({}, {}, {}, {})
    for winter in WINTERS:
        for name in PARTS:
            for amount in AMOUNTS:
                result.by_loss[amount, winter, name] = _change(played, winter, loss_of(amount, winter), name)
            for margin in MARGINS:
                result.by_margin[margin, winter, name] = _change(played, winter, margin_of(margin, winter), name)
        for amount in AMOUNTS:
            kind = loss_of(amount, winter)
            result.short[amount, winter] = block_ratio(by_round(base[f"short {kind}"]), by_round(base[kind]))
        for reserve in RESERVES:
            weights, parts = zip(*_weighted(result, reserve, winter), strict=True)
            result.reserve[reserve, winter] = combined(weights, parts)
    return result


def _weighted(result: Grain, reserve: int, winter: str) -> Iterator[tuple[float, Estimate]]:
    # With the grain the margin is the reserve less the loss; without it one less.
    for loss in LOSSES.values():
        margin = max(LEAST, min(MOST, reserve - loss))
        yield -1 / len(LOSSES), result.by_margin[margin, winter, "vp"]


def _change(played: Mapping[str, Counted], winter: str, kind: str, name: str) -> Estimate:
    base, after = played["as it is"], played[less(winter)]
    return block_ratio(by_round(after[f"{name} {kind}"] - base[f"{name} {kind}"]), by_round(base[kind]))
