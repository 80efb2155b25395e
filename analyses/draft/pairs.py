"""Pairs of counties: what both bring one seat, or two seats as neighbours, beyond the worths of both.

The dealt games of the study choose the pairs, and games dealt with another seed judge them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL
from wallsim.stats.blocks import Estimate
from wallsim.studies.cache import Cache
from wallsim.studies.games import block_size

from .cells import DEAL, LINES, PLAYERS, Scope, in_cell
from .deals import Deals, Ground, apart, deals_of, played_points, regressors
from .worth import Worths

TOGETHER, BORDER = "pair of one seat", "pair of two seats that border"
KINDS = (TOGETHER, BORDER)
CHOSEN = 10  # pairs from each end
SEEDS = 2  # from the seed of the games that choose to that of those that judge; the one between is of drafts
_LEAST = 1e-6  # of a sum of squares; less is rounding
_CHUNK = 50 * block_size(PLAYERS)  # games; they limit memory

Pair = tuple[str, str]


class Pairs(NamedTuple):
    """The pairs chosen, and what they bring in games that did not choose them.

    `chosen` are the effects in the games that chose, by kind, group of plays and pair; `effects` those in the others,
    by kind, pair and play, in VP of a seat above the table's mean, with blocks of games as the unit of errors.
    """

    chosen: dict[str, dict[str, dict[Pair, float]]]
    effects: dict[str, dict[Pair, dict[str, Estimate]]]


def groups_of(scope: Scope) -> dict[str, tuple[str, ...]]:
    """The plays of each kind of table, by the first of them: casual play alone, and all lines of experienced play."""
    there = {play.name for play in scope.plays}
    groups = ((CASUAL,), tuple(line for line in LINES if line in there))
    return {group[0]: group for group in groups if group and there.issuperset(group)}


def pairs_of(scope: Scope, main: Worths, cache: Cache, workers: int | None = None) -> Pairs:
    """Choose pairs by the dealt games of the study, and judge them by games of another seed under its first tower."""
    ground, groups = main.ground, groups_of(scope)
    chosen = {
        kind: {
            name: choice(kind, _chosen_by(kind, main, plays))
            for name, plays in groups.items()
        }
        for kind in KINDS
    }  # fmt: skip
    pairs = {kind: list(dict.fromkeys(pair for each in by_group.values() for pair in each))
             for kind, by_group in chosen.items()}  # fmt: skip
    plays = [play for group in groups.values() for play in group]
    cells = {play: in_cell(Cell(play, scope.towers[0], DEAL)) for play in plays}
    others = {play: each.changed(seed=each.seed + SEEDS) for play, each in cells.items()}
    deals = deals_of(others[plays[0]], scope.pairs, cache, workers)
    points = {play: played_points(each, scope.pairs, cache, workers) for play, each in others.items()}
    effects: dict[str, dict[Pair, dict[str, Estimate]]] = {}
    for kind in KINDS:
        found = effects_of(kind, pairs[kind], ground, deals, points)
        effects[kind] = {pair: {play: found[play][place] for play in plays} for place, pair in enumerate(pairs[kind])}
    return Pairs(chosen, effects)


def candidates(kind: str, ground: Ground) -> list[Pair]:
    """All pairs of one kind: any two counties of one seat, or two neighbours."""
    every = combinations(range(len(ground.names)), 2)
    return [
        (ground.names[one], ground.names[other])
        for one, other in every
        if kind == TOGETHER or ground.borders[one, other]
    ]


def choice(kind: str, effects: Mapping[Pair, float]) -> dict[Pair, float]:
    """The pairs that bring most and least, or the borders that cost most, with their effects."""
    order = sorted(effects, key=lambda pair: effects[pair])
    taken = order[:CHOSEN] + (order[-CHOSEN:] if kind == TOGETHER else [])
    return {pair: effects[pair] for pair in dict.fromkeys(taken)}


def values_of(
    kind: str, pairs: Sequence[Pair], ground: Ground, deals: Deals, points: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The effect of each pair on some outcomes, float64 [games, seats] each, without errors: float64 [pairs]."""
    return {name: values for name, (values, _) in _fitted(kind, pairs, ground, deals, points).items()}


