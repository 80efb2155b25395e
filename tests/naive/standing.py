"""The standing of all seats as the table shows it, feature by feature, in names and sets (B7.4)."""

from __future__ import annotations

from tests.naive.table import KINDS, PEASANTS, Table
from wallsim.rules.mean_rates import pass_chance
from wallsim.rules.tower import TowerModel

OTHERS_HELP_BELOW = {"2e": 1, "1e": 2}  # revolt markers (B6.6, V6)


def free_sites(table: Table, county: str) -> int:
    """Sites of a county without a building."""
    return table.sites(county) - len(table.land[county].buildings)


def shares(table: Table, counts: dict[int, int], kind: str) -> dict[int, int]:
    """What each seat gets for a majority, by the buildings it has (B7.4)."""
    most = max(counts.values())
    leaders = [seat for seat, count in counts.items() if count == most > 0]
    points = table.amount(f"{kind}_majority_points")
    if len(leaders) > 1:
        points = max(points - table.amount("majority_tie_deduction"), 0)
    return {seat: points if seat in leaders else 0 for seat in counts}


def majorities(table: Table) -> dict[int, tuple[int, int, int]]:
    """By seat: points as they stand, points that one more building would gain, points that a rival's would take."""
    result = {seat: [0, 0, 0] for seat in table.players}
    for region in table.board.regions:
        for kind in KINDS:
            inside = [name for name in table.land if table.region(name) == region]
            counts = {
                seat: sum(table.land[c].owner == seat and kind in table.land[c].buildings for c in inside)
                for seat in table.players
            }
            builders = {
                table.land[c].owner
                for c in inside
                if table.stock(kind) > 0 and free_sites(table, c) > 0 and kind not in table.land[c].buildings
            } - {None}
            now = shares(table, counts, kind)
            for seat in table.players:
                after = {b: shares(table, {**counts, b: counts[b] + 1}, kind)[seat] for b in builders}
                result[seat][0] += now[seat]
                result[seat][1] += after.get(seat, now[seat]) - now[seat]
                result[seat][2] += max([now[seat] - points for b, points in after.items() if b != seat], default=0)
    return {seat: tuple(points) for seat, points in result.items()}


def standing(table: Table, loss: float, winters: int, revolting) -> dict[int, dict[str, float]]:
    """The features of every seat; `loss` is what winter takes, `revolting` the counties that revolt by shortage."""
    points_of = majorities(table)
    result = {}
    for seat, player in table.players.items():
        own = table.counties_of(seat)
        armies = {name: table.land[name].armies for name in own}
        rivals = {name: {n for n in table.neighbours(name) if table.land[n].owner not in (None, seat)} for name in own}
        exposed = {n for n in own if any(table.land[r].armies - 1 > armies[n] for r in rivals[n])}
        targets = {r for n in own for r in rivals[n] if armies[n] - 1 > table.land[r].armies}
        beside = {m for n in own if armies[n] > 1 for m in table.neighbours(n) if table.land[m].owner is None}
        buildings = {kind: sum(kind in table.land[name].buildings for name in own) for kind in KINDS}
        built = sum(buildings[kind] * table.amount(f"{kind}_points") for kind in KINDS)
        now, gain, risk = points_of[seat]
        shortage = max(0.0, len(own) + loss - player.grain)
        marked = [name for name in own if table.land[name].markers]
        result[seat] = {
            "points": player.points,
            "projection": player.points + winters * (len(own) * table.amount("county_points") + built + now),
            "counties": len(own),
            "palaces": buildings["palace"],
            "churches": buildings["church"],
            "trading_posts": buildings["trading_post"],
            "majorities": now,
            "in_reach": gain,
            "at_risk": risk,
            "sites": sum(free_sites(table, name) for name in own),
            "open_counties": sum(free_sites(table, name) > 0 for name in own),
            "thalers": player.thalers,
            "spendable": min(player.thalers, sum(table.amount(f"{kind}_price") for kind in KINDS)),
            "grain": player.grain,
            "shortage": shortage,
            "revolts": revolting(int(shortage + 0.5)),
            "armies": sum(armies.values()),
            "supply": table.supply[seat],
            "in_tower": table.tower[seat],
            "in_tray": table.tray[seat],
            "markers": sum(table.land[name].markers for name in own),
            "disloyal": sum(table.land[name].markers >= OTHERS_HELP_BELOW[table.rules.edition] for name in own),
            "tax": sum(map(table.tax, own)),
            "free_tax": sum(table.tax(name) for name in own if name not in marked),
            "grain_yield": sum(map(table.food, own)),
            "exposed": len(exposed),
            "exposed_buildings": sum(len(table.land[name].buildings) for name in exposed),
            "bordered": sum(bool(rivals[name]) for name in own),
            "targets": len(targets),
            "target_buildings": sum(len(table.land[name].buildings) for name in targets),
            "neutrals": len(beside),
            "neutral_sites": sum(table.sites(name) for name in beside),
            "courtiers": player.hall,
            "statues": sum(player.statues.values()) + player.trophies if "leaders" in table.rules.expansions else 0,
            "leader": player.leader is not None,
        }
    return result


def of_the_table(table: Table, loss: float, tower: TowerModel) -> dict[str, float]:
    """The features of the table under a tower."""
    return {
        "neutral_counties": len(table.counties_of(None)),
        "tower": sum(table.tower.values()),
        "peasants_inside": table.tower[PEASANTS],
        "tray": sum(table.tray.values()),
        "loss": loss,
        "passing": pass_chance(tower.parameters, sum(table.tower.values())),
    }
