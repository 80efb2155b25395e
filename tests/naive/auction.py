"""The auction, as the ledger tells it (B4.1 to B4.3)."""

from __future__ import annotations

from tests.naive.table import Table

NOTHING = "no card"
TOWER = "tower"  # a dice-tower card counts as money 0 (E3)


def bid_class(table: Table, seat: int, bid) -> int:
    """Where a bid stands, 0 for the first to choose; `bid` is Thalers, a county, TOWER or NOTHING (B4.2, E3)."""
    if bid == NOTHING:
        return 6
    if bid == TOWER:
        bid = 0
    if isinstance(bid, str):
        return 4
    if bid > table.players[seat].thalers:  # possible only under `any` [A4]: it counts as 0
        bid = 0
    return {4: 0, 3: 1, 2: 2, 1: 3, 0: 5}[bid]


def order_is_right(table: Table, bids: dict, order: list[int]) -> bool:
    """Whether seats may choose in this order: by class, within a class in any order (B4.2)."""
    classes = [bid_class(table, seat, bids[seat]) for seat in order]
    return sorted(order) == sorted(bids) and classes == sorted(classes)


def pay_bids(table: Table, bids: dict) -> None:
    """Money bids go to the bank (B4.1)."""
    for seat, bid in bids.items():
        player = table.players[seat]
        if isinstance(bid, int) and bid <= player.thalers:
            player.thalers -= bid
            player.counts["paid_bids"] += bid
        elif isinstance(bid, str) and bid not in (NOTHING, TOWER):
            player.counts["county_bids"] += 1


def count_choosing(table: Table, order: list[int]) -> None:
    """Seats choose in an order, the first as number 1 (B4.2)."""
    for place, seat in enumerate(order, start=1):
        table.players[seat].counts["choosing_total"] += place


def player_order(boxes: dict[int, int]) -> list[int]:
    """Seats by the box they took, 1 to 5; boxes nobody took are skipped (B4.3)."""
    return [seat for box in range(1, 6) for seat, taken in boxes.items() if taken == box]
