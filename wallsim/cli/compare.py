"""The command that compares two runs game by game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.games import refuse_pictures
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, Folder
from wallsim.cli.output import print_document, refuse
from wallsim.runs.folder.address import folder_of


@app.command()
@grouped
def compare(
    first: Annotated[Folder, typer.Argument(metavar="A", parser=folder_of, help="A run folder.")],
    second: Annotated[
        Folder,
        typer.Argument(metavar="B", parser=folder_of, help="A run folder of the same seed and number of players."),
    ],
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
            help="Intervals hold together by Bonferroni, or by the largest deviation of resampled games.",
        ),
    ] = "bonferroni",
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw the changes into a .png, .svg or .pdf file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two runs of the same games: what changed from A to B, with intervals.

    Games of the same number and seed share their luck, so the difference of each is taken.
    """
    refuse_pictures(plot)
    from wallsim.runs.quotation import shown

    if adjust not in ("holm", "bh"):
        refuse(f"--adjust: {shown(adjust)} is not one of holm, bh")
    from wallsim.analysis.contrasts import comparison
    from wallsim.analysis.contrasts.pairing import paired_runs
    from wallsim.analysis.contrasts.simultaneous import RESAMPLES, check_intervals
    from wallsim.runs.folder.results import open_run

    chosen = None if columns is None else tuple(name.strip() for name in columns.split(","))
    check_intervals(intervals, RESAMPLES, 0)  # before the folders are read
    pairing = paired_runs(open_run(first), open_run(second))
    result = comparison.compare(pairing, seat, by, moment, chosen, intervals=intervals)
    if plot is not None:
        from wallsim.cli.run_output import save_axes
        from wallsim.report.figures.contrasts import changes

        save_axes(changes(result), plot)
    if as_json:
        from wallsim.report.contrast_document import comparison_document

        print_document(comparison_document(result, adjust))
    else:
        from wallsim.report.tables.console import make_console
        from wallsim.report.tables.contrasts import print_comparison

        print_comparison(make_console(), result, adjust)
