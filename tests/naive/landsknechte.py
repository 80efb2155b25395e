"""The Landsknechte, as the ledger tells it (L1, L2)."""

from __future__ import annotations

from tests.naive.economy import receive_grain, receive_thalers, send_into_tray
from tests.naive.table import Table

BENEFITS = {
    "thalers": "landsknecht_thalers",
    "tray_armies": "landsknecht_tray_armies",
    "grain": "landsknecht_grain",
    "victory_points": "vp_landsknechte",
}  # each with what counts it


def shown_on_top(table: Table, seat: int) -> dict[str, int]:
    """The benefits printed on the seat's top card."""
    number = table.players[seat].banner
    row = next(row for row in table.board.landsknechte if row["card"] == number)
    return {benefit: row[benefit] for benefit in BENEFITS if row[benefit]}


def regions_of(table: Table, seat: int) -> set[str]:
    """The regions in which a seat holds a county."""
    return {table.region(county) for county in table.counties_of(seat)}


def slide(table: Table, seat: int) -> bool:
    """With counties in enough regions the top card goes to the bottom (L1); whether it did."""
    if len(regions_of(table, seat)) < table.amount("landsknechte_regions"):
        return False
    player = table.players[seat]
    player.banner = player.banner + 1 if player.banner < 4 else 1
    return True


def choices(table: Table, seat: int) -> set[str]:
    """The benefits of the top card that bring something (L1)."""
    return {name for name in shown_on_top(table, seat) if name != "tray_armies" or table.supply[seat]}


def take(table: Table, seat: int, benefit: str) -> int:
    """One benefit of the top card (L1); returns how much came."""
    amount, player = shown_on_top(table, seat)[benefit], table.players[seat]
    if benefit == "thalers":
        amount = receive_thalers(table, seat, amount)
    elif benefit == "tray_armies":
        amount = send_into_tray(table, seat, amount)
    elif benefit == "grain":
        receive_grain(table, seat, amount)
    else:
        player.points += amount
    player.counts["landsknecht_cards"] += 1
    player.counts[BENEFITS[benefit]] += amount
    return amount


def order_again(table: Table) -> None:
    """After winter the empty banner lies on top (L2)."""
    for player in table.players.values():
        player.banner = 1
