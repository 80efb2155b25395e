"""Finished games among policies: who sat where, and how each table ended, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.errors import InputError

NEEDED = ("block", "game", "seat", "policy", "rank", "win", "vp")
MIN_SEATS = 2
NUMBER = "number"  # of the game within its seed, where there is such a column
EMPTY = -1  # the policy of a place at the table where nobody sits


@dataclass(frozen=True)
class Rankings:
    """Games by block and game number, the places of each by seat; a table smaller than the largest has empty places.

    `policies` and `lineups` are in order of the alphabet, `lineups` is () in a draft. `block`, int64 [games], counts
    the blocks from 0, and `cards`, int64 [games], the sets of games that share their cards, within blocks. The others
    have the form [games, places]: `policy` and `lineup`, int64, places in those names or EMPTY; `seat` and `rank`,
    int64; `win` and `vp`, float64, 0 where nobody sits.
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
        """How many games there are."""
        return len(self.block)

    @property
    def seats(self) -> np.ndarray:
        """How many sat at each table, int64 [games]."""
        return np.asarray((self.policy != EMPTY).sum(axis=1))

    @property
    def players(self) -> tuple[int, ...]:
        """The sizes of tables that occur, ascending."""
        return tuple(int(size) for size in np.unique(self.seats))


def rankings(rows: pl.DataFrame) -> Rankings:
    """The finished games of a frame with one row per game and seat; the order of the rows does not matter.

    Columns: block, game, seat, policy, rank (1 + seats strictly before it), win, vp; lineup and number where there are
    any. The games of a block share their cards if they have the same number; without numbers all do. InputError if a
    column is missing or has gaps, without games, for a game of one seat, in two blocks, or with a seat twice, and for
    ranks that no finish can have.
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
    _refuse(game, starts, sizes < MIN_SEATS, f"one seat; {MIN_SEATS} or more finish a game")
    _refuse(game, at, block != block[starts][at], "rows of two blocks; a game belongs to one")
    twice = np.r_[False, (game[1:] == game[:-1]) & (seat[1:] == seat[:-1])]
    _refuse(game, at, twice, "two rows for one seat; a seat has one")

    def spread(values: np.ndarray, empty: float) -> np.ndarray:
        table = np.full((len(starts), int(sizes.max())), empty, values.dtype)
        table[at, place] = values
        return table

    names, policy = _numbered(rows["policy"])
    lineups, lineup = _numbered(rows["lineup"]) if has_lineup else ((), np.full(len(game), EMPTY))
    numbers, block_of = np.unique(block[starts], return_inverse=True)
    found = Rankings(
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
    sits = found.policy != EMPTY
    before = ((found.rank[:, None, :] < found.rank[:, :, None]) & sits[:, None, :]).sum(axis=2)
    _refuse(game, starts, (sits & (found.rank != before + 1)).any(axis=1), "ranks other than 1 + the seats before each")
    return found


def _sets(block: np.ndarray, number: np.ndarray) -> np.ndarray:
    # Counted from 0, those of a block in a row.
    return np.asarray(np.unique(np.column_stack([block, number]), axis=0, return_inverse=True)[1].reshape(-1))


def _numbered(names: pl.Series) -> tuple[tuple[str, ...], np.ndarray]:
    known, number = np.unique(names.cast(pl.String).to_numpy().astype(str), return_inverse=True)
    return tuple(map(str, known)), number.astype(np.int64)


def _refuse(game: np.ndarray, rows: np.ndarray, wrong: np.ndarray, what: str) -> None:
    # `rows` are rows of `game`, or numbers of games if there is one per row.
    if not wrong.any():
        return
    first = np.flatnonzero(wrong)[0]
    number = game[first] if len(wrong) == len(game) else game[rows[first]]
    raise InputError(f"rows: game {number} has {what} ({int(wrong.sum()):,} such cases)")
