"""Commands for boards: check a board folder, draw a map."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped, options_of
from wallsim.cli.options import AsJson, Picture
from wallsim.cli.output import BAD_INPUT, print_document, refuse
from wallsim.cli.terminal_output import echo
from wallsim.errors import listed
from wallsim.escaping import in_shell

if TYPE_CHECKING:
    from wallsim.report.figures.county_scale import ScaleName
    from wallsim.report.map.document import MapProblem

board_app = typer.Typer(help="Check a custom board, or draw the map of one.", no_args_is_help=True)
app.add_typer(board_app, name="board")


@board_app.command("check")
@grouped
def check_board_folder(folder: Path, *, as_json: AsJson = False) -> None:
    """List all errors of a board folder. Each has its file, line and column, or the field of the map.

    The map, map.json, is optional, and its errors do not keep a board from being played.

    Options
    -------
    folder DIR: A board folder.
    """
    from wallsim.rules.board_check import check_board

    tables = check_board(folder)
    drawn = _map_errors(folder)
    errors = [*tables, *drawn]
    if as_json:
        print_document(
            {
                "folder": str(folder),
                "faults": [{"file": f.file, "line": f.line, "column": f.column, "text": f.text} for f in errors],
            }
        )
        raise typer.Exit(BAD_INPUT if errors else 0)
    if errors:
        count = f"{len(errors)} error{'s' if len(errors) != 1 else ''}"
        playable = (
            [] if tables else ["The board can be played; only its map cannot be drawn. Correct or remove map.json."]
        )
        refuse("\n".join([f"{folder}: {count}", *listed(errors), *playable]))
    echo(f"{folder}: no errors; use it with --board {in_shell(folder)}")


def _map_errors(folder: Path) -> list[MapProblem]:
    if not (folder / "map.json").exists():
        return []  # without loading what reads maps
    from wallsim.report.map.board_map import check_map

    return check_map(folder)


@dataclass(frozen=True, kw_only=True)
class Values:
    """The numbers that colour a map, and how.

    Options
    -------
    values FILE.csv: A number by county; without it counties are coloured by region.
    column NAME: The column of the numbers.  [default: the only one]
    unit TEXT: Unit of the values.  [default: the column]
    scale sequential|diverging: Colours from low to high, or from 0 both ways.
    numbers: Print each number below its county's name.
    """

    values: Path | None = None
    column: str | None = None
    unit: str | None = None
    scale: str = "sequential"
    numbers: bool = False


@board_app.command("map")
@grouped
def draw_board_map(
    folder: Path | None = None,
    *,
    out: Picture,
    shown: Values = options_of(Values),
    title: str = "",
    note: str = "",
    narrow: bool = False,
) -> None:
    """Draw the map of a board. The numbers of a CSV file colour its counties.

    The file has a column `county` and a column of numbers; a county without a number is hatched. A board without a
    map.json of its own is drawn on that of the game if its counties, regions and borders are the same.

    Options
    -------
    folder [DIR]: A board folder.  [default: the board of the game]
    out FILE: The .png, .svg or .pdf file to draw.
    title TEXT: Title of the map.
    note TEXT: A line below the map, such as its source.
    narrow: 390 pixels wide, for a telephone.
    """
    from wallsim.report.map.board_map import load_map
    from wallsim.report.map.values_file import read_values
    from wallsim.rules.board_check import board_name, read_contents
    from wallsim.rules.other_settings import other_settings

    for flag, given in (("--column", shown.column), ("--unit", shown.unit), ("--numbers", shown.numbers or None)):
        if given is not None and shown.values is None:
            refuse(f"{flag}: needs the numbers of --values FILE.csv")
    board_map = load_map(folder)
    if board_map is None:
        refuse(
            f"{folder}: has no map.json, and its counties or borders are not those of the game's map; add a map.json"
        )
    result = None if shown.values is None else read_values(shown.values, shown.column, list(board_map.counties))
    own = [] if folder is None else other_settings({"board": read_contents(folder).digest}, board_name(folder))
    title = ": ".join(filter(None, [*own, title]))  # the map of a board of one's own says which it is
    from wallsim.report.figures.county_map import county_map
    from wallsim.report.figures.style import save_picture

    unit = shown.unit if shown.unit is not None else "" if result is None else result.column
    figure = county_map(
        None if result is None else result.numbers,
        title=title, unit=unit, note=note, scale=cast("ScaleName", shown.scale), numbers=shown.numbers,
        width="narrow" if narrow else "wide", board_map=board_map,
    )  # fmt: skip
    save_picture(figure, out, colours=None)
    echo(f"Wrote {out}.", err=True)
