"""The table of a tournament, one row per game and seat, made from the engine's matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wallsim.engine.columns import SEAT_COLUMNS, Column
from wallsim.runs.folder.schema import NOTES, Vocabulary, codebook_table, described

if TYPE_CHECKING:  # imported when needed, so that light commands start quickly
    import numpy as np
    import polars as pl

KIND = "tournament"  # the value of `kind` in a tournament's identity
RESULTS = "results"
ROW = "one row per game and seat"
CODEBOOK_HEADLINE = "# Codebook of a tournament\n"
# Columns of the table `seats` that are stored for every game and seat.
_SAME = ("rank", "win", "vp", "vp_year1", "counties", "palaces", "churches", "trading_posts", "attacks_on_players")
_SEAT = {column.name: column for column in SEAT_COLUMNS}
STORED = tuple(list(_SEAT).index(name) for name in _SAME)  # their column numbers in the engine's matrix

COLUMNS = (
    Column("block", "int32", "", "block, the unit of all estimates"),
    Column("game", "int64", "", "game, counted through the tournament"),
    Column("number", "int64", "", "number of the game within the seed; the same for all games of a block but replays"),
    Column("company", "int16", "", "which policies met"),
    *(_SEAT[name] for name in ("seat", "lineup", "policy", *_SAME)),
    Column("margin", "int16", "victory points", "victory points above the best other seat, negative behind it"),
)
RATED = ("block", "game", "number", "seat", "lineup", "policy", "rank", "win", "vp")  # the columns used for ratings


def results_schema(words: Vocabulary) -> dict[str, Any]:
    """The polars type of each column, by name, in order."""
    return {column.name: words.dtype(column.kind) for column in COLUMNS}


def results_frame(values: dict[str, np.ndarray], stored: np.ndarray, words: Vocabulary) -> pl.DataFrame:
    """The rows of some games as a frame.

    `stored` is int16 [blocks, games, seats, columns of STORED]. `values` has the other columns by name, as arrays that
    broadcast to [blocks, games, seats]; line-ups and policies are codes, -1 for none.
    """
    import numpy as np
    import polars as pl

    from wallsim.runs.folder.chunk_tables import SHARES, as_enum

    data = values | {name: stored[..., place] for place, name in enumerate(_SAME)}
    data["win"] = SHARES[data["win"]]
    data["margin"] = data["vp"] - _best_other(data["vp"])
    columns = []
    for name, kind in results_schema(words).items():
        flat = pl.Series(name, np.broadcast_to(data[name], stored.shape[:3]).ravel())
        if isinstance(kind, pl.Enum):
            columns.append(as_enum(flat.cast(pl.UInt8, strict=False), kind))  # -1 becomes null
        else:
            columns.append(flat.cast(kind))
    return pl.DataFrame(columns)


def results_codebook(words: Vocabulary) -> str:
    """The codebook of a tournament as Markdown."""
    rows = described(COLUMNS, words)
    return "\n".join([CODEBOOK_HEADLINE, NOTES, *codebook_table(RESULTS, ROW, rows)])


def _best_other(points: np.ndarray) -> np.ndarray:
    import numpy as np

    # The best of the other seats is the second best for the leading seat, and the best for all others.
    ordered = np.sort(points, axis=-1)
    best, second = ordered[..., -1:], ordered[..., -2:-1]
    leads = np.arange(points.shape[-1]) == np.argmax(points, axis=-1)[..., None]
    return np.where(leads, second, best)
