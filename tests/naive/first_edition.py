"""What the first edition does otherwise, as the ledger tells it (V3, V5); V6 stands with the battles."""

from __future__ import annotations

from tests.naive.table import Table


def recruiting_modes(table: Table, seat: int, county: str) -> set[str]:
    """What "recruit and/or move" can do, money aside: recruit, march or both (V3)."""
    needed = table.amount("deploy1_armies")
    if table.rules.short_supply == "all" and table.players[seat].leader == county:  # [A6]
        needed += table.amount("leader_deploy_armies")
    recruits = table.supply[seat] >= needed
    goal = any(table.land[name].owner == seat for name in table.neighbours(county))
    modes = {"recruit"} if recruits else set()
    if goal and table.land[county].armies >= 2:  # one must stay (B5.7)
        modes.add("march")
    if goal and recruits:
        modes.add("both")
    return modes


def defenders_allowed(table: Table, county: str) -> range:
    """How many armies of a player's county may fight: all, but in the first edition from one to all (B6.2, V5)."""
    armies = table.land[county].armies
    return range(1, armies + 1) if table.rules.edition == "1e" else range(armies, armies + 1)
