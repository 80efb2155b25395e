"""The command that writes the strategy report, and a page on a run."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import Folder, on_disk
from wallsim.cli.output import refuse
from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError
from wallsim.escaping import escaped_line
from wallsim.runs.folder.address import folder_of

_FILES = "wallsim.analyses.strategy_report.files"  # a study's neighbour, loaded when it is needed
_REPORT, _PAGE = Path("results/report"), Path("results/report.html")


@app.command()
def report(
    run: Annotated[
        Folder | None,
        typer.Argument(metavar="RUN", parser=folder_of, help="A run folder: a page on its games instead."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", parser=on_disk, help=f"Default: the folder {_REPORT}, for a run the file {_PAGE}."
        ),
    ] = None,
) -> None:
    """Write the strategy report: what wins, a page to print, and the counties, from the register of figures.

    Nothing is played. The pages need no network and no other file: open index.html, print tonight.html, draft with
    counties.html. The folder data/ has every figure as CSV, Parquet and JSON. For a RUN one page says who wins its
    games, where points come from, and what that rests on.
    """
    files = import_module(_FILES)
    out = out or (_REPORT if run is None else _PAGE)
    try:
        if run is None:
            files.write_report(out)
            echo(escaped_line(f"Open {out / 'index.html'}"))
        else:
            from wallsim.runs.folder.results import open_run

            files.write_run_page(open_run(run), out)
            echo(escaped_line(f"Open {out}"))
    except InputError as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"--out: {out}: cannot be written: {error.strerror}")
