"""The military leaders, as the ledger tells it (M1, M3 to M5); their bonuses (M2) stand with the actions."""

from __future__ import annotations

from tests.naive.expansions import statues_in_hand
from tests.naive.table import Table


def enter(table: Table, seat: int, county: str) -> set[int]:
    """The leader comes into a county: every opponent's statue there is a trophy (M3); returns who lost one."""
    leader = table.players[seat]
    leader.leader = county
    losers = set()
    for other, player in table.players.items():
        if other == seat:
            continue
        while player.statues[county]:
            player.statues[county] -= 1
            player.statues_lost += 1
            player.counts["statues_lost"] += 1
            leader.trophies += 1
            leader.counts["trophies"] += 1
            losers.add(other)
        player.statues.pop(county, None)
    return losers


def may_leave_statue(table: Table, seat: int, goal: str) -> bool:
    """Only on the way to an adjacent county, and one of an owner's statues a county [A10] (M3)."""
    player = table.players[seat]
    if goal not in table.neighbours(player.leader) or statues_in_hand(player) == 0:
        return False
    return table.rules.statues_a_county == "any" or player.statues[player.leader] == 0


def leave_statue(table: Table, seat: int) -> None:
    """A statue for the county the leader stands in (M3)."""
    player = table.players[seat]
    player.statues[player.leader] += 1
    player.counts["statues_left"] += 1


def must_move(table: Table, seat: int) -> bool:
    """With another county the leader on the board moves there (M3)."""
    return table.players[seat].leader is not None and len(table.counties_of(seat)) >= 2


def must_leave(table: Table, seat: int) -> bool:
    """With one county only the leader stays, or leaves [A11] (M3)."""
    alone = table.players[seat].leader is not None and table.counties_of(seat) == [table.players[seat].leader]
    return alone and table.rules.single_county == "leaves"


def returns(table: Table, seat: int) -> bool:
    """A leader off the board comes back into an own county, if there is one (M4)."""
    return table.players[seat].leader is None and bool(table.counties_of(seat))


def score(table: Table) -> None:
    """Points for each own statue on the board and each trophy, each winter or in the last [A12] (M5)."""
    if table.rules.statue_points == "at_the_end" and table.year == 0:
        return
    for player in table.players.values():
        standing = sum(player.statues.values()) * table.amount("statue_points")
        trophies = player.trophies * table.amount("trophy_points")
        player.points += standing + trophies
        player.counts[f"vp_statues_year{table.year + 1}"] += standing
        player.counts[f"vp_trophies_year{table.year + 1}"] += trophies
