"""The ladder of a tournament: strength, wins and points of each policy, with intervals from blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, simultaneous_half_widths
from wallsim.stats.group_means import mean_by_group
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.stats.plackett_luce import (
    PRIOR,
    Order,
    Stages,
    Strengths,
    Tally,
    fit,
    log_likelihood,
    maximise,
    maximise_all,
    separation,
    stages_of,
    with_prior,
)
from wallsim.stats.rankings import EMPTY, HeadToHead, Rankings, head_to_head, pair_means, rankings

RESAMPLES = 1000
_OPEN = {1: "upwards", -1: "downwards", 0: ""}


@dataclass(frozen=True)
class Rating:
    """The rating of one policy in a tournament.

    `strength` is in natural log units: exp(difference) are the odds of two policies to finish before each other.
    `open` is "" unless results bound the strength on one side only, see `plackett_luce.Strengths`: then it is "upwards"
    or "downwards", there is no interval, and the strength is a convention. `win_share` is per seat and counts 1/k for a
    win shared by k. `above_next` is the share of resamples in which the next policy of the ladder is weaker, None for
    the last one.
    """

    policy: str
    games: int
    seats: int
    blocks: int
    strength: float
    interval: Interval | None
    open: str
    win_share: float
    win_interval: Interval | None
    vp: float
    vp_interval: Interval | None
    above_next: float | None


@dataclass(frozen=True)
class Fit:
    """The fit of the model to pairs of policies: shares and chances that one finishes before the other.

    `departure` is the root mean square difference of observed and expected share over the pairs, weighted by cases,
    after subtraction of the sampling variance; 0 if that is larger. `largest` is the pair that differs most in standard
    errors, with observed and expected share. `chance` is the bootstrap probability of departures as large as these if
    the model holds; None if the strengths can fit any shares, as with two policies. All are None without enough blocks.
    """

    pairs: int
    departure: float | None
    largest: tuple[str, str, float, float] | None
    chance: float | None


@dataclass(frozen=True)
class Ratings:
    """The ladder of a tournament, the strongest policy first.

    Intervals of a kind hold for all policies simultaneously with confidence `level`: for strengths by the block
    bootstrap (max-|t|), for wins and points by Bonferroni's correction; there are none for fewer blocks than
    `confidence` needs. `samples`, float64 [resamples, policies], has the strengths of each resample in the order of the
    ladder; resample r drew the blocks of row r of `bootstrap.block_weights(blocks, resamples, seed)`. `fair` is the
    mean of 1 / table size over the seats, `unbounded` the share of resamples that bound some strength on one side only.
    """

    ladder: tuple[Rating, ...]
    games: int
    blocks: int
    players: tuple[int, ...]
    fair: float
    level: float
    resamples: int
    seed: int
    fit: Fit
    unbounded: float
    samples: np.ndarray

    @property
    def confidence(self) -> Confidence:
        """The confidence of the simultaneous intervals of a kind; it gives the number of blocks that they need."""
        return Confidence(self.level, len(self.ladder))

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies in the order of the ladder."""
        return tuple(rating.policy for rating in self.ladder)

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits the strengths and their intervals, a sentence each."""
        notes, sides = [], {rating.policy: rating.open for rating in self.ladder}
        between = sorted(name for name, side in sides.items() if not side)
        for side, words in (("upwards", "never finished behind"), ("downwards", "never finished before")):
            if names := sorted(name for name in sides if sides[name] == side):
                whom = "the policies between" if len(between) > 1 else between[0]
                notes.append(
                    f"{', '.join(names)} {words} {whom}; results bound such a strength on one side only. The "
                    "number shown assumes half a win and half a defeat more for each policy."
                )
        if not any(sides.values()) and self.unbounded > 1 - self.level:
            notes.append(
                f"In {self.unbounded:.0%} of the resamples some strength was bounded on one side only; the intervals "
                "are rough."
            )
        if self.blocks < self.confidence.min_blocks:
            notes.append(self.confidence.too_few(self.blocks, "blocks"))
        return tuple(notes)

    @property
    def strengths(self) -> np.ndarray:
        """The strengths in the order of the ladder, float64 [policies]."""
        return np.array([rating.strength for rating in self.ladder])


def rate(rows: pl.DataFrame, *, resamples: int = RESAMPLES, seed: int = 1, level: float = LEVEL) -> Ratings:
    """Rate the policies of finished games, one row per game and seat as in `wallsim.stats.rankings`.

    Strengths are those of the Plackett-Luce model, from complete finishing orders. InputError for bad rows, fewer than
    two policies, and policies that no chain of games links.
    """
    ranked = rankings(rows)
    if len(ranked.policies) < 2:
        raise InputError(f"policies: {', '.join(ranked.policies)}; at least two are needed")
    if resamples < 2 or not 0 < level < 1:
        raise InputError(f"resamples, level: {resamples}, {level}; allowed are 2 or more, and a number between 0 and 1")
    stages = stages_by_block(ranked)
    strengths = fit(stages.tally(np.ones(ranked.blocks)), ranked.policies)
    met = head_to_head(ranked)
    samples, departures, unbounded = _resample(stages, met, strengths, resamples, seed)
    order = np.lexsort((np.arange(len(ranked.policies)), -strengths.values, -strengths.side))
    confidence = Confidence(level, len(ranked.policies))
    known = ranked.blocks >= confidence.min_blocks
    reach = simultaneous_half_widths(
        samples[:, strengths.bounded], strengths.values[strengths.bounded], level, ranked.blocks
    )
    reaches = np.full(len(order), np.nan)
    reaches[strengths.bounded] = np.where(known & (reach > 0), reach, np.nan)
    facts = _facts(rows, level)
    ladder = []
    for place, number in enumerate(order):
        value, reach_of = float(strengths.values[number]), float(reaches[number])
        above = None
        if place + 1 < len(order):
            gap = samples[:, number] - samples[:, order[place + 1]]
            above = float((gap > 0).mean() + (gap == 0).mean() / 2)
        interval = None if np.isnan(reach_of) else (value - reach_of, value + reach_of)
        side = _OPEN[int(strengths.side[number])]
        ladder.append(Rating(strength=value, interval=interval, open=side, above_next=above, **facts[number]))
    return Ratings(
        ladder=tuple(ladder),
        games=ranked.games,
        blocks=ranked.blocks,
        players=ranked.players,
        fair=ranked.games / int(ranked.seats.sum()),
        level=level,
        resamples=resamples,
        seed=seed,
        fit=_fit(ranked, met, strengths.values, departures if known else None, confidence.min_blocks),
        unbounded=unbounded / resamples,
        samples=samples[:, order],
    )


def stages_by_block(ranked: Rankings) -> Stages:
    """The stages of the finishing orders, added up over the games of each block."""
    count, sits = len(ranked.policies), ranked.policy != EMPTY
    key = np.where(sits, ranked.rank * count + ranked.policy, np.iinfo(np.int64).max)
    key.sort(axis=1)
    distinct, number = np.unique(key, axis=0, return_inverse=True)
    orders: list[Order] = []
    for line in distinct:
        groups: dict[int, list[int]] = {}
        for rank, policy in (divmod(int(entry), count) for entry in line if entry != np.iinfo(np.int64).max):
            groups.setdefault(rank, []).append(policy)
        orders.append(tuple(tuple(group) for group in groups.values()))
    seen = csr_array(
        (np.ones(ranked.games), (ranked.block, number.reshape(-1))),
        shape=(ranked.blocks, len(orders)),
        dtype=np.float64,
    )
    return stages_of(orders, count).added(seen)


def _strengths(blocks: Stages, drawn: np.ndarray, like: Tally, values: np.ndarray) -> tuple[np.ndarray, int]:
    """Strengths of resamples, float64 [resamples, policies], and the number of resamples that needed the prior.

    `drawn`, float64 [resamples, blocks], is how often each block was drawn. `like` is the tally that `values` were
    fitted to: all blocks, with the prior if they need it. All resamples need it then, since they contain no results
    that the blocks lack.
    """
    n_sets, count = blocks.sets.shape
    beats = (drawn @ blocks.beats).reshape(-1, count, count)
    apart = np.array([separation(each).any() for each in beats])
    prior = len(like.sets) > n_sets
    used = np.hstack([drawn @ blocks.used, np.tile(like.used[n_sets:], (len(drawn), 1))])
    chosen = drawn @ blocks.chosen + (PRIOR if prior else 0.0)
    curve = log_likelihood(like, values)[2]
    strengths = np.zeros(chosen.shape)
    converged = np.zeros(len(drawn), bool)
    same = np.flatnonzero(apart == prior)
    strengths[same], converged[same] = maximise_all(like.sets, chosen[same], used[same], values, curve)
    for number in np.flatnonzero(~converged):
        one = blocks.tally(drawn[number])
        strengths[number] = maximise(with_prior(one) if apart[number] else one, values)
    return strengths, int(apart.sum())


def _resample(
    stages: Stages, met: HeadToHead, fitted: Strengths, resamples: int, seed: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Strengths [resamples, policies], departures [resamples, policies, policies], resamples that needed the prior."""
    samples, departures, unbounded = [], [], 0
    blocks, count = met.cases.shape[0], len(fitted.values)
    cases, before = met.cases.reshape(blocks, -1), met.before.reshape(blocks, -1)
    whole = stages.tally(np.ones(blocks))
    like = whole if fitted.bounded.all() else with_prior(whole)
    for drawn in block_weights(blocks, resamples, seed):
        strengths, apart = _strengths(stages, drawn, like, fitted.values)
        strengths -= strengths[:, fitted.bounded].mean(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            share = ((drawn @ before) / (drawn @ cases)).reshape(-1, count, count)
        samples.append(strengths)
        departures.append(share - expected_before(strengths))
        unbounded += apart
    return np.concatenate(samples), np.concatenate(departures), unbounded


def expected_before(strengths: np.ndarray) -> np.ndarray:
    """The model's chance that the row finishes before the column, float64 [..., policies, policies].

    `strengths` has the shape [..., policies]. The chance does not depend on the other policies at the table.
    """
    return np.asarray(1 / (1 + np.exp(strengths[..., None, :] - strengths[..., :, None])))


def _fit(ranked: Rankings, met: HeadToHead, strengths: np.ndarray, departures: np.ndarray | None, fewest: int) -> Fit:
    expected, cases = expected_before(strengths), met.total("cases")
    share, _, blocks = pair_means(met.before, met.cases)
    row, column = np.nonzero(np.triu(blocks >= fewest, 1))
    if departures is None or not len(row):
        return Fit(int(np.triu(blocks > 0, 1).sum()), None, None, None)
    # Errors of the departures themselves: the strengths follow the shares, so a departure varies less than a share.
    apart = (share - expected)[row, column]
    drawn = np.nan_to_num(departures[:, row, column] - apart)
    errors = np.maximum(drawn.std(axis=0, ddof=1), 1e-9)
    weights = cases[row, column] / cases[row, column].sum()
    squared = float(weights @ (apart**2 - errors**2))
    scores = (apart / errors) ** 2
    worst = int(scores.argmax())
    names = ranked.policies
    i, j = (row[worst], column[worst]) if apart[worst] >= 0 else (column[worst], row[worst])
    chance = float((((drawn / errors) ** 2).sum(axis=1) >= scores.sum()).mean())
    free = len(row) > len(names) - 1
    return Fit(
        pairs=len(row),
        departure=max(0.0, squared) ** 0.5,
        largest=(names[i], names[j], float(share[i, j]), float(expected[i, j])),
        chance=chance if free else None,
    )


def _facts(rows: pl.DataFrame, level: float) -> list[dict[str, object]]:
    """Counts, win share and mean points of each policy, in alphabetical order."""
    named = rows.select("block", "game", "win", "vp", policy=pl.col("policy").cast(pl.String))
    games = dict(named.group_by("policy").agg(pl.col("game").n_unique()).iter_rows())
    wins, points = (mean_by_group(named.lazy(), "policy", value, "block", level) for value in ("win", "vp"))
    return [
        {
            "policy": win["group"], "games": games[win["group"]], "seats": win["rows"], "blocks": win["clusters"],
            "win_share": win["mean"], "win_interval": _ends(win), "vp": vp["mean"], "vp_interval": _ends(vp),
        }
        for win, vp in zip(wins.iter_rows(named=True), points.iter_rows(named=True), strict=True)
    ]  # fmt: skip


def _ends(row: dict[str, float | None]) -> Interval | None:
    low, high = row["low"], row["high"]
    return None if low is None or high is None else (low, high)
