"""The Emperor's Court, as the ledger tells it (E1 to E6)."""

from __future__ import annotations

from tests.naive.economy import put_up, receive_grain, receive_thalers, send_into_tray, site_obstacles
from tests.naive.expansions import COURTIERS_IN_THE_BOX
from tests.naive.table import Table

KINDS_OF_FAVOR = {
    "cancel": {1},
    "thalers": {2, 9, 16},
    "tray_armies": {3, 8, 14},
    "calm": {4},
    "grain": {5, 15, 20},
    "points": {6, 13, 19},
    "building": {7, 17, 21},
    "truce": {10, 11, 18},
    "free_armies": {12},
}  # E6
WARDED_OFF = {"A": ["combat_a"], "B": ["combat_b"], "A or B": ["combat_a", "combat_b"]}


def kind_of(favor: int) -> str:
    """What sort of favor a number is (E6)."""
    return next(kind for kind, numbers in KINDS_OF_FAVOR.items() if favor in numbers)


def worth_of(table: Table, favor: int):
    """What the board's file prints on the card: an amount, a building or combats."""
    return next(row["value"] for row in table.board.favors if row["number"] == favor)


def fill_hall(table: Table, fallen: dict) -> None:
    """A courtier for each own cube that fell out at the first fill (E1)."""
    for seat, player in table.players.items():
        player.hall += fallen[seat]
        player.counts["courtiers_first_fill"] += fallen[seat]


def price_of(table: Table, space: int) -> int:
    """The courtiers that a space costs, 0 the dearest (E2)."""
    return table.amount(f"favor_price_{('first', 'second', 'third')[space]}")


def shown_in(deck: list[int], rounds_before: int, shown: int = 3) -> list[int]:
    """The favors of a round, highest number first; as many cards left the deck in each round before (E2)."""
    return sorted(deck[shown * rounds_before :][:shown], reverse=True)


def petition(table: Table, seat: int, courtiers: int, card) -> bool:
    """Resolve a county card or a dice-tower card ("tower") on the box of so many courtiers (E4)."""
    player = table.players[seat]
    if card == "tower":
        enough = table.tray[seat] >= courtiers
    else:
        enough = table.land[card].armies - courtiers >= 1
    if not enough or player.hall + courtiers > COURTIERS_IN_THE_BOX:
        player.counts["court_failures"] += 1
        return False
    if card == "tower":
        table.tray[seat] -= courtiers
        player.counts["courtiers_for_cubes"] += courtiers
    else:
        table.land[card].armies -= courtiers
        player.counts["courtiers_for_armies"] += courtiers
    table.supply[seat] += courtiers
    player.hall += courtiers
    return True


def audience(table: Table, order: list[int]) -> list[int]:
    """Seats by courtiers in the hall, most first, ties by player order (E5)."""
    return sorted(order, key=lambda seat: (-table.players[seat].hall, order.index(seat)))


def affordable(table: Table, seat: int) -> set[int]:
    """The spaces, 0 the dearest, whose favor the seat can take (E2, E5)."""
    hall = table.players[seat].hall
    return {space for space, favor in enumerate(table.favors) if favor is not None and hall >= price_of(table, space)}


def take(table: Table, seat: int, space: int) -> int:
    """Pay for a shown favor; the courtiers return to the supply (E5)."""
    favor = table.favors[space]
    player = table.players[seat]
    table.favors[space] = None
    player.hall -= price_of(table, space)
    player.counts["favors"] += 1
    player.counts["courtiers_paid"] += price_of(table, space)
    player.counts[f"favor_{favor}"] += 1
    return favor


def counties_for(table: Table, seat: int, favor: int) -> set[str]:
    """Where a favor can be used (E6); empty where it needs no county or finds none."""
    own = table.counties_of(seat)
    if kind_of(favor) == "calm":
        return {name for name in own if table.land[name].markers}
    if kind_of(favor) == "building":
        return {name for name in own if not site_obstacles(table, name, worth_of(table, favor))}
    if kind_of(favor) == "free_armies" and table.supply[seat]:
        return {*own, *table.counties_of(None)}
    return set()


def grant(table: Table, seat: int, favor: int, county: str | None, cancel: bool) -> int:
    """The effect of a favor (E6); returns the amount that was gained or moved, where it brings one."""
    player, kind, worth = table.players[seat], kind_of(favor), worth_of(table, favor)
    amount = 0
    if kind == "cancel" and cancel:
        table.event = "none"
        player.counts["favor_cancelled"] += 1
    if kind == "thalers":
        amount = receive_thalers(table, seat, worth)
        player.counts["favor_thalers"] += amount
    if kind == "grain":
        amount = worth
        receive_grain(table, seat, worth)
        player.counts["favor_grain"] += worth
    if kind == "points":
        amount = worth
        player.points += worth
        player.counts["vp_favors"] += worth
    if kind == "tray_armies":
        amount = send_into_tray(table, seat, worth)
        player.counts["favor_tray_armies"] += amount
    if kind == "truce":
        for action in WARDED_OFF[worth]:
            table.truce[action].add(seat)
    if kind == "calm" and county is None:
        player.parry += 1
    elif kind == "calm":
        table.land[county].markers -= 1
        table.markers_left += 1
        player.counts["favor_calmed"] += 1
    if kind == "building" and county is not None:
        put_up(table, seat, county, worth)
        player.counts["favor_buildings"] += 1
    if kind == "free_armies" and county is not None:
        here = table.land[county]
        if here.owner is None:
            here.owner = seat
            player.counts["favor_counties"] += 1
        amount = min(worth, table.supply[seat])
        table.supply[seat] -= amount
        here.armies += amount
        player.counts["favor_armies"] += amount
    return amount
