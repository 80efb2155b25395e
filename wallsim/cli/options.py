"""Options shared by several commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wallsim.cli.completion import complete_expansions, complete_policies, complete_switches, complete_towers
from wallsim.errors import InputError
from wallsim.runs.folder.address import disk_folder, folder_of

if TYPE_CHECKING:
    from wallsim.runs.folder.address import Folder as Folder
else:
    Folder = str  # typer takes no unions; `folder_of` makes a path or an address of the text


def on_disk(text: str) -> Path:
    """The path of a folder; an address is refused."""
    try:
        return disk_folder(text)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


File = Annotated[Path | None, typer.Argument(metavar="EXPERIMENT.toml", help="An experiment file, instead of options.")]
Players = Annotated[str | None, typer.Option(metavar="N", help="Number of players: 3, 4 or 5.  [default: 4]")]
Setup = Annotated[
    str | None, typer.Option(metavar="lineup|draft", help="Set-up: printed line-ups or a draft.  [default: lineup]")
]
Lineups = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Line-up of each seat, in seat order.  [default: A,B,C,...]")
]
Edition = Annotated[str | None, typer.Option(metavar="2e|1e", help="Second or first edition.  [default: 2e]")]
Expansions = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME...]|all",
        help="Any of court, landsknechte, leaders; or all.  [default: none]",
        autocompletion=complete_expansions,
    ),
]
Policies = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME...]",
        help="One for all seats, or one per seat: names (see `wallsim policies`) or .toml and .py files.",
        autocompletion=complete_policies,
    ),
]
CheckPolicies = Annotated[
    bool,
    typer.Option(
        "--check-policies",
        help="Also check that custom policies change nothing, raise nothing, move where they must, stay within bounds, "
        "and look at nothing hidden.",
    ),
]
TrustCode = Annotated[
    bool,
    typer.Option("--trust-code", help="Run the Python policies that a file or a folder names; read them first."),
]
Games = Annotated[str | None, typer.Option(metavar="N", help="Number of games.  [default: 10000]")]
Seed = Annotated[
    str | None,
    typer.Option(metavar="N", help="Seed; with a game's number it determines all random events.  [default: 1]"),
]
Tower = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE.toml", help="The dice tower; see `wallsim towers`.", autocompletion=complete_towers
    ),
]
OneTower = Annotated[
    str,
    typer.Option(
        "--tower", metavar="NAME|FILE.toml", help="A tower; see `wallsim towers`.", autocompletion=complete_towers
    ),
]
BoardFolder = Annotated[
    Path | None,
    typer.Option("--board", metavar="DIR", help="Folder of a custom board, instead of the board of the game."),
]
Switches = Annotated[
    list[str] | None,
    typer.Option(
        "--switch",
        metavar="NAME=VALUE",
        help="A switch of the rules, repeatable; see `wallsim rules`.",
        autocompletion=complete_switches,
    ),
]
Interventions = Annotated[
    list[str] | None,
    typer.Option(
        "--intervene",
        metavar="KEY=VALUE,...",
        help="A change in the midst of each game, repeatable: 'do=hand, thalers=2, seat=0, round=start'.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until",
        metavar='"vp +-N"|"win +-Npp"',
        help="Play on until the widest interval of victory points or of wins has at most this half-width.",
    ),
]
Workers = Annotated[
    str | None,
    typer.Option(metavar="N", help="Number of threads; it does not affect results.  [default: one per core]"),
]
Dask = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Play on the workers of a Dask scheduler, such as tcp://HOST:8786."),
]
CheckWorkers = Annotated[
    str | None,
    typer.Option(
        "--check-workers",
        metavar="N",
        help="With --dask, play one chunk in N again here and compare the bytes; 0 for none.  [default: 50]",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document for programs; docs/json.md lists its keys.")
]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Also draw the summary into a .png, .svg or .pdf file.")
]
RunFolder = Annotated[Folder, typer.Argument(metavar="FOLDER", parser=folder_of, help="A run folder.")]
OutFolder = Annotated[
    Folder | None,
    typer.Option(
        "--out", metavar="DIR", parser=folder_of, help="Folder for the results.  [default: a new one under results/]"
    ),
]
