"""Columns that a run with `columns = "lean"` lacks, for analyses that need them."""

from __future__ import annotations

from wallsim.engine.columns import columns_of
from wallsim.errors import InputError
from wallsim.runs.folder.results import Run


def is_lean(run: Run) -> bool:
    """Whether a run wrote only some columns of its tables."""
    return "columns" in run.identity


def refuse_lean(run: Run, table: str, *names: str) -> None:
    """InputError that lists those of these columns of a table that the run did not write because it is lean."""
    if not is_lean(run):
        return
    choice = run.identity["columns"]
    written = columns_of(table, run.expansions, choice)
    lacking = {column.name for column in columns_of(table, run.expansions) if column not in written}
    if missing := [name for name in names if name in lacking]:
        raise InputError(
            f'{run.folder}: {table} lacks {", ".join(missing)}, since the run has columns = "{choice}"; '
            'play it with columns = "all" into another folder'
        )
