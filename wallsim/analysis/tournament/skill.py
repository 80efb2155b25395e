"""Skill and luck: components of the variance between the seats of a table.

The result of a seat, such as its points, is modelled as a sum: the mean of the game, an effect of the policy, of the
line-up, of the seat, the interaction of policy and line-up, an effect of the cards that the games of a block share, and
the rest, which is chance and the play of the others. Only differences within games count. The variance among the seats
of a table (divisor seats - 1), averaged over the games, is then a sum of one component per effect.

Effects of policy, line-up and seat are fitted by least squares; their sums are stored by block, so that a resample is a
weighted sum. The square of an estimated effect is too large by the
variance of its error, which is subtracted (as in the analysis of variance), so a component without influence is 0 in
the mean and may be negative. The meaning of a share depends on the design: with equal policies their share is 0, and
the components add up to the whole variance only if policies, line-ups and seats meet about equally often. Line-ups have
the same seats in all games of a block, so the interaction of line-up and seat counts as cards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, standard_errors
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.stats.least_squares import column_products
from wallsim.stats.rankings import Rankings, rankings

POLICY, LINEUP, SEAT, SUITS, BOTH = "policy", "line-up", "seat", "policy × line-up", "line-up and seat"
CARDS, CHANCE = "cards", "chance"
TIED = "Every line-up keeps its seat; the effects of the two are confounded and form one component."
NEVER_MET = "Some policy never had some line-up; the interaction of policy and line-up counts as chance."

_CHUNK = 20_000  # games held in memory at a time
_RANK = 1e-8  # of the largest eigenvalue; a smaller eigenvalue means that effects are collinear

Effect = tuple[str, np.ndarray, np.ndarray]  # name; level of each seat, int64 [games, seats]; coding [levels, columns]


def effects_of(ranked: Rankings) -> tuple[list[Effect], list[str]]:
    """The effects that a design identifies, and notes on those that it does not.

    Effects of a factor add up to zero over its levels, those of policy × line-up over the levels of each factor.
    InputError if the seats of the tables differ, and if policies are confounded with seats or line-ups.
    """
    if (ranked.seat != ranked.seat[0]).any():
        raise InputError("rows: the tables do not have the same seats; number the seats equally in every game")
    seats = ranked.seat.shape[1]
    notes: list[str] = []
    seat = np.tile(np.arange(seats), (ranked.games, 1))
    policies, lineups = len(ranked.policies), len(ranked.lineups)
    effects: list[Effect] = []
    if policies > 1:
        effects.append((POLICY, ranked.policy, contrasts(policies)))
    if lineups < 2:
        effects.append((SEAT, seat, contrasts(seats)))
        _refuse_tied(ranked, effects)
        return effects, notes
    if len(np.unique(seat * lineups + ranked.lineup)) == seats == lineups:
        effects.append((BOTH, ranked.lineup, contrasts(lineups)))
        notes.append(TIED)
    else:
        effects += [(LINEUP, ranked.lineup, contrasts(lineups)), (SEAT, seat, contrasts(seats))]
    _refuse_tied(ranked, effects)
    if policies > 1:
        cell = ranked.policy * lineups + ranked.lineup
        suits = (SUITS, cell, np.kron(contrasts(policies), contrasts(lineups)))
        if len(np.unique(cell)) == policies * lineups and _full(_normal(ranked.games, [*effects, suits])):
            effects.append(suits)
        else:
            notes.append(NEVER_MET)
    return effects, notes


def contrasts(levels: int) -> np.ndarray:
    """Orthonormal columns that add up to zero, float64 [levels, levels - 1]."""
    turned, _ = np.linalg.qr(np.eye(levels)[:, : levels - 1] - 1 / levels)
    return np.asarray(turned)


class Split:
    """The components of the variance of a result within games, for any weights of the blocks.

    `values`, float64 [games, seats], has mean zero in each game. `names` are those of the effects, then CARDS if two
    games of some block share their cards, then CHANCE. CARDS is the covariance of such games, seat by seat: the luck of
    the cards, and all else that they share. Line-ups have the same seats in all games of a block, so the interaction of
    line-up and seat counts as cards too.
    """

    def __init__(self, ranked: Rankings, values: np.ndarray, effects: list[Effect]) -> None:
        """Fit the effects once, so that `of` is a sum over blocks."""
        games, seats = values.shape
        blocks = ranked.blocks
        self._normal = _normal(games, effects)
        inverse = np.linalg.inv(self._normal)
        moment = sum(
            (values[at].ravel() @ x.reshape(-1, len(inverse)) for at, x in _designs(games, effects)),
            np.zeros(len(inverse)),
        )
        self._effects = inverse @ moment
        sets = int(ranked.cards.max()) + 1
        scores, designs = np.zeros((blocks, len(inverse))), np.zeros((sets, seats, len(inverse)))
        left = np.zeros_like(values)
        for at, x in _designs(games, effects):
            left[at] = values[at] - x @ self._effects
            scores += _members(ranked.block[at], blocks) @ np.einsum("gsp,gs->gp", x, left[at])
            designs += (_members(ranked.cards[at], sets) @ x.reshape(len(x), -1)).reshape(designs.shape)
        self._moves = scores @ inverse  # the influence of each block on the effects
        self._scale = games * (seats - 1)
        squares = np.bincount(ranked.block, (left**2).sum(axis=1), minlength=blocks)
        # Residuals are smaller than errors because of the fit; the scores of the blocks estimate by how much.
        self._errors = squares + np.einsum("bp,bp->b", self._moves, scores)
        self._columns, self._taken, start = [], [], 0
        for _, _, coding in effects:
            columns = slice(start, start + coding.shape[1])
            start = columns.stop
            moved = self._moves[:, columns] @ self._normal[columns, columns]
            self._columns.append(columns)
            self._taken.append((moved * self._moves[:, columns]).sum(axis=1) * blocks / max(1, blocks - 1))
        of_set = np.zeros(sets, np.int64)
        of_set[ranked.cards] = ranked.block
        of_block = _members(of_set, blocks)
        count = np.bincount(ranked.cards)
        self._pairs = of_block @ (count * (count - 1.0))
        # Two games with the same cards share the luck of their seats. The part removed by the fit is added back.
        by_seat = _members(ranked.cards, sets) @ left
        flat = designs.reshape(-1, len(inverse))
        shared = column_products(flat, flat) - self._normal
        with_fit = of_block @ np.einsum("cs,csp->cp", by_seat, designs) - scores
        self._alike = (
            of_block @ (by_seat**2).sum(axis=1)
            - squares
            + 2 * (with_fit * self._moves).sum(axis=1)
            - ((self._moves @ shared) * self._moves).sum(axis=1)
        ) / (seats - 1)
        self._has_cards = bool(self._pairs.any())
        self.names = (*(name for name, _, _ in effects), *((CARDS,) if self._has_cards else ()), CHANCE)

    def of(self, weights: np.ndarray) -> np.ndarray:
        """The variance of each component, float64 [resamples, components], for `weights`, float64 [resamples, blocks].

        In squared units of the result. The estimates are unbiased, so they may be negative.
        """
        effects = self._effects + weights @ self._moves
        parts = []
        for columns, taken in zip(self._columns, self._taken, strict=True):
            squared = ((effects[:, columns] @ self._normal[columns, columns]) * effects[:, columns]).sum(axis=1)
            parts.append((squared - weights @ taken) / self._scale)
        rest = weights @ self._errors / self._scale
        if self._has_cards:
            pairs = weights @ self._pairs
            cards = np.divide(weights @ self._alike, pairs, out=np.zeros_like(pairs), where=pairs > 0)
            parts.append(cards)
            rest = rest - cards
        return np.column_stack([*parts, rest])


def _designs(games: int, effects: list[Effect]) -> Iterator[tuple[slice, np.ndarray]]:
    """The coded effects of some games at a time, minus their mean in each game, float64 [games, seats, columns]."""
    for first in range(0, games, _CHUNK):
        at = slice(first, first + _CHUNK)
        x = np.concatenate([coding[levels[at]] for _, levels, coding in effects], axis=2)
        yield at, x - x.mean(axis=1, keepdims=True)


def _members(block: np.ndarray, blocks: int) -> csr_array:
    """The incidence matrix of games in blocks, or in sets of games: 0 or 1, float64 sparse [blocks, games]."""
    return csr_array((np.ones(len(block)), (block, np.arange(len(block)))), shape=(blocks, len(block)))


def _normal(games: int, effects: list[Effect]) -> np.ndarray:
    columns = sum(coding.shape[1] for _, _, coding in effects)
    total = np.zeros((columns, columns))
    for _, x in _designs(games, effects):
        flat = x.reshape(-1, columns)
        total += column_products(flat, flat)
    return total


def _full(normal: np.ndarray) -> bool:
    values = np.linalg.eigvalsh(normal)
    return bool(values[0] > _RANK * values[-1])


def _refuse_tied(ranked: Rankings, effects: list[Effect]) -> None:
    if not _full(_normal(ranked.games, effects)):
        names = ", ".join(name for name, _, _ in effects)
        raise InputError(
            f"rows: the design cannot distinguish {names}; every policy must play several seats and line-ups, "
            "and meet others there"
        )


RESAMPLES = 1000
RESULTS = {"vp": "victory points", "win": "wins", "rank": "places"}
NOT_SHARED = "No two games of a block share their cards; what these bring is part of chance."
_FLAT = 1e-9


@dataclass(frozen=True)
class Part:
    """A component: its variance in squared units of the result, its share of all, and the interval of that share."""

    name: str
    variance: float
    share: float
    interval: Interval | None


@dataclass(frozen=True)
class Skill:
    """The components of the variance among the seats of a table, for one number of players.

    Components: policy, line-up, seat, policy × line-up, cards, chance; a design may lack some, see `notes`. `total` is
    the observed variance, `overlap` the difference of the components' sum from it, as a share of it: 0 in a balanced
    design apart from chance. Intervals hold for all components simultaneously with confidence `level`.
    """

    players: int
    result: str
    games: int
    blocks: int
    policies: tuple[str, ...]
    parts: tuple[Part, ...]
    total: float
    overlap: float
    level: float
    resamples: int
    seed: int
    notes: tuple[str, ...]

    @property
    def confidence(self) -> Confidence:
        """The confidence of the simultaneous intervals of all components; it gives the number of blocks they need."""
        return Confidence(self.level, len(self.parts))

    def share(self, name: str) -> float:
        """The share of one component; KeyError if the design has none of that name."""
        return {part.name: part.share for part in self.parts}[name]


def notes_of(components: Collection[str]) -> tuple[str, ...]:
    """The notes on a field of several policies with line-ups, by the names of its components."""
    possible = ((TIED, BOTH in components), (NEVER_MET, SUITS not in components), (NOT_SHARED, CARDS not in components))
    return tuple(note for note, applies in possible if applies)


def skill(
    rows: pl.DataFrame, result: str = "vp", *, resamples: int = RESAMPLES, seed: int = 1, level: float = LEVEL
) -> Skill:
    """Split the variance of a result among the seats of a table; rows as in `wallsim.stats.rankings`.

    `result` is one of RESULTS. Where line-ups do not change seats the two are one part, "line-up and seat". Without
    line-ups (a draft), or with one line-up, there are only seats. The part of policy × line-up is left to chance where
    some policy never has some line-up; that of the cards where no two games of a block share theirs. Intervals are
    Student's t, with the spread of the block bootstrap; a resample moves effects in proportion to the blocks' part in
    their equations (one Newton step). InputError for bad rows, several numbers of players, results that never differ,
    and policies that are tied to seats or line-ups so that the two cannot be separated.
    """
    if result not in RESULTS:
        raise InputError(f"result: {result!r}; allowed are {', '.join(RESULTS)}")
    ranked = rankings(rows)
    players = ranked.one_size()
    values = np.asarray(getattr(ranked, result), float)
    values = values - values.mean(axis=1, keepdims=True)
    total = float((values**2).sum() / (players - 1) / ranked.games)
    if not total > _FLAT:
        raise InputError(f"rows: {RESULTS[result]} never differ inside a game; there is nothing to split")
    effects, notes = effects_of(ranked)
    split = Split(ranked, values, effects)
    sums = split.of(np.ones((1, ranked.blocks)))[0]
    shares = sums / sums.sum()
    samples = np.concatenate([split.of(weights) for weights in block_weights(ranked.blocks, resamples, seed)])
    confidence = Confidence(level, len(split.names))
    intervals: list[Interval | None] = [None] * len(shares)
    if ranked.blocks >= confidence.min_blocks:
        errors = standard_errors(samples / samples.sum(axis=1, keepdims=True), ranked.blocks)
        intervals = [
            confidence.students(float(share), float(error), ranked.blocks)
            for share, error in zip(shares, errors, strict=True)
        ]
    if CARDS not in split.names:
        notes.append(NOT_SHARED)
    return Skill(
        players=players,
        result=result,
        games=ranked.games,
        blocks=ranked.blocks,
        policies=ranked.policies,
        parts=tuple(
            Part(name, float(variance), float(share), interval)
            for name, variance, share, interval in zip(split.names, sums, shares, intervals, strict=True)
        ),
        total=total,
        overlap=float(1 - sums.sum() / total),
        level=level,
        resamples=resamples,
        seed=seed,
        notes=tuple(notes),
    )
