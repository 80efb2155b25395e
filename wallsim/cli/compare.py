"""The command that compares two runs game by game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.games import refuse_pictures
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, Folder, on_disk
from wallsim.cli.output import print_document, refuse, screen, show_page
from wallsim.folder.address import folder_of
from wallsim.folder.results import Run


@app.command()
@grouped
def compare(
    first: Annotated[
        Folder, typer.Argument(metavar="A", parser=folder_of, help="A run folder, or alone a folder of scenarios.")
    ],
    second: Annotated[
        Folder | None,
        typer.Argument(
            metavar="[B]",
            parser=folder_of,
            help="A run folder of the same seed and number of players.",
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="N|LETTER|turn",
            help="Treated seat: its number, its line-up, or turn (the game number modulo the players).",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(metavar="seat|lineup|round|standing", help="Split the games, or without --seat the seats."),
    ] = None,
    moment: Annotated[
        str | None,
        typer.Option(
            "--round",
            metavar="ROUND|turn",
            help='Round of the change, such as "spring 1", or turn; --by standing splits by the standing before it.',
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME...]", help="Columns of `seats`, or with --by round of `seasons`."),
    ] = None,
    adjust: Annotated[
        str,
        typer.Option(metavar="holm|bh", help="Adjust p-values by Holm, or by Benjamini and Hochberg."),
    ] = "holm",
    intervals: Annotated[
        str,
        typer.Option(
            metavar="bonferroni|bootstrap",
            help="Simultaneous intervals by Bonferroni's correction, or by the block bootstrap.",
        ),
    ] = "bonferroni",
    to: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The scenario that all others are compared with.  [default: the first]"),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the changes into a .png, .svg or .pdf file.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", parser=on_disk, help="Write a page of HTML instead.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two runs of the same games, or scenarios. It prints what changed from A to B, with intervals.

    Games of the same number and seed share cards and chance, so they are compared in pairs. A folder of scenarios alone
    compares all of them with one, by line-up or seat; the intervals of wins and points hold simultaneously.
    """
    refuse_pictures(plot)
    from wallsim.experiment.keys import shown

    if adjust not in ("holm", "bh"):
        refuse(f"--adjust: {shown(adjust)} is not one of holm, bh")
    if page is not None:
        from wallsim.report.html.sheets import check_page_name

        check_page_name(page, "--html")
        if as_json:
            refuse("--html: cannot be combined with --json")
    from wallsim.analysis.contrasts import comparison
    from wallsim.analysis.contrasts.comparison import RESAMPLES, check_intervals
    from wallsim.analysis.contrasts.pairing import paired_runs

    chosen = None if columns is None else tuple(name.strip() for name in columns.split(","))
    if second is None:
        given = {
            "--seat": seat,
            "--by": by,
            "--round": moment,
            "--plot": plot,
            "--intervals": intervals != "bonferroni",
        }
        unfit = [name for name, value in given.items() if value]
        _compare_scenarios(first, to, chosen, adjust, unfit, page, as_json=as_json)
        return
    if to is not None:
        refuse("--to: is for a folder of scenarios alone")
    check_intervals(intervals, RESAMPLES, 0)  # before the folders are read
    pairing = paired_runs(Run.open(first), Run.open(second))
    result = comparison.compare(pairing, seat, by, moment, chosen, intervals=intervals)
    if page is not None:
        from wallsim.report.html.comparison import comparison_page

        show_page(comparison_page(result, adjust), page, "--html")
    elif as_json:
        from wallsim.report.tables.contrasts import comparison_document

        print_document(comparison_document(result, adjust))
    else:
        from wallsim.report.tables.contrasts import print_comparison

        print_comparison(screen(), result, adjust)
    if plot is not None:
        from wallsim.cli.run_output import save_axes
        from wallsim.report.figures.forest import changes

        save_axes(changes(result), plot)


def _compare_scenarios(
    folder: Folder, to: str | None, columns: tuple[str, ...] | None, adjust: str, given: list[str],
    page: Path | None, *, as_json: bool,
) -> None:  # fmt: skip
    from wallsim.analysis.contrasts.scenarios import compare_scenarios
    from wallsim.folder.scenarios import Scenarios, holds_scenarios

    if not holds_scenarios(folder):
        refuse(f"{folder}: contains no scenarios; give a second folder to compare two runs")
    if given:
        refuse(
            f"{given[0]}: is for two runs; with a folder of scenarios --to, --columns, --adjust, --html and --json are "
            "allowed"
        )
    result = compare_scenarios(Scenarios.open(folder), to, columns)
    if page is not None:
        from wallsim.report.html.comparison import scenarios_page

        show_page(scenarios_page(result, folder, adjust), page, "--html")
    elif as_json:
        from wallsim.report.tables.contrasts import scenarios_document

        print_document(scenarios_document(result, adjust))
    else:
        from wallsim.report.tables.contrasts import print_scenarios

        print_scenarios(screen(), result, adjust)
