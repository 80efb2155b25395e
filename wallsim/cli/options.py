"""Options that several commands have, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.completion import complete_expansions, complete_policies, complete_switches, complete_towers

File = Annotated[Path | None, typer.Argument(metavar="EXPERIMENT.toml", help="An experiment file, instead of flags.")]
Players = Annotated[str | None, typer.Option(metavar="N", help="3, 4 or 5 players.  [default: 4]")]
Setup = Annotated[
    str | None, typer.Option(metavar="lineup|draft", help="Printed line-ups, or a draft.  [default: lineup]")
]
Lineups = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Line-up of each seat.  [default: A,B,C,... by seat]")
]
Edition = Annotated[str | None, typer.Option(metavar="2e|1e", help="Second or first edition.  [default: 2e]")]
Expansions = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME...]|all",
        help="Some of court, landsknechte, leaders.  [default: none]",
        autocompletion=complete_expansions,
    ),
]
Policies = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME...]",
        help="One for all seats, or one a seat: names (`wallsim policies`) or .toml and .py files.",
        autocompletion=complete_policies,
    ),
]
CheckPolicies = Annotated[
    bool,
    typer.Option("--check-policies", help="Hold every answer of policies of your own against the rules."),
]
Games = Annotated[str | None, typer.Option(metavar="N", help="Games to play.  [default: 10000]")]
Seed = Annotated[
    str | None,
    typer.Option(metavar="N", help="Seed; with the game's number it decides all chance.  [default: 1]"),
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
    Path | None, typer.Option("--board", metavar="DIR", help="A board of your own instead of the game's.")
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
Workers = Annotated[
    str | None, typer.Option(metavar="N", help="Threads; they never change a result.  [default: every core]")
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document for programs instead; docs/json.md lists its keys.")
]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Also draw the summary: a .png, .svg or .pdf file.")
]
RunFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="A run folder.")]
