"""Winter and the end, as the ledger tells it (B7)."""

from __future__ import annotations

from tests.naive.table import KINDS, Table


def shortage_after_winter(table: Table, seat: int, loss: int) -> int:
    """Take the grain loss; returns how much grain is missing, 0 for none (B7.1, B7.2)."""
    player = table.players[seat]
    for _ in range(loss):
        if player.grain > 0:
            player.grain -= 1
            player.counts["grain_winter"] += 1
    missing = max(len(table.counties_of(seat)) - player.grain, 0)
    if missing:
        player.counts.update(shortages=1, shortage_units=missing)
    return missing


def supply_chart(missing: int) -> tuple[int, int]:
    """Revolting counties, and extra peasants in each (B7.2)."""
    if missing <= 0:
        return 0, 0
    if missing == 1:
        return 1, 1
    if missing == 2:
        return 1, 2
    if missing <= 4:
        return 2, 2
    return (2, 3) if missing <= 6 else (3, 3)


def revolting_counties(table: Table, seat: int, missing: int) -> int:
    """How many counties of the seat revolt: never more than it has (B7.2)."""
    return min(supply_chart(missing)[0], len(table.counties_of(seat)))


def leaders(table: Table, region: str, kind: str) -> set[int]:
    """Who has the most buildings of a kind in a region; nobody if it has none (B7.4)."""
    have = {}
    for name, county in table.land.items():
        if table.region(name) == region and kind in county.buildings:
            have[county.owner] = have.get(county.owner, 0) + 1
    return {seat for seat, number in have.items() if number == max(have.values())}


def points_of(table: Table, seat: int) -> dict[str, int]:
    """The points of a winter by source (B7.4)."""
    own = table.counties_of(seat)
    buildings = [kind for name in own for kind in table.land[name].buildings]
    points = {
        "counties": len(own) * table.amount("county_points"),
        "buildings": sum(table.amount(f"{kind}_points") for kind in buildings),
    }
    for kind, name in zip(KINDS, ("palace_majorities", "church_majorities", "trading_post_majorities"), strict=True):
        points[name] = 0
        for region in table.board.regions:
            leading = leaders(table, region, kind)
            if seat in leading:
                less = table.amount("majority_tie_deduction") if len(leading) > 1 else 0
                points[name] += max(table.amount(f"{kind}_majority_points") - less, 0)
    return points


def score(table: Table) -> None:
    """Add a winter's points (B7.4)."""
    for seat, player in table.players.items():
        for source, number in points_of(table, seat).items():
            player.points += number
            player.counts[f"vp_{source}_year{table.year + 1}"] += number


def ranks(table: Table) -> dict[int, int]:
    """1 + the seats before each seat: points, then Thalers, or points alone [A9] (B7.6)."""
    thalers_count = table.rules.final_tie == "thalers"
    standing = {s: (p.points, p.thalers if thalers_count else 0) for s, p in table.players.items()}
    return {seat: 1 + sum(other > standing[seat] for other in standing.values()) for seat in standing}


def clear_year(table: Table) -> None:
    """Between the years grain and revolt markers go, everything else stays (B7.5)."""
    for player in table.players.values():
        player.grain = 0
    for county in table.land.values():
        table.markers_left += county.markers
        county.markers = 0
