"""Thalers, grain and armies for the tray, as the ledger tells it (B0.6, B0.7, E6, L1)."""

from __future__ import annotations

from tests.naive.table import Table


def receive_thalers(table: Table, seat: int, amount: int) -> int:
    """Thalers as far as the bank goes [A2] (B0.7); returns how many came."""
    if table.rules.bank:
        in_the_bank = table.rules.bank - sum(other.thalers for other in table.players.values())
        amount = min(amount, max(in_the_bank, 0))
    table.players[seat].thalers += amount
    return amount


def receive_grain(table: Table, seat: int, amount: int) -> None:
    """Grain up to the end of the food track [A1]; what lies above is lost (B0.6)."""
    player = table.players[seat]
    player.grain += amount
    while table.rules.food_track == "capped" and player.grain > table.amount("food_track_end"):
        player.grain -= 1
        player.counts["grain_over"] += 1


def send_into_tray(table: Table, seat: int, armies: int) -> int:
    """Armies from the supply into the tray, as far as the supply has them (E6, L1); returns how many went."""
    gone = 0
    while gone < armies and table.supply[seat]:
        table.supply[seat] -= 1
        table.tray[seat] += 1
        gone += 1
    return gone
