"""Joining the tables of several scenarios, whose lists of names and columns may differ."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

SCENARIO = "scenario"


def joined(frames: Mapping[str, pl.LazyFrame]) -> pl.LazyFrame:
    """The frames one after the other, with their names in a first column; a column that a frame lacks is null there.

    An Enum that differs between frames gets the names of all, in the order in which they first appear.
    """
    schemas = {name: frame.collect_schema() for name, frame in frames.items()}
    kinds: dict[str, pl.DataType] = {}
    for schema in schemas.values():
        for column, kind in schema.items():
            kinds[column] = _common(kinds.get(column, kind), kind)
    names = pl.Enum(list(frames))
    parts = [
        frame.select(
            pl.lit(name, names).alias(SCENARIO),
            *(pl.col(column).cast(kinds[column]) for column in schemas[name]),
        )
        for name, frame in frames.items()
    ]
    return pl.concat(parts, how="diagonal")


def _common(one: pl.DataType, other: pl.DataType) -> pl.DataType:
    if isinstance(one, pl.Enum) and isinstance(other, pl.Enum) and one != other:
        return pl.Enum(list(dict.fromkeys([*one.categories, *other.categories])))
    return one
