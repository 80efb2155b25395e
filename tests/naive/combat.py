"""Battles and revolts, as the ledger tells it (B6): what fell out of the tower is given, the rest follows."""

from __future__ import annotations

from collections import Counter

from tests.naive.table import PEASANTS, Table


def may_attack(table: Table, target: str) -> bool:
    """Whether the events allow an attack on the county (B5.9)."""
    return not (table.event == "church_peace" and "church" in table.land[target].buildings)


def call_peasants(table: Table, wanted: int) -> int:
    """Peasants come from the common supply as far as it goes, or all or none [A8] (B6.3, B6.4)."""
    there = table.supply[PEASANTS]
    if wanted > there:
        wanted = 0 if table.rules.few_peasants == "all_or_none" else there
    table.supply[PEASANTS] -= wanted
    return wanted


def call_one_army(table: Table, seat: int) -> int:
    """An extra army comes only if the personal supply has one (B4.6)."""
    if table.supply[seat] == 0:
        return 0
    table.supply[seat] -= 1
    return 1


def attack(table: Table, seat: int, origin: str, target: str, armies: int, fallen: dict) -> str:
    """Fight for a county of somebody else or nobody (B6.1 to B6.9); returns attacker, defender or tie."""
    here, there = table.land[origin], table.land[target]
    defender = there.owner
    marked = there.markers > 0
    assert target in table.neighbours(origin)
    assert defender != seat
    assert 1 <= armies < here.armies
    assert may_attack(table, target)

    thrown = Counter(table.tray)  # B6.1
    here.armies -= armies
    thrown[seat] += armies
    if table.players[seat].tile == "attack":
        thrown[seat] += call_one_army(table, seat)
    if defender is None:
        thrown[PEASANTS] += call_peasants(table, 2 if table.event == "neutral_guard" else 1)
    else:
        thrown[defender] += there.armies
        there.armies = 0
        if table.players[defender].tile == "defence":
            thrown[defender] += call_one_army(table, defender)
        if table.event == "palace_guard" and "palace" in there.buildings:
            thrown[defender] += call_one_army(table, defender)
    table.drop(thrown, fallen)

    a = table.tray[seat]
    d = 0 if defender is None else table.tray[defender]
    p = 0 if marked else table.tray[PEASANTS]  # B6.6
    result = "attacker" if a > d + p else "tie"
    if d + p > a and (defender is None or d > 0):
        result = "defender"  # B6.8
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
    if staying:
        table.supply[result_land] -= staying
    if result == "attacker":
        there.armies = staying
        table.hand_over(target, seat)
    elif defender is not None and result == "defender":
        there.armies = staying
    elif defender is not None:
        table.raze(target)
    _count(table, seat, defender, result, a, d, staying)
    return result


def _count(table, seat, defender, result, a, d, staying):
    won = result == "attacker"
    mine = table.players[seat].counts
    mine.update(attacks=1, attacks_won=won, attacks_tied=result == "tie")
    mine.update(armies_fallen=a - (staying if won else 0))
    if defender is not None:
        mine.update(attacks_on_players=1, attacks_on_players_won=won)
        table.players[defender].counts.update(
            times_attacked=1,
            times_attacked_lost=result != "defender",
            armies_fallen=d - (0 if won else staying),
        )


def revolt(table: Table, county: str, peasants: int, fallen: dict, winter: bool = False) -> bool:
    """Peasants rise in a player's county (B6.4, B6.10); returns whether its owner holds it."""
    here = table.land[county]
    seat = here.owner
    thrown = Counter(table.tray)
    thrown[seat] += here.armies
    here.armies = 0
    thrown[PEASANTS] += call_peasants(table, peasants)
    table.drop(thrown, fallen)

    d, p = table.tray[seat], table.tray[PEASANTS]
    table.tray[seat] = table.tray[PEASANTS] = 0
    table.supply[PEASANTS] += p
    held = d > p
    if held:
        here.armies = d - p
        table.supply[seat] += p
    else:
        table.supply[seat] += d
        table.raze(county)
    lost = 0 if held else 1
    counts = table.players[seat].counts
    counts.update(revolts=1, revolts_lost=lost, armies_fallen=p if held else d)
    if winter:
        counts.update(winter_revolts=1, winter_revolts_lost=lost)
    return held
