"""Output of `wallsim battle odds`: one battle with its chances and survivors, or a grid of battles."""

from __future__ import annotations

from dataclasses import asdict

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from wallsim.analysis.battle.odds import CHANCES, Battle, BattleOdds, Cubes
from wallsim.report.tables.columns import Document
from wallsim.report.tables.console import number_table, print_notes
from wallsim.report.tables.estimates import NOTHING, bounded, ends, number, share, share_ends
from wallsim.rules.tower import Layered, TowerModel

# By kind of battle: who adds the cubes (attackers, defenders) and where; then how it may end.
_ARMIES, _PEASANTS = ("army", "armies"), ("peasant", "peasants")
_SIDES = {
    "player": (_ARMIES, _ARMIES, "a player's county"),
    "neutral": (_ARMIES, _PEASANTS, "a neutral county"),
    "revolt": (_PEASANTS, _ARMIES, "a county in revolt"),
}
_ENDS = {
    "player": ("the attacker wins", "tie: the county becomes neutral", "the defender holds it"),
    "neutral": ("the attacker wins", "tie: it stays neutral", "the peasants hold it"),
    "revolt": ("the peasants win: the county becomes neutral", "tie: it becomes neutral, too", "the owner holds it"),
}
_ROLES = ("attacker", "defender", "peasants", "others")


def print_battle(console: Console, tower: TowerModel, battle: Battle, odds: BattleOdds, seed: int = 1) -> None:
    """Print a battle, the cubes in tray and tower, its chances, the armies left, and the intervals of both.

    `seed` is that of a simulation.
    """
    console.print(Text(_heading(battle), style="bold"))
    console.print(_cubes(battle))
    console.print()
    limits = [] if odds.exact else ["95 %"]  # exact numbers have no column for intervals
    table = number_table(["", "chance", *limits], fixed=False)
    table.show_header = not odds.exact
    for name, words in zip(CHANCES, _ENDS[battle.kind], strict=True):
        table.add_row(words, f"{share(getattr(odds, name))} %", *_interval(odds, name))
    console.print(table)
    console.print()
    table = number_table(["armies in the county afterwards", "if so", *limits, "overall", *limits], fixed=False)
    for words, given_so, left in (
        ("of the attacker, where it wins", "attackers_if_won", "attackers_left"),
        ("of the defender, where it holds", "defenders_if_held", "defenders_left"),
    ):
        if (battle.kind, left) in (("neutral", "defenders_left"), ("revolt", "attackers_left")):
            continue  # peasants never stay
        mean = getattr(odds, given_so)
        cells = [NOTHING if mean is None else number(mean, 2), *_interval(odds, given_so)]
        table.add_row(words, *cells, bounded(getattr(odds, left), 2), *_interval(odds, left))
    console.print(table)
    console.print()
    print_notes(console, basis(tower, odds.battles, seed))


def print_grid(console: Console, tower: TowerModel, like: Battle, table: pl.DataFrame, seed: int = 1) -> None:
    """Print the chances to win, tie and lose of an `odds_table` of battles `like` one, attackers down.

    `seed` is that of a simulation.
    """
    adding, against, where = _SIDES[like.kind]
    defenders = table["defenders"].unique(maintain_order=True).to_list()
    shown = number_table(["attackers ↓  defenders →", *map(str, defenders)], words=0, fixed=False)
    for (attackers,), rows in table.group_by("attackers", maintain_order=True):
        by_defenders = {row["defenders"]: row for row in rows.iter_rows(named=True)}
        shown.add_row(str(attackers), *(_cell(by_defenders[cubes]) for cubes in defenders))
    console.print(Text(f"Win / tie / lose, in per cent: {adding[1]} against {against[1]} in {where}", style="bold"))
    console.print(_cubes(like, engaged=False))
    console.print(shown)
    console.print()
    simulated = table["battles"][0]
    notes = basis(tower, simulated, seed, "per cell")
    if simulated is not None:
        widest = max(50 * (table[f"{name}_high"] - table[f"{name}_low"]).to_numpy().max() for name in CHANCES)
        notes.append(f"The half-width of 95 % intervals is at most {bounded(widest, 1)} percentage points.")
    print_notes(console, notes)


def odds_document(tower: TowerModel, battle: Battle, odds: BattleOdds, seed: int) -> Document:
    """Chances and survivors of one battle; `battles` is null where they are exact."""
    numbers = {key: value for key, value in asdict(odds).items() if key not in ("battles", "intervals")}
    return {
        **_table_of_odds(tower, battle, odds.battles, seed),
        "attackers": battle.attackers,
        "defenders": battle.defenders,
        **{name: {"value": value, "interval": odds.intervals.get(name)} for name, value in numbers.items()},
    }


def grid_document(tower: TowerModel, like: Battle, table: pl.DataFrame, seed: int) -> Document:
    """The chances of a grid of battles, one object per cell."""
    cells = [{key: value for key, value in row.items() if key != "battles"} for row in table.rows(named=True)]
    return {**_table_of_odds(tower, like, table["battles"][0], seed), "cells": cells}


def _table_of_odds(tower: TowerModel, battle: Battle, battles: int | None, seed: int) -> Document:
    return {
        "tower": tower.name,
        "model": tower.model,
        "kind": battle.kind,
        "peasants_join": battle.peasants_join,
        "tray": battle.tray,
        "inside": battle.tower,
        "battles": battles,
        "seed": None if battles is None else seed,
        "level": 0.95,
    }


def basis(tower: TowerModel, battles: int | None, seed: int, each: str = "") -> list[str]:
    """How the numbers were computed, one line each: the tower with its model, exact or simulated, and assumptions."""
    lines = [f"Tower: {tower.name}, model {tower.model}: {tower.parameters.in_words()}."]
    if battles is None:
        return [*lines, "Exact: the sum over all numbers of cubes that can fall."]
    lines.append(f"Simulated: {battles:,} battles{' ' * bool(each)}{each}, seed {seed}.")
    if isinstance(tower.parameters, Layered):
        lines.append("The floors of the cubes are unknown: they are drawn for each battle, as in a settled tower.")
    return lines


def _heading(battle: Battle) -> str:
    attackers, defenders, where = _SIDES[battle.kind]
    joining = ""
    if battle.kind == "player":
        joining = "; peasants join the defender" if battle.peasants_join else "; peasants stand aside"
    sides = ((battle.attackers, attackers), (battle.defenders, defenders))
    return " against ".join(f"{cubes} {words[cubes != 1]}" for cubes, words in sides) + f" in {where}{joining}"


def _cubes(battle: Battle, engaged: bool = True) -> Table:
    table = number_table(["cubes", *_ROLES], fixed=False)
    lines: list[tuple[str, Cubes]] = [("added", battle.engaged())] if engaged else []
    for words, cubes in [*lines, ("in the tray", battle.tray), ("in the tower", battle.tower)]:
        table.add_row(words, *map(str, cubes))
    return table


def _interval(odds: BattleOdds, name: str) -> tuple[str, ...]:
    if odds.exact:
        return ()
    interval = odds.intervals.get(name)
    return (share_ends(interval, between="–") if name in CHANCES else ends(interval, 2, between="–"),)


def _cell(row: dict[str, float]) -> str:
    return " / ".join(share(row[name], 0) for name in CHANCES)
