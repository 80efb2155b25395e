"""The command that prints the odds of battles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import Within, grouped, options_of
from wallsim.cli.options import AsJson, OneTower, Seed
from wallsim.cli.output import print_document, refuse, screen, tower_of, whole_number

if TYPE_CHECKING:
    from wallsim.analysis.battle.odds import Cubes

battle_app = typer.Typer(help="Print the odds of battles through the dice tower.", no_args_is_help=True)
app.add_typer(battle_app, name="battle")

_MAX_CUBES = 62
_MAX_TOTAL_BATTLES = 10**8  # maximum number of simulated battles for a grid


@dataclass(frozen=True, kw_only=True)
class Fight:
    """What is fought for, and the cubes that were there before.

    Options
    -------
    kind: Kind of battle: a player's county, a neutral county, or a revolt.
    peasants_join: Whether peasants in the tray fight for a player's county; with revolt markers they do not.
    tray ROLE=N,...: Cubes in the tray, by role: attacker, defender, peasants, others.  [default: none]
    inside ROLE=N,...: Cubes inside the tower, by role.  [default: none]
    state: A typical state of the tower, instead of --inside.
    """

    kind: Literal["player", "neutral", "revolt"] = "player"
    peasants_join: bool = True
    tray: str = ""
    inside: str = ""
    state: Literal["fresh", "loaded", "adverse"] | None = None


@battle_app.command()
@grouped
def odds(
    *,
    attackers: str = "4",
    defenders: str = "2",
    fight: Fight = options_of(Fight),
    tower: OneTower = "spielbyweb",
    battles: Annotated[int, Within(1, 10**7)] = 100_000,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Print the odds of a battle and who survives. These are the probabilities of winning, tying and losing, and the
    surviving armies.

    The results are exact for towers of the model independent and simulated for others. Ranges such as 2-7 print a grid.

    Options
    -------
    attackers N|N-N: Cubes that the attacker adds, or a range.
    defenders N|N-N: Cubes that the defender adds, or a range.
    battles: Number of simulated battles if the tower has no exact odds.
    seed: Seed of the simulation.
    """
    grid = (_range("--attackers", attackers), _range("--defenders", defenders))
    in_tray, in_tower = _cubes("--tray", fight.tray), _cubes("--inside", fight.inside)
    if fight.state and fight.inside:
        refuse("--state: cannot be combined with --inside")
    if fight.kind != "player" and not fight.peasants_join:
        refuse("--no-peasants-join: can be used only with --kind player")
    if (cells := len(grid[0]) * len(grid[1])) * battles > _MAX_TOTAL_BATTLES:
        refuse(f"--battles: {battles} for each of {cells} cells is more than {_MAX_TOTAL_BATTLES} in total")

    from wallsim.analysis.battle.odds import Battle, battle_odds, odds_table
    from wallsim.analysis.battle.states import tower_in
    from wallsim.report.tables.odds import grid_document, odds_document, print_battle, print_grid

    model = tower_of(tower)
    try:
        contents = tower_in(model, fight.state) if fight.state else in_tower
        fights = [
            Battle(a, d, kind=fight.kind, peasants_join=fight.peasants_join, tray=in_tray, tower=contents)
            for a in grid[0] for d in grid[1]
        ]  # fmt: skip
        if len(fights) == 1:
            result = battle_odds(model, fights[0], battles=battles, seed=seed)
            if as_json:
                print_document(odds_document(model, fights[0], result, seed))
            else:
                print_battle(screen(), model, fights[0], result, seed)
        else:
            table = odds_table(model, *grid, fights[0], battles=battles, seed=seed)
            if as_json:
                print_document(grid_document(model, fights[0], table, seed))
            else:
                print_grid(screen(), model, fights[0], table, seed)
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
