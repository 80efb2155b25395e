"""What a planning seat sees of its counties and of the table, feature by feature, in names and sets."""

from __future__ import annotations

from tests.naive.standing import free_sites, majorities
from tests.naive.table import KINDS, PEASANTS, Table
from wallsim.rules.mean_rates import mean_rates, pass_chance
from wallsim.rules.terms import ACTIONS, EFFECTS, TILES
from wallsim.rules.tower import TowerModel


def points_of(table: Table) -> dict[int, float]:
    """The points of every seat if winter came now (B7.4)."""
    result = {}
    for seat, player in table.players.items():
        own = table.counties_of(seat)
        built = sum(
            table.amount(f"{kind}_points") * (kind in table.land[name].buildings) for name in own for kind in KINDS
        )
        result[seat] = player.points + len(own) * table.amount("county_points") + built + majorities(table)[seat][0]
    return result


def leads(points: dict[int, float], seat: int) -> dict[str, float]:
    """How far a seat is ahead of the best other one, and of the mean of the others."""
    rivals = [points[other] for other in points if other != seat]
    return {"lead": points[seat] - max(rivals), "mean_lead": points[seat] - sum(rivals) / len(rivals)}


def of_tower(table: Table, tower: TowerModel) -> dict[str, float]:
    """The chances of cubes under a tower, by how many are inside (B6.1)."""
    inside = sum(table.tower.values())
    return {
        "passing": pass_chance(tower.parameters, inside),
        "release": mean_rates(tower.parameters)[1],
        "inside": inside,
    }


def free_armies(table: Table, counties) -> int:
    """The armies of counties that could leave them: all but one of each."""
    return sum(max(0, table.land[name].armies - 1) for name in counties)


def of_county(table: Table, seat: int, name: str) -> dict[str, float]:
    """The features of an own county that the board alone shows."""
    county, beside = table.land[name], table.neighbours(name)
    own = {other for other in beside if table.land[other].owner == seat}
    neutral = {other for other in beside if table.land[other].owner is None}
    return {
        "sites": free_sites(table, name),
        **{kind: kind in county.buildings for kind in KINDS},
        "armies": county.armies,
        "alone": county.armies == 1,
        "markers": county.markers,
        "own_beside": len(own),
        "neutral_beside": len(neutral),
        "rivals_beside": len(beside - own - neutral),
        "own_armies": free_armies(table, own),
        "rivals_armies": free_armies(table, beside - own - neutral),
    }


def of_aim(table: Table, seat: int, name: str, aim: str, points: dict[int, float]) -> dict[str, float]:
    """The features of the best target of an attack from an own county; `points` are those of the board as it stands."""
    target = table.land[aim]
    beside = table.neighbours(aim)
    third = {other for other in beside if table.land[other].owner not in (None, seat, target.owner)}
    return {
        "aim_rivals": target.owner is not None,
        "aim_neutral": target.owner is None,
        "aim_armies": target.armies,
        "aim_buildings": len(target.buildings),
        "aim_lead": 0.0 if target.owner is None else points[target.owner] - points[seat],
        "aim_help": free_armies(table, {o for o in beside if table.land[o].owner == seat and o != name}),
        "aim_foes": free_armies(table, third),
    }


def of_table(table: Table, seat: int, points: dict[int, float], tower: TowerModel) -> dict[str, float]:
    """The features of the table that components and tower alone show; `points` are those of the board as it stands."""
    own, rivals = table.counties_of(seat), [other for other in table.players if other != seat]
    armies = {other: sum(table.land[name].armies for name in table.counties_of(other)) for other in table.players}
    return {
        "thalers": table.players[seat].thalers,
        "grain": table.players[seat].grain,
        "counties": len(own),
        "armies": armies[seat],
        "supply": table.supply[seat],
        "in_tower": table.tower[seat] + table.tray[seat],
        "peasants": table.tower[PEASANTS] + table.tray[PEASANTS],
        "neutral_counties": len(table.counties_of(None)),
        "sites": sum(free_sites(table, name) for name in own),
        "markers": sum(table.land[name].markers for name in own),
        **leads(points, seat),
        "rivals_thalers": max(table.players[other].thalers for other in rivals),
        "rivals_armies": sum(armies[other] for other in rivals) / len(rivals),
        "rivals_counties": sum(len(table.counties_of(other)) for other in rivals) / len(rivals),
        **of_tower(table, tower),
        "in_tray": sum(table.tray.values()),
    }


def of_display(game, first_edition: bool) -> dict[str, float]:
    """The order of the open cards, the chances of the events, and the places of the tiles (B2.1 to B2.4)."""
    shown = [int(action) for action in game.action_order[:5]]
    result = {
        f"early_{action}": 5 - shown.index(place) if place in shown else 0 for place, action in enumerate(ACTIONS)
    }
    if not first_edition:
        result |= {f"place_{TILES[int(tile)]}": box for box, tile in enumerate(game.tile_on_box)}
    return result


assert EFFECTS[0] == "none"
