"""Means by group from Python, with errors that count blocks instead of rows; and differences from a baseline."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from wallsim.errors import InputError
from wallsim.experiment.keys import shown
from wallsim.rules.suggestions import did_you_mean
from wallsim.stats.group_means import Difference, GroupMean, group_means
from wallsim.stats.intervals import LEVEL, Confidence

if TYPE_CHECKING:
    import pandas as pd

_ESTIMATE = ("standard_error", "degrees_of_freedom", "low", "high")


def means_by(
    frame: pl.DataFrame | pl.LazyFrame | pd.DataFrame,
    value: str,
    by: str | Sequence[str],
    block: str = "game",
    *,
    game: str | None = None,
    level: float = LEVEL,
) -> pl.DataFrame:
    """The mean of a column in each group, with standard errors and intervals that count blocks instead of rows.

    The seats of a game share its one win, and games of one block share cards: such rows are not independent. Blocks
    must be. Intervals hold for all groups simultaneously (Bonferroni).

    Parameters
    ----------
    frame
        A polars or pandas frame with one row per observation, such as the table `seats` of a run.
    value
        The column of values: numbers, or true and false.
    by
        The column of groups, or several columns, each combination of whose values is a group.
    block
        The column of blocks: `game` for the seats of a run, `block` for a tournament, whose blocks rotate the seats.
    game
        The column of game numbers, if the table shall count games; games of two blocks may have the same number.
    level
        The probability with which all intervals hold simultaneously, between 0 and 1.

    Returns
    -------
    polars.DataFrame
        One row per group in ascending order: the columns of `by`, `mean`, `standard_error`, `degrees_of_freedom`, `low`
        and `high`, the ends of the interval, `blocks`, `games` if `game` is given, and `rows`. `low` and `high` are
        null for a group with fewer blocks than the intervals need: 30, and more for several groups.

    Raises
    ------
    InputError
        If a column is missing or has missing values, `value` is not numeric or not finite, a group has a single block,
        or the frame has no rows.

    Examples
    --------
    >>> run = wallsim.play(wallsim.Experiment(games=400))  # doctest: +SKIP
    >>> wallsim.means_by(run.scan("seats"), "win", "lineup")  # doctest: +SKIP
    """
    rows = _Rows.of(frame, value, by, block, game)
    confidence = Confidence(_checked_level(level), len(rows.means))
    shares = bool(rows.table["value"].is_between(0, 1).all())
    lines = []
    for each in rows.means:
        low, high = each.interval(confidence, shares=shares) or (None, None)
        lines.append((each.mean, each.standard_error, each.degrees_of_freedom, low, high, len(each.blocks)))
    schema = dict.fromkeys(("mean", *_ESTIMATE), pl.Float64) | {"blocks": pl.Int64}
    result = rows.groups.hstack(pl.DataFrame(lines, schema, orient="row"))
    return result.with_columns(*([] if game is None else [rows.games()]), pl.Series("rows", rows.counts()))


def differences_by(
    frame: pl.DataFrame | pl.LazyFrame | pd.DataFrame,
    value: str,
    by: str | Sequence[str],
    block: str = "game",
    *,
    baseline: object,
    level: float = LEVEL,
) -> pl.DataFrame:
    """The mean of each group minus that of a baseline group, paired by the blocks that both have.

    Luck that both groups share in a block cancels. Intervals hold for all differences simultaneously (Bonferroni).

    Parameters
    ----------
    frame, value, by, block
        As in `means_by`.
    baseline
        The group that the others are compared with: its value in the column `by`, or a tuple of one value per column.
    level
        The probability with which all intervals hold simultaneously, between 0 and 1.

    Returns
    -------
    polars.DataFrame
        One row per other group in ascending order: the columns of `by`, `difference`, `standard_error`,
        `degrees_of_freedom`, `low` and `high`, the ends of the interval, and `shared_blocks`, the number of blocks that
        both groups have. Where neither group varies there are no degrees of freedom. `low` and `high` are null for a
        group with fewer blocks than the intervals need, and where all blocks differ by the same amount.

    Raises
    ------
    InputError
        As `means_by`, and if `baseline` is not a group, or the only one.

    Examples
    --------
    >>> run = wallsim.play(wallsim.Experiment(games=400))  # doctest: +SKIP
    >>> wallsim.differences_by(run.scan("seats"), "vp", "lineup", baseline="A")  # doctest: +SKIP
    """
    rows = _Rows.of(frame, value, by, block, None)
    place = rows.place_of(baseline)
    others = [number for number in range(len(rows.means)) if number != place]
    if not others:
        raise InputError(f"baseline: {shown(baseline)} is the only group; allowed are two groups or more")
    confidence = Confidence(_checked_level(level), len(others))
    lines = []
    for number in others:
        each = Difference(rows.means[number], rows.means[place])
        low, high = each.interval(confidence) or (None, None)
        lines.append((each.value, each.standard_error, each.degrees_of_freedom, low, high, each.shared_blocks))
    schema = dict.fromkeys(("difference", *_ESTIMATE), pl.Float64) | {"shared_blocks": pl.Int64}
    table = pl.DataFrame(lines, schema, orient="row").with_columns(pl.col("degrees_of_freedom").fill_nan(None))
    return rows.groups[others].hstack(table)


@dataclass(frozen=True)
class _Rows:
    """Checked rows, sorted by group, block and value, with the numbers of their groups; the groups and their means."""

    table: pl.DataFrame
    of_row: np.ndarray
    groups: pl.DataFrame
    means: Sequence[GroupMean]

    @classmethod
    def of(cls, frame: object, value: str, by: str | Sequence[str], block: str, game: str | None) -> _Rows:
        columns = [by] if isinstance(by, str) else list(by)
        if not columns or len(set(columns)) < len(columns):
            raise InputError(f"by: {shown(columns)} is given; allowed is one column or more, each once")
        named = [("value", value), *(("by", name) for name in columns), ("block", block)]
        given = _selected(frame, named if game is None else [*named, ("game", game)])
        keys = [f"by {number}" for number in range(len(columns))]  # a column may have several parts
        # Sorted before adding up: sums in another order would differ in their last digit.
        table = given.select(
            *(pl.col(name).alias(key) for name, key in zip(columns, keys, strict=True)),
            pl.col(block).alias("block"),
            _numbers(given, value).alias("value"),
            *([] if game is None else [pl.col(game).alias("game")]),
        ).sort(*keys, "block", "value")
        of_row = table.select(pl.struct(keys).rle_id()).to_series().to_numpy().astype(np.int64)
        groups = table.select(keys).unique(maintain_order=True).rename(dict(zip(keys, columns, strict=True)))
        blocks = (table["block"].rank("dense") - 1).to_numpy().astype(np.int64)
        single = [group for group, number in zip(groups.rows(), _distinct(of_row, blocks), strict=True) if number < 2]
        if single:
            raise InputError(
                f"block: the group {_group_name(single[0])} has a single block of column {block}; "
                "a standard error needs two or more"
            )
        return cls(table, of_row, groups, group_means(of_row, blocks, table["value"].to_numpy()))

    def counts(self) -> np.ndarray:
        """The number of rows of each group, int64."""
        return np.bincount(self.of_row)

    def games(self) -> pl.Series:
        """The number of games of each group; a game is named by its block and its number."""
        games = self.table.select(pl.struct("block", "game").rank("dense")).to_series().to_numpy()
        return pl.Series("games", _distinct(self.of_row, games.astype(np.int64)))

    def place_of(self, baseline: object) -> int:
        """The number of the group that is the baseline."""
        wanted = baseline if isinstance(baseline, tuple) else (baseline,)
        groups = self.groups.rows()
        if wanted not in groups:
            names = [_group_name(group) for group in groups]
            listed = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
            raise InputError(f"baseline: {shown(baseline)} is not a group; allowed are {listed}")
        return groups.index(wanted)


def _distinct(of_row: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """How many different numbers each group has, int64 [groups]."""
    pairs = np.unique(np.column_stack((of_row, numbers)), axis=0)
    return np.bincount(pairs[:, 0])


def _selected(frame: object, named: Sequence[tuple[str, Any]]) -> pl.DataFrame:
    """The columns that arguments name, as a polars frame; InputError if one is missing or has missing values."""
    pandas = sys.modules.get("pandas")
    lazy = isinstance(frame, pl.LazyFrame)
    if not lazy and not isinstance(frame, pl.DataFrame) and not (pandas and isinstance(frame, pandas.DataFrame)):
        raise InputError(f"frame: {type(frame).__name__} is given; allowed is a polars or pandas frame")
    there: list[Any] = frame.collect_schema().names() if lazy else list(frame.columns)  # type: ignore[attr-defined]
    for argument, name in named:
        if not isinstance(name, str) or there.count(name) != 1:
            number = "several columns" if there.count(name) else "no column"
            close = did_you_mean(name, [each for each in there if isinstance(each, str)])
            raise InputError(f"{argument}: the frame has {number} {shown(name)}{close}")
        if argument == "by" and name in _RESULTS:
            raise InputError(f"by: {name} is the name of a column of the result; rename it")
    table = _as_polars(frame, list(dict.fromkeys(name for _, name in named)))
    if not table.height:
        raise InputError("frame: there are no rows; at least two blocks are required")
    for argument, name in named:
        column = table[name]
        missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
        if missing.any():
            raise InputError(
                f"{argument}: column {name} has {missing.sum():,} missing values, the first in row "
                f"{missing.arg_max()}; drop these rows, or fill them"
            )
    return table


_RESULTS = ("mean", "difference", *_ESTIMATE, "blocks", "shared_blocks", "games", "rows")


def _as_polars(frame: Any, names: list[str]) -> pl.DataFrame:
    if isinstance(frame, pl.LazyFrame):
        return frame.select(names).collect()
    if isinstance(frame, pl.DataFrame):
        return frame.select(names)
    try:
        return pl.from_pandas(frame[names])
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise InputError(f"frame: {', '.join(names)}: a column has values of several types ({error})") from None


def _numbers(table: pl.DataFrame, value: str) -> pl.Expr:
    kind = table.schema[value]
    if not (kind.is_numeric() or kind == pl.Boolean):
        raise InputError(f"value: column {value} has the type {kind}; allowed are numbers, or true and false")
    numbers = table[value].cast(pl.Float64)
    if not numbers.is_finite().all():
        raise InputError(f"value: column {value} is infinite in row {(~numbers.is_finite()).arg_max()}")
    return pl.col(value).cast(pl.Float64)


def _checked_level(level: float) -> float:
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise InputError(f"level: {shown(level)} is out of range (between 0 and 1)")
    return float(level)


def _group_name(group: tuple[Any, ...]) -> str:
    return shown(group[0] if len(group) == 1 else list(group))
