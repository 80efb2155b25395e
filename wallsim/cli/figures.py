"""The command that shows published figures."""

from __future__ import annotations

from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from wallsim.cli.app import app
from wallsim.cli.option_groups import Ends, grouped
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document, refuse, write_output

if TYPE_CHECKING:
    import polars as pl

_SHOWN = ("id", "value", "interval", "unit", "n", "quantity")


@app.command()
@grouped
def figures(
    pattern: str | None = None,
    *,
    as_json: AsJson = False,
    parquet: Annotated[Path | None, Ends((".parquet",))] = None,
    markdown: bool = False,
) -> None:
    """Print published numbers with their intervals. The register has every number that a page of the studies shows.

    Each has a stable id, its interval, its sample size, and its conditions: players, play, tower, set-up, moment,
    seed, engine version and the digest of its design.

    Options
    -------
    pattern PATTERN: A study, the beginning of ids, or a pattern such as '*.claim.*'.
    parquet FILE: Write them as a Parquet file, .parquet, instead.
    markdown: Print a Markdown table.
    """
    from wallsim.studies.published import figures as read

    if sum((as_json, markdown, parquet is not None)) > 1:
        refuse("--json, --parquet, --markdown: give one of them")
    result = read(pattern)
    if parquet is not None:
        _write(result, parquet)
    elif as_json:
        print_document({"figures": result.to_dicts()})
    elif markdown:
        from wallsim.markdown import literal, markdown_table

        rows = [tuple(map(literal, _markdown_row(row))) for row in result.iter_rows(named=True)]
        write_output(markdown_table(_SHOWN, rows) + "\n", None)
    else:
        write_output("".join(map(_in_words, result.iter_rows(named=True))), None)


def _markdown_row(row: dict[str, Any]) -> tuple[str, ...]:
    interval = ", ".join(filter(None, (_ends(row), _family(row))))
    return row["id"], _value(row), interval, row["unit"], _sample(row), row["quantity"]


def _in_words(row: dict[str, Any]) -> str:
    """The number first, or its limit if the register has no more; then its interval, its sample and its meaning."""
    value = _value(row)
    number, ends = (value, _ends(row)) if value else (_ends(row), "")
    known = ", ".join(filter(None, (ends, _family(row))))
    parts = (f"{number} {row['unit']}{f' ({known})' if known else ''}", _sample(row))
    return f"{row['id']}\n    {', '.join(filter(None, parts))}: {row['quantity']}\n"


def _value(row: dict[str, Any]) -> str:
    return "" if row["value"] is None else f"{row['value']:.6g}"


def _ends(row: dict[str, Any]) -> str:
    low, high = (None if end is None or isinf(end) else f"{end:.4g}" for end in (row["low"], row["high"]))
    if low and high:
        return f"{low} to {high}"
    return f"at least {low}" if low else f"at most {high}" if high else ""


def _family(row: dict[str, Any]) -> str:
    """Which interval the ends are of: alone or one of several that hold simultaneously."""
    if not _ends(row):
        return ""
    level, family = f"{100 * row['level']:g} %", row["family"]
    return f"{level} interval" if family == 1 else f"one of {family:,} simultaneous {level} intervals"


def _sample(row: dict[str, Any]) -> str:
    return "" if row["n"] is None else f"{row['n']:,} {row['n_unit']}"


def _write(result: pl.DataFrame, path: Path) -> None:
    import io

    from wallsim.folder.commit import write_whole

    data = io.BytesIO()
    result.write_parquet(data)
    try:
        write_whole(path, data.getvalue())
    except OSError as error:
        refuse(f"--parquet: {path} cannot be written: {error.strerror}")
