"""Receiving, building, collecting, deploying and moving, as the ledger tells it (B0.6, B0.7, B5.2 to B5.8, V3)."""

from __future__ import annotations

from tests.naive.combat import revolt
from tests.naive.scene import NO_ARMIES, NO_MONEY, NO_SITE, NO_TILE_LEFT
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


def leads(table: Table, seat: int, county: str) -> bool:
    """Whether the seat's leader stands in the county (M2)."""
    return table.players[seat].leader == county


def site_obstacles(table: Table, county: str, kind: str) -> set[str]:
    """Why a building cannot stand in a county, money aside (B5.3, B0.3)."""
    here, obstacles = table.land[county], set()
    if kind in here.buildings or table.sites(county) - len(here.buildings) < 1:
        obstacles.add(NO_SITE)
    if table.stock(kind) < 1:
        obstacles.add(NO_TILE_LEFT)
    return obstacles


def build(table: Table, seat: int, county: str, kind: str) -> set[str]:
    """Pay for a building and put it up (B5.3, M2); returns why not, an empty set if it was done (B5.2)."""
    player, obstacles = table.players[seat], site_obstacles(table, county, kind)
    price = table.amount(f"{kind}_price")
    if leads(table, seat, county):
        price = max(price - table.amount("leader_building_discount"), 0)  # M2
    if player.thalers < price:
        obstacles.add(NO_MONEY)
    if obstacles:
        return obstacles
    player.thalers -= price
    player.counts[f"paid_{kind}"] += price
    put_up(table, seat, county, kind)
    return set()


def put_up(table: Table, seat: int, county: str, kind: str) -> None:
    """A building comes into a county; under its event a trading post calms (B5.3, E6)."""
    here = table.land[county]
    here.buildings.add(kind)
    if kind == "trading_post" and table.event == "trading_post_calms" and here.markers:
        here.markers -= 1
        table.markers_left += 1
        table.players[seat].counts["markers_removed"] += 1


def income(table: Table, seat: int, county: str, action: str) -> int:
    """What collecting brings: the county's number, then event, tile and leader (B4.4, B4.5, M2)."""
    printed, limit, tile, what = {
        "taxes": (table.tax(county), "tax", "thaler", "taxes_thalers"),
        "grain": (table.food(county), "grain", "grain", "grain_grain"),
    }[action]
    unit = what.split("_")[1]
    amount = printed
    if table.event.startswith(f"{limit}_max"):
        amount = min(amount, table.amount(f"event_{limit}_max_{unit}"))
    if table.event.startswith(f"{limit}_min"):
        amount = max(amount, table.amount(f"event_{limit}_min_{unit}"))
    if table.players[seat].tile == tile:
        amount += table.amount(f"tile_{what}")
    if leads(table, seat, county):
        amount += table.amount(f"leader_{what}")
    return amount


def take_income(table: Table, seat: int, county: str, action: str) -> None:
    """Take what a county brings (B5.4); grain that is lost at the end of the food track was collected too."""
    amount = income(table, seat, county, action)
    if action == "taxes":
        amount = receive_thalers(table, seat, amount)
    else:
        receive_grain(table, seat, amount)
    table.players[seat].counts[action] += amount


def place_marker(table: Table, seat: int, county: str) -> None:
    """A revolt marker comes, if one is left (B0.4), unless a kept favor parries it (E6)."""
    player = table.players[seat]
    if table.markers_left and player.parry:
        player.parry -= 1
        player.counts["favor_parried"] += 1
    elif table.markers_left:
        table.land[county].markers += 1
        table.markers_left -= 1
        player.counts["markers_placed"] += 1


def collect(
    table: Table, seat: int, county: str, action: str, fallen: dict | None, defenders: int | None = None
) -> set[str]:
    """Collect, then face the revolt (B5.4, B5.5); `fallen` is what the tower let fall if there was a cast."""
    first = table.rules.income == "first"
    markers = table.land[county].markers
    if first:
        take_income(table, seat, county, action)
    peasants = markers
    if table.rules.edition == "1e" and table.rules.revolting_markers == "with_own":
        peasants += 1  # [A16]
    peasants *= table.amount("revolt_peasants")
    held = revolt(table, county, peasants, fallen, defenders=defenders) if markers >= 1 else True
    if held and not first:
        take_income(table, seat, county, action)
    if held:
        place_marker(table, seat, county)
    return set()


def deploy(table: Table, seat: int, county: str, action: str) -> set[str]:
    """Deploy 5 or deploy 3 (B5.6, B4.4, B4.5, M2); returns why not."""
    player = table.players[seat]
    price = table.amount(f"{action}_price")
    armies = table.amount(f"{action}_armies")
    if table.event == "small_levies":
        armies = table.amount(f"event_small_levies_{action}_armies")
    with_bonus = armies
    if action == "deploy5" and player.tile == "six_armies" and table.amount("tile_deploy5_armies") > armies:
        with_bonus = table.amount("tile_deploy5_armies")
    if leads(table, seat, county):
        with_bonus += table.amount("leader_deploy_armies")
    needed = armies if table.rules.short_supply == "action_number" else with_bonus
    return _levy(table, seat, county, price, needed, with_bonus, f"paid_{action}")


def deploy_one(table: Table, seat: int, county: str) -> set[str]:
    """The first half of deploy 1 / move (B5.7, M2); returns why not."""
    armies = table.amount("deploy1_armies")
    with_bonus = armies + (table.amount("leader_deploy_armies") if leads(table, seat, county) else 0)
    needed = armies if table.rules.short_supply == "action_number" else with_bonus
    return _levy(table, seat, county, table.amount("deploy1_price"), needed, with_bonus, "paid_deploy1")


def _levy(table, seat, county, price, needed, with_bonus, counted):
    player, obstacles = table.players[seat], set()
    if player.thalers < price:
        obstacles.add(NO_MONEY)
    if table.supply[seat] < needed:
        obstacles.add(NO_ARMIES)
    if obstacles:
        return obstacles
    player.thalers -= price
    player.counts[counted] += price
    for _ in range(with_bonus):
        if table.supply[seat]:
            table.supply[seat] -= 1
            table.land[county].armies += 1
            player.counts["armies_deployed"] += 1
    return set()


def march(table: Table, origin: str, destination: str, armies: int) -> None:
    """Move armies to an own neighbour, leaving at least one (B5.7, B5.8)."""
    start, goal = table.land[origin], table.land[destination]
    assert destination in table.neighbours(origin), f"{origin} does not touch {destination}"
    assert start.owner == goal.owner is not None
    assert 1 <= armies < start.armies
    start.armies -= armies
    goal.armies += armies


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
