"""The command that writes the strategy report, and a page on a run, a tournament or scenarios."""

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

_PAGES = "wallsim.analyses.strategy_report.pages"  # a study's neighbour, loaded when it is needed
_REPORT, _PAGE = Path("results/report"), Path("results/report.html")


@app.command()
def report(
    folder: Annotated[
        Folder | None,
        typer.Argument(metavar="FOLDER", parser=folder_of, help="Of a run, tournament or scenarios: a page on it."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", parser=on_disk, help=f"Default: the folder {_REPORT}, for a FOLDER the file {_PAGE}."
        ),
    ] = None,
    language: Annotated[
        str, typer.Option("--lang", metavar="en|de", help="Language of titles, labels and the page to print.")
    ] = "en",
    cards: Annotated[
        bool, typer.Option("--cards", help="Also a picture of each finding for sharing, in cards/.")
    ] = False,
    url: Annotated[
        str,
        typer.Option(
            "--url", metavar="ADDRESS", help="Where the folder will be on the web, for the link to its picture."
        ),
    ] = "",
) -> None:
    """Write the strategy report, or a page on a folder. The report says what wins, with a sheet to print and the
    counties, from the register of figures.

    Nothing is played. The pages need no network and no other file: open index.html, print tonight.html, draft with
    counties.html. The folder data/ has every figure as CSV, Parquet and JSON, pictures/ the charts. For a FOLDER one
    page says who wins its games, or what its scenarios change, and what that rests on.
    """
    for option, given in {"--lang": language != "en", "--cards": cards, "--url": bool(url)}.items():
        if folder is not None and given:
            refuse(f"{option}: is for the strategy report, not for a page on a FOLDER")
    out = out or (_REPORT if folder is None else _PAGE)
    try:
        if folder is None:
            from wallsim.report.progress import counted
            from wallsim.report.tables.console import make_console

            with counted(make_console(to_stderr=True), "chapters") as watch:
                import_module(_PAGES).write_report(out, language, with_cards=cards, url=url, watch=watch)
            echo(escaped_line(f"Open {out / 'index.html'}"))
        else:
            from wallsim.report.html.folder import folder_page
            from wallsim.report.html.sheets import check_page_name, write_page

            check_page_name(out, "--out")  # before anything is read
            write_page(folder_page(folder), out, "--out")
            echo(escaped_line(f"Open {out}"))
    except InputError as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"--out: {out}: cannot be written: {error.strerror}")
