"""What a seat may choose in combat/movement, and what it sees of each choice, in names and sets (B5.8)."""

from __future__ import annotations

from tests.naive.combat import targets
from tests.naive.planning_view import free_armies, leads, of_tower
from tests.naive.standing import free_sites
from tests.naive.table import PEASANTS, Table
from wallsim.rules.terms import ACTIONS
from wallsim.rules.tower import TowerModel

COMBATS = ("combat_a", "combat_b")
MOST_CHOICES, MOST_NUMBERS = 48, 6


def numbers(most: int) -> list[int]:
    """The numbers of armies that are weighed against a county: few enough, evenly from the most on."""
    every = (range(most, 0, -step) for step in range(1, most + 1))
    return list(next(some for some in every if len(some) <= MOST_NUMBERS))


def choices(table: Table, seat: int, origin: str, action: str) -> list[tuple[str | None, int]]:
    """What the armies of a county may do, where to and how many: to stay is (None, 0)."""
    most = table.land[origin].armies - 1
    goals = sorted(targets(table, seat, origin, action), key=table.number)
    own = [goal for goal in goals if table.land[goal].owner == seat]
    result: list[tuple[str | None, int]] = [(None, 0)] if table.rules.combat == "may" else []  # A7
    result += [(goal, most) for goal in own]
    result += [(goal, number) for goal in goals if goal not in own for number in numbers(most)]
    return result[:MOST_CHOICES]


def of_choice(table: Table, seat: int, origin: str, goal: str | None, armies: int) -> dict[str, float]:
    """The features of a choice that the board alone shows."""
    here = table.land[origin]
    result = {
        "sent": armies,
        "kept": here.armies - armies,
        "origin_buildings": len(here.buildings),
        **dict.fromkeys(("marches", "on_rival", "on_neutral", "target_armies", "target_buildings", "own_beside"), 0),
        **dict.fromkeys(("target_sites", "target_markers", "target_tax", "help", "revenge", "third", "beyond"), 0),
    }
    if goal is None:
        return result
    there, beside = table.land[goal], table.neighbours(goal) - {origin}
    owners = {name: table.land[name].owner for name in beside}
    own = {name for name in beside if owners[name] == seat}
    result |= {
        "marches": there.owner == seat,
        "on_rival": there.owner not in (seat, None),
        "on_neutral": there.owner is None,
        "target_armies": there.armies,
        "target_buildings": len(there.buildings),
        "own_beside": len(own) + 1,
        "help": free_armies(table, own),
        "revenge": free_armies(table, {name for name in beside - own if owners[name] == there.owner}),
        "third": free_armies(table, {name for name in beside - own if owners[name] != there.owner}),
        "beyond": len(beside - own),
    }
    if there.owner != seat:
        result |= {
            "target_sites": free_sites(table, goal),
            "target_markers": there.markers,
            "target_tax": table.tax(goal),
        }
    return result


def of_owner(table: Table, seat: int, goal: str | None, points: dict[int, float], turned_up: dict) -> dict[str, float]:
    """The features of the rival that would be attacked; `turned_up` are the counties on open cards by seat."""
    owner = None if goal is None else table.land[goal].owner
    if owner in (None, seat):
        return {"target_lead": 0, "target_played": 0}
    return {"target_lead": points[owner] - points[seat], "target_played": goal in turned_up[owner]}


def of_situation(table: Table, seat: int, points: dict[int, float], tower: TowerModel) -> dict[str, float]:
    """The features of the situation that components and tower alone show."""
    own, helped = table.counties_of(seat), table.players[seat].tile == "attack"
    return {
        "supply": table.supply[seat],
        "thalers": table.players[seat].thalers,
        "counties": len(own),
        "armies": sum(table.land[name].armies for name in own),
        **leads(points, seat),
        **of_tower(table, tower),
        "own_inside": table.tower[seat],
        "own_tray": table.tray[seat],
        "peasants": table.tower[PEASANTS] + table.tray[PEASANTS],
        "helpers": min(table.supply[seat], table.amount("tile_attack_armies")) if helped else 0,
    }


def of_time(game, seat: int, players: int) -> dict[str, float]:
    """The features of the moment in the round; the shares of dangers that are left count combats of both kinds."""
    done = int(game.actions_done)
    order = [ACTIONS[int(action)] for action in game.action_order]
    left = 2 - len({*COMBATS} & {*order[: done + 1]})
    turn = [int(each) for each in game.turn[:players]]
    if order[done] in COMBATS:
        left += (players - 1 - turn.index(seat)) / (players - 1)
    later = 5 - 3 * int(game.year) - int(game.season)  # rounds
    to_come = len({*COMBATS} & {*order[done + 1 :]})
    return {"left": (left / 2 + later) / (later + 1), "to_come": to_come, "done": done}
