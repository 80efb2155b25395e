"""The register of figures as a table: every published figure of every study, read without playing anything."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from pathlib import Path

import polars as pl

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, short
from wallsim.rules.files import data_folder
from wallsim.rules.suggestions import did_you_mean
from wallsim.studies.figure import Figure
from wallsim.studies.register import ROOM, read_register, register_file
from wallsim.studies.shared_columns import KINDS
from wallsim.studies.shared_files import read_carried, read_played

_LONGEST = 200  # characters of a pattern, whose translation takes the square
_WILD = re.compile(r"[*?\[]")
SCHEMA = {name: {int: pl.Int64, float: pl.Float64, str: pl.String}[kind] for name, kind in KINDS.items()}


def published_studies() -> tuple[str, ...]:
    """The names of the studies that the register has, in alphabetical order; none without a register."""
    try:
        folder = data_folder(ROOM)
    except FileNotFoundError:
        return ()
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def engine_errors(study: str, path: Path | None = None) -> list[str]:
    """A line if the figures of a study, or of its file at `path`, were neither played by this engine nor carried to it.

    InputError if they cannot be read.
    """
    path = register_file(study) if path is None else path
    played, carried = read_played(study, path.parent)["engine"], read_carried(study, path.parent)
    if ENGINE_VERSION in (played, carried and carried.engine):
        return []
    known = f"engine version {played}{f', carried to {carried.engine}' if carried else ''}"
    return [f"data/figures/{study}.toml: played: {known}; the engine has {ENGINE_VERSION}; `wallsim study {study} "
            "--carry` compares them"]  # fmt: skip


def refuse_other_engines(studies: Iterable[str]) -> None:
    """InputError for published figures that were neither played by this engine nor carried to it."""
    if errors := [error for study in studies for error in engine_errors(study)]:
        raise InputError(errors)


def figures(pattern: str | None = None) -> pl.DataFrame:
    """The published figures as a polars DataFrame, one row each, by study and in the order of its page.

    Parameters
    ----------
    pattern
        Which ids: a study or the beginning of ids such as "price" or "lineups.wins.4p", or a pattern with `*` and `?`
        such as "*.claim.*/draft"; all figures by default.

    Returns
    -------
    polars.DataFrame
        The columns are those of the register: id, quantity, unit, players, play, tower, setup, moment, value, low,
        high, error, level, family, n, n_unit, null, pairing, seed, engine, digest. What there is none of is null.

    Raises
    ------
    InputError
        If no id matches, a file of the register is damaged, or its figures are of another engine version and were not
        carried to this one.
    """
    if pattern == "":
        raise InputError("figures: no id matches an empty pattern; leave it out for all figures")
    if pattern is not None and len(pattern) > _LONGEST:
        raise InputError(f"figures: {short(pattern)!r} has {len(pattern):,} characters; ids have up to {_LONGEST}")
    studies = published_studies()
    head = "" if pattern is None else re.split(r"[.*?\[]", pattern, maxsplit=1)[0]
    wanted = [name for name in studies if name.startswith(head)] if head else list(studies)
    refuse_other_engines(wanted)
    rows = [figure for name in wanted for figure in read_register(name).values()]
    if pattern is not None:
        fits = matcher(pattern).match
        rows = [figure for figure in rows if fits(figure.id)]
    if not rows and pattern is not None:
        raise InputError(f"figures: no id matches {pattern!r}; the studies are {', '.join(studies) or 'none'}"
                         f"{did_you_mean(head, studies)}")  # fmt: skip
    return table_of(rows)


def table_of(rows: Iterable[Figure]) -> pl.DataFrame:
    """Figures as a polars DataFrame with the columns of `figures`, one row each."""
    table = pl.DataFrame([vars(row) for row in rows], schema=SCHEMA)
    numbers = [name for name, kind in SCHEMA.items() if kind == pl.Float64]
    texts = ("play", "tower", "setup", "moment", "n_unit")
    return table.with_columns(
        pl.col(numbers).fill_nan(None),
        *(pl.when(pl.col(name) != "").then(pl.col(name)).alias(name) for name in texts),
        *(pl.when(pl.col(name) != 0).then(pl.col(name)).alias(name) for name in ("players", "n")),
    )


def matcher(pattern: str) -> re.Pattern[str]:
    """The expression that matches the ids of a pattern: with `*` and `?` all of an id, else up to a full part of it."""
    if _WILD.search(pattern):
        return re.compile(translate(pattern))
    return re.compile(re.escape(pattern) + ("" if pattern[-1:] in (".", "/", "@") else r"(?=[./@]|\Z)"))
