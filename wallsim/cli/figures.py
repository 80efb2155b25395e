"""The command that shows published figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import AsJson
from wallsim.cli.output import print_document, refuse, write_output
from wallsim.errors import InputError

if TYPE_CHECKING:
    import polars as pl

_SHOWN = ("id", "value", "interval", "unit", "n", "quantity")


@app.command()
def figures(
    pattern: Annotated[
        str | None,
        typer.Argument(metavar="PATTERN", help="A study, the beginning of ids, or a pattern such as '*.claim.*'."),
    ] = None,
    as_json: AsJson = False,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="FILE", help="Write them as a Parquet file instead.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """Show published figures: the register of every number that a page of the studies shows.

    Each has a stable id, its interval, its sample size, and its conditions: players, play, tower, set-up, moment,
    seed, engine version and the digest of its design.
    """
    from wallsim.studies.published import figures as read

    if sum((as_json, markdown, parquet is not None)) > 1:
        refuse("--json, --parquet, --markdown: give one of them")
    try:
        result = read(pattern)
    except InputError as error:
        refuse(str(error))
    if parquet is not None:
        _write(result, parquet)
    elif as_json:
        print_document({"figures": result.to_dicts()})
    elif markdown:
        from wallsim.markdown import literal, markdown_table

        rows = [tuple(map(literal, row)) for row in _rows(result)]
        write_output(markdown_table(_SHOWN, rows) + "\n", None)
    else:
        lines = [f"{key}\n    {_in_words(*rest)}\n" for key, *rest in _rows(result)]
        write_output("".join(lines), None)


def _rows(result: pl.DataFrame) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for row in result.iter_rows(named=True):
        known = row["low"] is not None
        interval = f"{row['low']:.4g} to {row['high']:.4g}, one of {row['family']:,}" if known else ""
        sample = "" if row["n"] is None else f"{row['n']:,} {row['n_unit']}"
        value = "" if row["value"] is None else f"{row['value']:.6g}"
        rows.append((row["id"], value, interval, row["unit"], sample, row["quantity"]))
    return rows


def _in_words(value: str, interval: str, unit: str, sample: str, quantity: str) -> str:
    ends = f" ({interval})" if interval else ""
    return f"{value}{ends} {unit}{f', {sample}' if sample else ''}: {quantity}"


def _write(result: pl.DataFrame, path: Path) -> None:
    import io

    from wallsim.runs.folder.commit import write_whole

    data = io.BytesIO()
    result.write_parquet(data)
    try:
        write_whole(path, data.getvalue())
    except OSError as error:
        refuse(f"--parquet: {path} cannot be written: {error.strerror}")
