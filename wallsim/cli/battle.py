"""The command that prints the odds of battles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import AsJson, OneTower
from wallsim.cli.output import print_document, refuse, screen, tower_of, whole_number

if TYPE_CHECKING:
    from wallsim.analysis.battle.odds import Cubes

battle_app = typer.Typer(help="Print the odds of battles through the dice tower.", no_args_is_help=True)
app.add_typer(battle_app, name="battle")

_MAX_BATTLES, _MAX_CUBES, _MAX_SEED = 10**7, 62, 2**31
_MAX_TOTAL_BATTLES = 10**8  # maximum number of simulated battles for a grid
_ROLES = "Cubes in the tray, by role: attacker, defender, peasants, others.  [default: none]"


@battle_app.command()
def odds(
    attackers: Annotated[str, typer.Option(metavar="N|N-N", help="Cubes that the attacker adds, or a range.")] = "4",
    defenders: Annotated[str, typer.Option(metavar="N|N-N", help="Cubes that the defender adds, or a range.")] = "2",
    kind: Annotated[
        str,
        typer.Option(
            metavar="player|neutral|revolt", help="Kind of battle: a player's county, a neutral county, or a revolt."
        ),
    ] = "player",
    peasants_join: Annotated[
        bool,
        typer.Option(help="Whether peasants in the tray fight for a player's county; with revolt markers they do not."),
    ] = True,
    tray: Annotated[str, typer.Option("--tray", metavar="ROLE=N,...", help=_ROLES)] = "",
    inside: Annotated[
        str, typer.Option("--inside", metavar="ROLE=N,...", help="Cubes inside the tower, by role.  [default: none]")
    ] = "",
    state: Annotated[
        str, typer.Option(metavar="fresh|loaded|adverse", help="A typical state of the tower, instead of --inside.")
    ] = "",
    tower: OneTower = "spielbyweb",
    battles: Annotated[
        str, typer.Option(metavar="N", help="Number of simulated battles if the tower has no exact odds.")
    ] = "100000",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of the simulation.")] = "1",
    as_json: AsJson = False,
) -> None:
    """Print the odds of a battle and who survives. These are the probabilities of winning, tying and losing, and the
    surviving armies.

    The results are exact for towers of the model independent and simulated for others. Ranges such as 2-7 print a grid.
    """
    grid = (_range("--attackers", attackers), _range("--defenders", defenders))
    count, seed_number = (
        whole_number("--battles", battles, 1, _MAX_BATTLES),
        whole_number("--seed", seed, 0, _MAX_SEED),
    )
    in_tray, in_tower = _cubes("--tray", tray), _cubes("--inside", inside)
    if state and inside:
        refuse("--state: cannot be combined with --inside")
    if kind != "player" and not peasants_join:
        refuse("--no-peasants-join: can be used only with --kind player")
    if len(grid[0]) * len(grid[1]) * count > _MAX_TOTAL_BATTLES:
        cells = len(grid[0]) * len(grid[1])
        refuse(f"--battles: {count} for each of {cells} cells is more than {_MAX_TOTAL_BATTLES} in total")

    from wallsim.analysis.battle.odds import KINDS, Battle, battle_odds, odds_table
    from wallsim.analysis.battle.states import STATES, tower_in
    from wallsim.report.tables.odds import grid_document, odds_document, print_battle, print_grid
    from wallsim.rules.suggestions import did_you_mean

    for flag, value, allowed in (("--kind", kind, KINDS), ("--state", state, ("", *STATES))):
        if value not in allowed:
            refuse(f"{flag}: {value!r} is not one of {', '.join(filter(None, allowed))}{did_you_mean(value, allowed)}")
    model = tower_of(tower)
    try:
        contents = tower_in(model, state) if state else in_tower
        fights = [
            Battle(a, d, kind=kind, peasants_join=peasants_join, tray=in_tray, tower=contents)
            for a in grid[0] for d in grid[1]
        ]  # fmt: skip
        if len(fights) == 1:
            result = battle_odds(model, fights[0], battles=count, seed=seed_number)
            if as_json:
                print_document(odds_document(model, fights[0], result, seed_number))
            else:
                print_battle(screen(), model, fights[0], result, seed_number)
        else:
            table = odds_table(model, *grid, fights[0], battles=count, seed=seed_number)
            if as_json:
                print_document(grid_document(model, fights[0], table, seed_number))
            else:
                print_grid(screen(), model, fights[0], table, seed_number)
    except ValueError as error:
        refuse(str(error))


def _range(flag: str, text: str) -> range:
    first, dash, last = text.partition("-")
    low = whole_number(flag, first, 0, _MAX_CUBES)
    high = whole_number(flag, last, low, _MAX_CUBES) if dash else low
    if high - low > 30:
        refuse(f'{flag}: "{text}" is a range of more than 31 numbers')
    return range(low, high + 1)


def _cubes(flag: str, text: str) -> Cubes:
    from wallsim.analysis.battle.odds import Cubes

    counts: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(r"(\w+)=([0-9]{1,3})", part)
        if not match or match[1] not in Cubes._fields or match[1] in counts:
            refuse(f'{flag}: "{part}" is not ROLE=NUMBER with each role once; roles are {", ".join(Cubes._fields)}')
        counts[match[1]] = int(match[2])
    return Cubes(**counts)
