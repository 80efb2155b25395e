"""Finished games among policies as arrays: who sat in which seat, with rank, wins and points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.errors import InputError
from wallsim.stats.intervals import NO_ERROR

NEEDED = ("block", "game", "seat", "policy", "rank", "win", "vp")
MIN_SEATS = 2
NUMBER = "number"  # of the game within its seed, where there is such a column
EMPTY = -1  # the policy of an empty place at the table


@dataclass(frozen=True)
class Rankings:
    """Games by block and game number, their places by seat; a table smaller than the largest has empty places.

    `policies` and `lineups` are in alphabetical order, `lineups` is () in a draft. `block`, int64 [games], numbers the
    blocks from 0, and `cards`, int64 [games], the sets of games that share their cards, within blocks. The others
    have the shape [games, places]: `policy` and `lineup`, int64, indices into those names or EMPTY; `seat` and `rank`,
    int64; `win` and `vp`, float64, 0 at an empty place.
    """

    policies: tuple[str, ...]
    lineups: tuple[str, ...]
    blocks: int
    block: np.ndarray
    cards: np.ndarray
    seat: np.ndarray
    policy: np.ndarray
    lineup: np.ndarray
    rank: np.ndarray
    win: np.ndarray
    vp: np.ndarray

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.block)

    @property
    def seats(self) -> np.ndarray:
        """The number of players at each table, int64 [games]."""
        return np.asarray((self.policy != EMPTY).sum(axis=1))

    @property
    def players(self) -> tuple[int, ...]:
        """The sizes of tables that occur, ascending."""
        return tuple(int(size) for size in np.unique(self.seats))

    def one_size(self) -> int:
        """The number of players at all tables; InputError for several numbers."""
        if len(self.players) != 1:
            raise InputError(f"rows: tables of {' and '.join(map(str, self.players))} players; only one is allowed")
        return self.players[0]


def rankings(rows: pl.DataFrame) -> Rankings:
    """The finished games of a frame with one row per game and seat; the order of the rows does not matter.

    Columns: block, game, seat, policy, rank (1 + seats strictly before it), win, vp; optional are lineup and number.
    The games of a block share their cards if they have the same number; without numbers all do. InputError if a
    column is missing or has missing values, if there are no games, for a game of one seat, in two blocks, or with a
    seat twice, and for impossible ranks.
    """
    missing = [name for name in NEEDED if name not in rows.columns]
    if missing:
        raise InputError(f"rows: no column {', '.join(missing)}; needed are {', '.join(NEEDED)}")
    if rows.is_empty():
        raise InputError("rows: no games; at least one finished game is needed")
    numbered = NUMBER in rows.columns
    gaps = [name for name in (*NEEDED, *([NUMBER] if numbered else [])) if rows[name].null_count()]
    if gaps:
        raise InputError(f"rows: {', '.join(gaps)} without a value in some rows; only the line-up may be missing")
    has_lineup = "lineup" in rows.columns and rows["lineup"].null_count() < rows.height
    if has_lineup and rows["lineup"].null_count():
        raise InputError("rows: lineup without a value in some rows; all rows or none may have one")
    rows = rows.sort("game", "seat")
    game, seat = rows["game"].to_numpy(), rows["seat"].to_numpy().astype(np.int64)
    starts = np.flatnonzero(np.r_[True, game[1:] != game[:-1]])
    sizes = np.diff(np.r_[starts, len(game)])
    at = np.repeat(np.arange(len(starts)), sizes)
    place = np.arange(len(game)) - starts[at]
    block = rows["block"].to_numpy()
    _refuse(game[starts], sizes < MIN_SEATS, f"one seat; {MIN_SEATS} or more finish a game")
    _refuse(game, block != block[starts][at], "rows of two blocks; a game belongs to one")
    twice = np.r_[False, (game[1:] == game[:-1]) & (seat[1:] == seat[:-1])]
    _refuse(game, twice, "two rows for one seat; a seat has one")

    def spread(values: np.ndarray, empty: float) -> np.ndarray:
        table = np.full((len(starts), int(sizes.max())), empty, values.dtype)
        table[at, place] = values
        return table

    names, policy = _numbered(rows["policy"])
    lineups, lineup = _numbered(rows["lineup"]) if has_lineup else ((), np.full(len(game), EMPTY))
    numbers, block_of = np.unique(block[starts], return_inverse=True)
    ranked = Rankings(
        policies=names,
        lineups=lineups,
        blocks=len(numbers),
        block=block_of,
        cards=_sets(block_of, rows[NUMBER].to_numpy()[starts]) if numbered else block_of,
        seat=spread(seat, EMPTY),
        policy=spread(policy, EMPTY),
        lineup=spread(lineup, EMPTY),
        rank=spread(rows["rank"].to_numpy().astype(np.int64), 0),
        win=spread(rows["win"].to_numpy().astype(np.float64), 0.0),
        vp=spread(rows["vp"].to_numpy().astype(np.float64), 0.0),
    )
    sits = ranked.policy != EMPTY
    before = ((ranked.rank[:, None, :] < ranked.rank[:, :, None]) & sits[:, None, :]).sum(axis=2)
    wrong = (sits & (ranked.rank != before + 1)).any(axis=1)
    _refuse(game[starts], wrong, "ranks other than 1 + the seats before each")
    return ranked


def _sets(block: np.ndarray, number: np.ndarray) -> np.ndarray:
    # Numbered from 0, the sets of a block consecutively.
    return np.asarray(np.unique(np.column_stack([block, number]), axis=0, return_inverse=True)[1].reshape(-1))


def _numbered(names: pl.Series) -> tuple[tuple[str, ...], np.ndarray]:
    known, number = np.unique(names.cast(pl.String).to_numpy().astype(str), return_inverse=True)
    return tuple(map(str, known)), number.astype(np.int64)


def _refuse(game: np.ndarray, wrong: np.ndarray, what: str) -> None:
    # `game` is the number of the game of each entry of `wrong`.
    if wrong.any():
        raise InputError(f"rows: game {game[wrong][0]} has {what} ({int(wrong.sum()):,} such cases)")


@dataclass(frozen=True)
class HeadToHead:
    """Head-to-head results of each policy (row) against each other one (column), float64 [blocks, policies, policies].

    `cases` counts pairs of seats; `before` counts those where the row's seat finished before the column's, ties as
    half; `ahead` those where it had more victory points, equal points as half; `margin` is the sum of its points minus
    the column's. `games`, int64 [policies, policies], counts the games in which the two sat at one table. Pairs of
    seats of the same policy are left out, since they compare no two policies.
    """

    cases: np.ndarray
    before: np.ndarray
    ahead: np.ndarray
    margin: np.ndarray
    games: np.ndarray

    def total(self, name: str) -> np.ndarray:
        """The sum over all blocks of the field called `name`, float64 [policies, policies]."""
        return np.asarray(getattr(self, name).sum(axis=0))


def head_to_head(rankings: Rankings) -> HeadToHead:
    """Compare all pairs of policies over finished games."""
    count = len(rankings.policies)
    form = (rankings.blocks, count, count)
    added = {name: np.zeros(rankings.blocks * count * count) for name in ("cases", "before", "ahead", "margin")}
    met = []
    places = rankings.policy.shape[1]
    for one in range(places):
        for other in range(places):
            row, column = rankings.policy[:, one], rankings.policy[:, other]
            at = np.flatnonzero((row != EMPTY) & (column != EMPTY) & (row != column))
            pair = row[at] * count + column[at]
            met.append(at * count * count + pair)
            cell = rankings.block[at] * count * count + pair
            lead = rankings.vp[at, one] - rankings.vp[at, other]
            later = rankings.rank[at, other] - rankings.rank[at, one]
            for name, weights in (
                ("cases", np.ones(len(at))), ("before", 0.5 + 0.5 * np.sign(later)),
                ("ahead", 0.5 + 0.5 * np.sign(lead)), ("margin", lead),
            ):  # fmt: skip
                added[name] += np.bincount(cell, weights, minlength=len(added[name]))
    games = np.bincount(np.unique(np.concatenate(met)) % (count * count), minlength=count * count)
    return HeadToHead(**{name: sums.reshape(form) for name, sums in added.items()}, games=games.reshape(count, count))


def pair_means(totals: np.ndarray, cases: np.ndarray, fewest: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The mean per case of each pair, its standard error and the number of blocks, each [policies, policies].

    `totals` and `cases`, by block, are [blocks, policies, policies]; a block counts if the pair met in it. The error
    is that of a ratio of sums over blocks (Taylor series), as in `group_means.py`. The mean is nan without a
    case; the error is nan in fewer than `fewest` blocks, and if all blocks are equal.
    """
    blocks, weight = (cases > 0).sum(axis=0), cases.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = totals.sum(axis=0) / weight
        residual = np.nan_to_num(totals - mean * cases)
        error = np.sqrt((residual**2).sum(axis=0) * blocks / (blocks - 1)) / weight
    return mean, np.where((blocks >= fewest) & (error > NO_ERROR), error, np.nan), blocks
