"""Battles and revolts, as the ledger tells it (B6): what fell out of the tower is given, the rest follows."""

from __future__ import annotations

from collections import Counter

from tests.naive.table import PEASANTS, Table


def may_attack(table: Table, target: str, action: str = "combat_a") -> bool:
    """Whether events and favors allow combat A or B to attack the county (B5.9, E6)."""
    if table.event == "church_peace" and "church" in table.land[target].buildings:
        return False
    return table.land[target].owner not in table.truce[action]


def targets(table: Table, seat: int, origin: str, action: str) -> set[str]:
    """Where a combat/movement action may go from a county: own counties, and those it may attack (B5.8, B5.9)."""
    around = table.neighbours(origin)
    return {name for name in around if table.land[name].owner == seat or may_attack(table, name, action)}


def defenders_allowed(table: Table, county: str) -> range:
    """How many armies of a player's county may fight: all, but in the first edition from one to all (B6.2, V5)."""
    armies = table.land[county].armies
    return range(1, armies + 1) if table.rules.edition == "1e" else range(armies, armies + 1)


def peasants_are_loyal(table: Table, county: str) -> bool:
    """Whether peasants fight for the owner: no marker, in the first edition fewer than two (B6.6, V6)."""
    markers = table.land[county].markers
    return markers in (0, 1) if table.rules.edition == "1e" else markers == 0


def call_peasants(table: Table, needed: int) -> int:
    """Peasants come from the common supply as far as it goes, or all or none [A8] (B6.3, B6.4)."""
    there = table.supply[PEASANTS]
    if needed > there:
        needed = 0 if table.rules.few_peasants == "all_or_none" else there
    table.supply[PEASANTS] -= needed
    return needed


def call_armies(table: Table, seat: int, number: int) -> int:
    """Extra armies come as far as the personal supply has them (B4.6)."""
    came = 0
    while came < number and table.supply[seat] > 0:
        table.supply[seat] -= 1
        came += 1
    return came


def attack(
    table: Table,
    seat: int,
    origin: str,
    target: str,
    armies: int,
    fallen: dict,
    defenders: int | None = None,
    action: str = "combat_a",
) -> str:
    """Fight for a county of somebody else or nobody (B6.1 to B6.9); returns attacker, defender or tie.

    Where fewer `defenders` than all armies of a player's county fight, the others stand aside (V5).
    """
    here, there = table.land[origin], table.land[target]
    defender = there.owner
    loyal = peasants_are_loyal(table, target)
    aside = 0 if defender is None or defenders is None else there.armies - defenders
    assert target in table.neighbours(origin)
    assert defender != seat
    assert 1 <= armies < here.armies
    assert may_attack(table, target, action)
    assert aside == 0 or (table.rules.edition == "1e" and 0 < aside < there.armies)

    thrown = Counter(table.tray)  # B6.1
    here.armies -= armies
    thrown[seat] += armies
    if table.players[seat].tile == "attack":
        thrown[seat] += call_armies(table, seat, table.amount("tile_attack_armies"))
    if defender is None:
        guarded = table.event == "neutral_guard"
        peasants = table.amount("event_neutral_guard_peasants" if guarded else "neutral_peasants")
        thrown[PEASANTS] += call_peasants(table, peasants)
    else:
        thrown[defender] += there.armies - aside
        there.armies = 0
        if table.players[defender].tile == "defence":
            thrown[defender] += call_armies(table, defender, table.amount("tile_defence_armies"))
        if table.event == "palace_guard" and "palace" in there.buildings:
            thrown[defender] += call_armies(table, defender, table.amount("event_palace_guard_armies"))
    table.drop(thrown, fallen)

    a = table.tray[seat]
    d = 0 if defender is None else table.tray[defender]
    p = table.tray[PEASANTS] if loyal else 0  # B6.6
    result = "attacker" if a > d + p else "tie"
    if d + p > a and (defender is None or d > 0):
        result = "defender"  # B6.8
    if d + p > a and aside and table.rules.stood_aside == "count":
        result = "defender"  # V5 [A13]
    if defender is not None and result == "tie":
        result_land = None
    else:
        result_land = seat if result == "attacker" else defender

    # All cubes of both sides leave the tray; those who stay in the county are put back from the supply.
    table.tray[seat] -= a
    table.supply[seat] += a
    table.tray[PEASANTS] -= p
    table.supply[PEASANTS] += p
    if defender is not None:
        table.tray[defender] -= d
        table.supply[defender] += d
    staying = 0
    if result == "attacker":
        staying = a - (d + p)
    elif result == "defender" and defender is not None:
        peasants_killed = min(a, p)
        staying = d - (a - peasants_killed)
        there.armies = aside
    if staying:
        table.supply[result_land] -= staying
    if aside and result != "defender":
        table.supply[defender] += aside  # V5
    there.armies += staying
    if result == "attacker":
        table.hand_over(target, seat)
    elif defender is not None and result == "tie":
        table.raze(target)
    _count(table, seat, defender, result, a, d, staying)
    return result


def _count(table, seat, defender, result, a, d, staying):
    won = result == "attacker"
    mine = table.players[seat].counts
    mine.update(attacks=1, attacks_won=won, attacks_tied=result == "tie")
    mine.update(armies_fallen=a - (staying if won else 0))
    if defender is not None:
        mine.update({"attacks_on_players": 1, "attacks_on_players_won": won, f"attacks_on_seat_{defender}": 1})
        table.players[defender].counts.update(
            times_attacked=1,
            times_attacked_lost=result != "defender",
            armies_fallen=d - (0 if won else staying),
        )


def revolt(
    table: Table, county: str, peasants: int, fallen: dict, winter: bool = False, defenders: int | None = None
) -> bool:
    """Peasants rise in a player's county (B6.4, B6.10, V5); returns whether its owner holds it."""
    here = table.land[county]
    seat = here.owner
    aside = 0 if defenders is None else here.armies - defenders
    assert aside == 0 or (table.rules.edition == "1e" and 0 < aside < here.armies)
    thrown = Counter(table.tray)
    thrown[seat] += here.armies - aside
    if table.rules.palace_guard_in_revolts == "yes" and table.event == "palace_guard" and "palace" in here.buildings:
        thrown[seat] += call_armies(table, seat, table.amount("event_palace_guard_armies"))  # [A15]
    here.armies = 0
    thrown[PEASANTS] += call_peasants(table, peasants)
    table.drop(thrown, fallen)

    d, p = table.tray[seat], table.tray[PEASANTS]
    table.tray[seat] = table.tray[PEASANTS] = 0
    table.supply[PEASANTS] += p
    held = d > p
    if held:
        here.armies = d - p + aside
        table.supply[seat] += p
    else:
        table.supply[seat] += d + aside
        table.raze(county)
    lost = 0 if held else 1
    counts = table.players[seat].counts
    counts.update(revolts=1, revolts_lost=lost, armies_fallen=p if held else d)
    if winter:
        counts.update(winter_revolts=1, winter_revolts_lost=lost)
    return held
