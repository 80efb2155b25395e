"""The odds of noted battles, and how many more or fewer than expected each seat won.

What lies in tower and tray is unknown where people play. The odds assume an empty tray and a tower that holds what it
holds on average after some battles, with equal shares of all colours; the range is that of the three typical towers of
`wallsim battle`: fresh, loaded, adverse.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from wallsim.analysis.battle.odds import Battle, BattleOdds, Cubes, battle_odds
from wallsim.analysis.battle.states import STATES, mean_contents, tower_in
from wallsim.rules.tower import DEFAULT_TOWER, TowerModel, load_tower
from wallsim.trace.game_text.model import GameText, NotedBattle

_BATTLES = 20_000  # simulated for a tower without exact odds
_WON, _LOST = "won", "lost"


class BattleChance(NamedTuple):
    """A battle with noted armies and its chances: that the attacker wins, a tie, that the owner holds; their ranges."""

    battle: NotedBattle
    win: float
    tie: float
    hold: float
    win_range: tuple[float, float]
    hold_range: tuple[float, float]


class Luck(NamedTuple):
    """Of a seat: battles, those that went its way, how many the odds expect with the range, standard deviation."""

    battles: int
    went_well: int
    expected: float
    low: float
    high: float
    deviation: float


def tower_of_game(game: GameText) -> TowerModel:
    """The tower that a text names, or the default. InputError for a name that there is not."""
    return load_tower(game.tower or DEFAULT_TOWER)


def battle_chances(game: GameText) -> list[BattleChance]:
    """The chances of the battles whose armies are noted, in their order."""
    tower = tower_of_game(game)
    colours = game.players + 1
    each = round(mean_contents(tower)[1] / colours)
    contents = [Cubes(each, each, each, each * (game.players - 2)), *(tower_in(tower, state) for state in STATES)]
    seen: dict[tuple[str, int, int, bool], list[BattleOdds]] = {}
    found = []
    for battle in game.battles:
        if battle.attackers is None or battle.defenders is None:
            continue
        armies = battle.attackers, battle.defenders
        key = (battle.kind, *armies, battle.marked)
        if key not in seen:
            seen[key] = [_odds(tower, battle, armies, inside) for inside in contents]
        odds = seen[key]
        win, hold = ([getattr(each, name) for each in odds] for name in ("win", "lose"))
        found.append(
            BattleChance(battle, win[0], odds[0].tie, hold[0], (min(win), max(win)), (min(hold), max(hold)))
        )  # fmt: skip
    return found


def _odds(tower: TowerModel, battle: NotedBattle, armies: tuple[int, int], inside: Cubes) -> BattleOdds:
    fight = Battle(*armies, kind=battle.kind, peasants_join=not battle.marked, tower=inside)
    return battle_odds(tower, fight, battles=_BATTLES)


def luck_of(game: GameText, chances: list[BattleChance]) -> dict[int, Luck]:
    """How each seat's battles went against the odds; attacks that won and own counties that held went well.

    Battles without a result do not count.
    """
    result = {}
    chances = [each for each in chances if each.battle.result]
    for seat in range(game.players):
        attacks = [each for each in chances if each.battle.attacker == seat]
        defences = [each for each in chances if each.battle.defender == seat]
        went_well = sum(each.battle.result == _WON for each in attacks)
        went_well += sum(each.battle.result == _LOST for each in defences)
        odds = [each.win for each in attacks] + [each.hold for each in defences]
        ranges = [each.win_range for each in attacks] + [each.hold_range for each in defences]
        low, high = sum(each[0] for each in ranges), sum(each[1] for each in ranges)
        deviation = sqrt(sum(chance * (1 - chance) for chance in odds))
        result[seat] = Luck(len(odds), went_well, sum(odds), low, high, deviation)
    return result