def effects_of(
    kind: str, pairs: Sequence[Pair], ground: Ground, deals: Deals, points: Mapping[str, np.ndarray]
) -> dict[str, list[Estimate]]:
    """The same with errors by block of games; games beyond the last whole block count nowhere."""
    blocks = len(deals.owner) // block_size(ground.players)
    games = blocks * block_size(ground.players)
    deals = Deals(deals.owner[:games], deals.armies[:games])
    points = {name: each[:games] for name, each in points.items()}
    result = {}
    for name, (values, projection) in _fitted(kind, pairs, ground, deals, points).items():
        influence = np.zeros((blocks, len(pairs)))
        for part, known, held in _parts(kind, pairs, ground, deals):
            left = held - known @ projection.of_pairs
            residual = apart(points[name][part]) - known @ projection.of_points
            scores = left * residual[..., None] - left**2 * values
            by_game = scores.sum(axis=1) / projection.squares
            first, count = part.start // block_size(ground.players), len(by_game) // block_size(ground.players)
            influence[first : first + count] = by_game.reshape(count, -1, len(pairs)).sum(axis=1)
        result[name] = [Estimate(float(value), blocks * each) for value, each in zip(values, influence.T, strict=True)]
    return result


class _Projection(NamedTuple):
    """What counties and armies explain of the pairs and of the points, and the sum of squares that is left of pairs."""

    of_pairs: np.ndarray
    of_points: np.ndarray
    squares: np.ndarray


def _fitted(
    kind: str, pairs: Sequence[Pair], ground: Ground, deals: Deals, points: Mapping[str, np.ndarray]
) -> dict[str, tuple[np.ndarray, _Projection]]:
    # Each pair alone is added to the regression on counties and armies (Frisch and Waugh, 1933): in a deal pairs are
    # nearly uncorrelated once their counties are taken out.
    size, count = 2 * len(ground.counties), len(pairs)
    products, crossed, squares = np.zeros((size, size)), np.zeros((size, count)), np.zeros(count)
    of_known, of_held = ({name: np.zeros(each) for name in points} for each in (size, count))
    for part, known, held in _parts(kind, pairs, ground, deals):
        flat, pairs_held = known.reshape(-1, size), held.reshape(-1, count)
        products += flat.T @ flat
        crossed += flat.T @ pairs_held
        squares += (pairs_held**2).sum(axis=0)
        for name, each in points.items():
            response = apart(each[part]).ravel()
            of_known[name] += flat.T @ response
            of_held[name] += pairs_held.T @ response
    inverse = np.linalg.pinv(products, rcond=1e-10, hermitian=True)
    of_pairs = inverse @ crossed
    left = squares - (crossed * of_pairs).sum(axis=0)
    left[left < _LEAST] = np.nan  # a pair that nobody held, or in every game
    return {
        name: (
            (of_held[name] - of_pairs.T @ of_known[name]) / left,
            _Projection(of_pairs, inverse @ of_known[name], left),
        )
        for name in points
    }


def _parts(
    kind: str, pairs: Sequence[Pair], ground: Ground, deals: Deals
) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
    """Slices of the games, with what seats hold and which pairs, each relative to the table's mean."""
    places = {name: place for place, name in enumerate(ground.names)}
    one, other = (np.array([places[pair[end]] for pair in pairs]) for end in (0, 1))
    for first in range(0, len(deals.owner), _CHUNK):
        part = slice(first, min(first + _CHUNK, len(deals.owner)))
        here = Deals(deals.owner[part], deals.armies[part])
        known = regressors(here, ground)[:, :, : 2 * len(ground.counties)]
        owner = here.owner[:, ground.counties]
        mine = owner[:, None, :] == np.arange(ground.players)[None, :, None]
        if kind == TOGETHER:
            held = mine[..., one] & mine[..., other]
        else:
            dealt = (owner[:, one] >= 0) & (owner[:, other] >= 0)
            held = (mine[..., one] ^ mine[..., other]) & dealt[:, None]
        yield part, apart(known), apart(held.astype(np.float64))


def _chosen_by(kind: str, main: Worths, plays: Sequence[str]) -> dict[Pair, float]:
    points = np.mean([each for cell, each in main.points.items() if cell.play in plays], axis=0)
    pairs = candidates(kind, main.ground)
    values = values_of(kind, pairs, main.ground, main.deals, {"": points})[""]
    return dict(zip(pairs, map(float, values), strict=True))
