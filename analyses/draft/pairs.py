"""Pairs of counties: what both bring one seat, or two seats as neighbours, beyond the worths of both.

The dealt games of the study choose the pairs, and games dealt with another seed judge them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.games import block_size
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.study import Storage

from . import deals as dealt
from .deals import DEAL, PLAYERS, Deals, Ground, Scope, Worths, apart, ground_of, in_cell

# The kinds of pairs, with the quantities of their effects, and of those in the games that chose them.
TOGETHER, BORDER = "pair of one seat", "pair of two seats that border"
KINDS = (TOGETHER, BORDER)
EFFECT, CHOSEN_BY = ({kind: f"{text}-{kind.replace(' ', '-')}" for kind in KINDS}
                     for text in ("effect", "effect-that-chose"))  # fmt: skip
CHOSEN = 10  # pairs from each end
SEEDS = 2  # from the seed of the games that choose to that of those that judge; the one between is of drafts
_LEAST = 1e-6  # of a sum of squares; less is rounding
_CHUNK = 50 * block_size(PLAYERS)  # games; they limit memory
ADDS, COSTS, UNKNOWN = "gains", "loses", "differs between bots, or is not known"

Pair = tuple[str, str]


class Judged(NamedTuple):
    """A pair of one kind that was chosen for a group of plays, with its effect in the games that judge it, by play."""

    pair: Pair
    effects: dict[str, Figure]

    @property
    def verdict(self) -> str:
        """What is known of the pair in all plays, in words."""
        return verdict_of(side_of(figure.ends) for figure in self.effects.values())


def verdict_of(sides: Iterable[int]) -> str:
    """What is known where something brings points (1), costs some (-1), or neither is known (0), in every play."""
    known = set(sides)
    return ADDS if known == {1} else COSTS if known == {-1} else UNKNOWN


def judged_pairs(figures: Figures, scope: Scope) -> dict[str, dict[str, list[Judged]]]:
    """The pairs by kind and by the first play of the group that they were chosen for, what brings most first."""
    ground, tower = ground_of(scope), scope.towers[0]
    result: dict[str, dict[str, list[Judged]]] = {kind: {} for kind in KINDS}
    for kind, group in product(KINDS, scope.groups):
        found = []
        for pair in candidates(kind, ground):
            item = " and ".join(pair)
            if figures.find(CHOSEN_BY[kind], item, players=PLAYERS, play=group, setup=DEAL) is not None:
                found.append(Judged(pair, {
                    play: figures.of(EFFECT[kind], item, players=PLAYERS, cell=Cell(play, tower, DEAL))
                    for play in scope.at_tables
                }))  # fmt: skip
        result[kind][group] = sorted(found, key=lambda each: -each.effects[group].value)
    return result


def of_pairs(scope: Scope, main: Worths, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """Choose pairs by the dealt games of the study, and judge them by games of another seed under its first tower."""
    chosen: dict[str, list[Pair]] = {kind: [] for kind in KINDS}
    for kind, (group, plays) in product(KINDS, scope.groups.items()):
        points = np.mean([each for cell, each in main.points.items() if cell.play in plays], axis=0)
        pairs = candidates(kind, main.ground)
        values, *_ = PairsDealt(kind, pairs, main.ground, main.deals).fitted(points)
        for pair, value in choice(kind, dict(zip(pairs, map(float, values), strict=True))).items():
            chosen[kind].append(pair)
            yield Key(CHOSEN_BY[kind], " and ".join(pair), PLAYERS, Cell(group, "", DEAL)), Number(value)
    cells = [Cell(play, scope.towers[0], DEAL) for play in scope.at_tables]
    others = [in_cell(cell).changed(seed=in_cell(cell).seed + SEEDS) for cell in cells]
    deals = dealt.deals_of(others[0], scope.pairs, storage)
    judging = [dealt.played_points(each, scope.pairs, storage) for each in others]
    for kind, every in chosen.items():
        pairs = list(dict.fromkeys(every))
        found = [PairsDealt(kind, pairs, main.ground, deals).effects(points) for points in judging]
        for pair, *effects in zip(pairs, *found, strict=True):
            for cell, effect in zip(cells, effects, strict=True):
                yield Key(EFFECT[kind], " and ".join(pair), PLAYERS, cell), effect


def candidates(kind: str, ground: Ground) -> list[Pair]:
    """All pairs of one kind: any two counties of one seat, or two neighbours."""
    every = combinations(range(len(ground.names)), 2)
    return [(ground.names[one], ground.names[other]) for one, other in every
            if kind == TOGETHER or ground.borders[one, other]]  # fmt: skip


def choice(kind: str, effects: Mapping[Pair, float]) -> dict[Pair, float]:
    """The pairs that bring most and least, or the borders that cost most, with their effects."""
    order = sorted(effects, key=lambda pair: effects[pair])
    taken = order[:CHOSEN] + (order[-CHOSEN:] if kind == TOGETHER else [])
    return {pair: effects[pair] for pair in dict.fromkeys(taken)}


@dataclass(frozen=True)
class PairsDealt:
    """Pairs of one kind in dealt games.

    Each alone is added to the regression on counties and armies (Frisch and Waugh, 1933): in a deal pairs are nearly
    uncorrelated once their counties are taken out. Points are float64 [games, seats].
    """

    kind: str
    pairs: Sequence[Pair]
    ground: Ground
    deals: Deals

    def fitted(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The effects; what counties and armies explain of pairs, and of points; and what is left of squares."""
        size, count = 2 * len(self.ground.counties), len(self.pairs)
        products, crossed, squares = np.zeros((size, size)), np.zeros((size, count)), np.zeros(count)
        of_known, of_held = np.zeros(size), np.zeros(count)
        for part, known, held in self._parts():
            flat, pairs_held, response = known.reshape(-1, size), held.reshape(-1, count), apart(points[part]).ravel()
            products += flat.T @ flat
            crossed += flat.T @ pairs_held
            squares += (pairs_held**2).sum(axis=0)
            of_known += flat.T @ response
            of_held += pairs_held.T @ response
        inverse = np.linalg.pinv(products, rcond=1e-10, hermitian=True)
        of_pairs = inverse @ crossed
        left = squares - (crossed * of_pairs).sum(axis=0)
        left[left < _LEAST] = np.nan  # a pair that nobody held, or in every game
        return (of_held - of_pairs.T @ of_known) / left, of_pairs, inverse @ of_known, left

    def effects(self, points: np.ndarray) -> list[Estimate]:
        """The effects with errors by block of games; games beyond the last whole block count nowhere."""
        size = block_size(self.ground.players)
        blocks = len(self.deals.owner) // size
        points, *deals = (each[: blocks * size] for each in (points, *self.deals))
        whole = replace(self, deals=Deals(*deals))
        (values, of_pairs, of_points, squares), influence = whole.fitted(points), np.zeros((blocks, len(self.pairs)))
        for part, known, held in whole._parts():
            left = held - known @ of_pairs
            residual = apart(points[part]) - known @ of_points
            by_game = (left * residual[..., None] - left**2 * values).sum(axis=1) / squares
            by_block = by_game.reshape(-1, size, len(self.pairs)).sum(axis=1)
            influence[part.start // size :][: len(by_block)] = by_block
        return [Estimate(float(value), blocks * each) for value, each in zip(values, influence.T, strict=True)]

    def _parts(self) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        # Slices of the games, with what seats hold and which pairs, each relative to the table's mean.
        one, other = (np.array([self.ground.names.index(pair[end]) for pair in self.pairs]) for end in (0, 1))
        for part in (slice(first, first + _CHUNK) for first in range(0, len(self.deals.owner), _CHUNK)):
            here = Deals(*(each[part] for each in self.deals))
            known = dealt.regressors(here, self.ground)[:, :, : 2 * len(self.ground.counties)]
            owner = here.owner[:, self.ground.counties]
            mine = owner[:, None, :] == np.arange(self.ground.players)[None, :, None]
            owned = ((owner[:, one] >= 0) & (owner[:, other] >= 0))[:, None]
            together = self.kind == TOGETHER
            held = mine[..., one] & mine[..., other] if together else (mine[..., one] ^ mine[..., other]) & owned
            yield part, apart(known), apart(held.astype(np.float64))
