"""The command that writes the strategy report, and a page on a run, a tournament or scenarios."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import OnDisk, Place, experiment_options
from wallsim.cli.output import counted, refuse, show_page
from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError
from wallsim.escaping import escaped_line

# Neighbours of studies, loaded when they are needed.
_PAGES, _SHEET = (f"wallsim.analyses.strategy_report.{name}" for name in ("pages", "group_sheet"))
_REPORT, _PAGE, _TONIGHT = (Path("results", name) for name in ("report", "report.html", "tonight.html"))


@app.command()
@grouped
def report(
    folder: Place | None = None,
    *,
    out: OnDisk | None = None,
    lang: str = "en",
    cards: bool = False,
    url: str = "",
    keys: dict[str, Any] = experiment_options("players", "expansions"),
) -> None:
    """Write the report, a group's sheet, or a folder's page. The report says what wins, with sheets to print and the
    counties, from the register of figures.

    Nothing is played. The pages need no network and no other file: open index.html, print tonight.html, draft with
    counties.html. The folder data/ has every figure as CSV, Parquet and JSON, pictures/ the charts.

    With --players or --expansions one sheet to print is written for that group: how unfair its line-ups are, which
    fixes help, bids, tips, and what its expansions do.

    For a FOLDER one page says who wins its games, or what its scenarios change, and what that rests on.

    Options
    -------
    folder FOLDER: Of a run, tournament or scenarios: a page on it.
    out PATH: Default: the folder results/report; the file results/report.html for a FOLDER, results/tonight.html for a
      group.
    lang en|de: Language of titles, labels and pages to print.
    cards: Also a picture of each finding for sharing, in cards/.
    url ADDRESS: Where the folder will be on the web, for the link to its picture.
    """
    group = [f"--{name}" for name, given in keys.items() if given is not None]
    own = [name for name, given in {"--cards": cards, "--url": bool(url)}.items() if given]
    if folder is not None:
        for option in (*(["--lang"] if lang != "en" else []), *own, *group):
            refuse(f"{option}: is for the strategy report, not for a page on a FOLDER")
    for option in own if group else ():
        refuse(f"{option}: is for the whole strategy report, not for the sheet of {' and '.join(group)}")
    out = out or (_PAGE if folder is not None else _TONIGHT if group else _REPORT)
    try:
        if group:
            from wallsim.play.flags import experiment_of
            from wallsim.report.html.sheets import check_page_name, write_page

            check_page_name(out, "--out")
            experiment = experiment_of(None, keys)
            page = import_module(_SHEET).written_sheet(experiment.players, experiment.expansions, lang)
            write_page(page, out, "--out")
            echo(escaped_line(f"Print {out}"))
        elif folder is None:
            with counted("chapters") as watch:
                import_module(_PAGES).write_report(out, lang, with_cards=cards, url=url, watch=watch)
            echo(escaped_line(f"Open {out / 'index.html'}"))
        else:
            from wallsim.report.html.folder import folder_page
            from wallsim.report.html.sheets import check_page_name

            check_page_name(out, "--out")  # before anything is read
            show_page(folder_page(folder), out, "--out")
    except InputError as error:
        refuse(str(error))
    except OSError as error:
        refuse(f"--out: {out}: cannot be written: {error.strerror}")
