"""Building, collecting, deploying and moving, as the ledger tells it (B5.2 to B5.8)."""

from __future__ import annotations

from tests.naive.combat import revolt
from tests.naive.table import Table

PRICES = {"palace": 3, "church": 2, "trading_post": 1}


def build(table: Table, seat: int, county: str, kind: str) -> set[str]:
    """Put up a building (B5.3); returns why not, an empty set if it was done (B5.2)."""
    here, player = table.land[county], table.players[seat]
    obstacles = set()
    if kind in here.buildings or table.sites(county) - len(here.buildings) < 1:
        obstacles.add("no free building site")
    if table.stock(kind) < 1:
        obstacles.add("no building tile left")
    if player.thalers < PRICES[kind]:
        obstacles.add("not enough Thalers")
    if obstacles:
        return obstacles
    player.thalers -= PRICES[kind]
    player.counts[f"paid_{kind}"] += PRICES[kind]
    here.buildings.add(kind)
    if kind == "trading_post" and table.event == "trading_post_calms" and here.markers:
        here.markers -= 1
        table.markers_left += 1
        player.counts["markers_removed"] += 1
    return set()


def income(table: Table, seat: int, county: str, action: str) -> int:
    """What collecting brings: the county's number, then the event, then the tile (B4.4, B4.5)."""
    if action == "taxes":
        amount = table.tax(county)
        if table.event == "tax_max_5" and amount > 5:
            amount = 5
        if table.event == "tax_min_6" and amount < 6:
            amount = 6
        return amount + 1 if table.players[seat].tile == "thaler" else amount
    amount = table.food(county)
    if table.event == "grain_max_3" and amount > 3:
        amount = 3
    if table.event == "grain_min_4" and amount < 4:
        amount = 4
    return amount + 1 if table.players[seat].tile == "grain" else amount


def take_income(table: Table, seat: int, county: str, action: str) -> None:
    """Thalers as far as the bank goes [A2], grain up to 18 [A1]; what lies above 18 is lost (B0.6, B0.7)."""
    player = table.players[seat]
    amount = income(table, seat, county, action)
    if action == "taxes":
        if table.rules.bank:
            in_the_bank = table.rules.bank - sum(other.thalers for other in table.players.values())
            amount = min(amount, max(in_the_bank, 0))
        player.thalers += amount
    else:
        player.grain += amount
        while table.rules.food_track == "capped" and player.grain > 18:
            player.grain -= 1
            player.counts["grain_over"] += 1
    player.counts[action] += amount


def collect(table: Table, seat: int, county: str, action: str, fallen: dict | None) -> set[str]:
    """Collect, then face the revolt (B5.4, B5.5); `fallen` is what the tower let fall if there was a cast."""
    here = table.land[county]
    first = table.rules.income == "first"
    markers = here.markers
    if first:
        take_income(table, seat, county, action)
    held = revolt(table, county, markers, fallen) if markers >= 1 else True
    if held and not first:
        take_income(table, seat, county, action)
    if held and table.markers_left:
        here.markers += 1
        table.markers_left -= 1
        table.players[seat].counts["markers_placed"] += 1
    return set()


def deploy(table: Table, seat: int, county: str, action: str) -> set[str]:
    """Deploy 5 or deploy 3 (B5.6, B4.4, B4.5); returns why not."""
    player = table.players[seat]
    price = {"deploy5": 3, "deploy3": 2}[action]
    armies = {"deploy5": 5, "deploy3": 3}[action]
    if table.event == "small_levies":
        armies = {5: 3, 3: 2}[armies]
    with_bonus = 6 if action == "deploy5" and player.tile == "six_armies" else armies
    needed = armies if table.rules.short_supply == "action_number" else with_bonus
    obstacles = set()
    if player.thalers < price:
        obstacles.add("not enough Thalers")
    if table.supply[seat] < needed:
        obstacles.add("not enough armies in the supply")
    if not obstacles:
        player.thalers -= price
        player.counts[f"paid_{action}"] += price
        for _ in range(with_bonus):
            if table.supply[seat]:
                _deploy_an_army(table, seat, county)
    return obstacles


def deploy_one(table: Table, seat: int, county: str) -> set[str]:
    """The first half of deploy 1 / move (B5.7); returns why not."""
    player = table.players[seat]
    obstacles = set()
    if player.thalers < 1:
        obstacles.add("not enough Thalers")
    if table.supply[seat] < 1:
        obstacles.add("not enough armies in the supply")
    if not obstacles:
        player.thalers -= 1
        player.counts["paid_deploy1"] += 1
        _deploy_an_army(table, seat, county)
    return obstacles


def march(table: Table, origin: str, destination: str, armies: int) -> None:
    """Move armies to an own neighbour, leaving at least one (B5.7, B5.8)."""
    start, goal = table.land[origin], table.land[destination]
    assert destination in table.neighbours(origin), f"{origin} does not touch {destination}"
    assert start.owner == goal.owner is not None
    assert 1 <= armies < start.armies
    start.armies -= armies
    goal.armies += armies


def _deploy_an_army(table: Table, seat: int, county: str) -> None:
    table.supply[seat] -= 1
    table.land[county].armies += 1
    table.players[seat].counts["armies_deployed"] += 1
