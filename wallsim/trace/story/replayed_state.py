"""The table as it follows from the lines of a trace, updated line by line, without random numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    BUILDINGS,
    COURTIERS,
    EFFECTS,
    LOYAL_BELOW,
    NO_EFFECT,
    PEASANT_ARMIES,
    STATUES,
)
from wallsim.trace.match import Match
from wallsim.trace.story.vocabulary import effect_of

PEASANTS = "peasants"
Line = dict[str, Any]


class ReplayedState:
    """Who owns what after the lines read so far, with courtiers, favors, Landsknechte and leaders (E, L, M).

    `owner`, `armies`, `markers` and `buildings` by county, `supply`, `tray` and `tower` by colour (a seat as
    a string, or `peasants`), the rest by seat. `order` holds the seats in player order, `tile` their tiles;
    `effect` is what the round's event does, `none` once a favor has cancelled it. `hall` and `parry` count courtiers
    and kept favors, `favors` has the price of each favor still on offer by its number, `top` the numbers of the
    Landsknechte cards on top. `leader` is a county or None, `statues` a list of counties, `in_hand` and `trophies`
    count statues.
    """

    def __init__(self, match: Match) -> None:
        """The table before anything is dealt (B0.2, B1.1, B1.7, E1, L1, M1)."""
        players = match.players
        self.match = match
        self._capped = match.ruleset.food_track == "capped"
        self.owner: dict[str, int] = {}
        self.armies: Counter[str] = Counter()
        self.markers: Counter[str] = Counter()
        self.buildings: dict[str, list[str]] = defaultdict(list)
        self.supply = Counter({str(seat): ARMIES_PER_PLAYER for seat in range(players)})
        self.supply[PEASANTS] = PEASANT_ARMIES
        self.tray: Counter[str] = Counter()
        self.tower: Counter[str] = Counter()
        self.thalers = list(match.ruleset.starting_thalers())
        self.grain = [0] * players
        self.vp = [0] * players
        self.year = 1
        self.effect = EFFECTS[NO_EFFECT]
        self.order: list[int] = []
        self.tile: dict[int, str | None] = {}
        self.bid: dict[int, str | None] = {}
        self.plan: dict[int, dict[str, str | None]] = {}
        self.lost: set[tuple[int, str]] = set()  # seat and county lost since planning (B5.1)
        self.hall = [0] * players
        self.parry = [0] * players
        self.favors: dict[int, int] = {}
        self.top = [1] * players
        self.leader: list[str | None] = [None] * players
        self.statues: list[list[str]] = [[] for _ in range(players)]
        self.in_hand = [STATUES] * players
        self.trophies = [0] * players

    def counties(self, seat: int) -> list[str]:
        """The counties a seat owns."""
        return [county for county, owner in self.owner.items() if owner == seat]

    def stock(self, kind: str) -> int:
        """Building tiles of a kind left (B0.3)."""
        return self.match.amount(f"{kind}_tiles") - sum(kind in built for built in self.buildings.values())

    def markers_left(self) -> int:
        """Revolt markers not on the board (B0.4)."""
        return self.match.amount("revolt_markers") - self.markers.total()

    def is_loyal(self, county: str) -> bool:
        """Whether the county's peasants would fight for its owner (B6.6, V6)."""
        return self.markers[county] < LOYAL_BELOW[self.match.ruleset.edition]

    def guards(self, battle: Line) -> dict[str, int]:
        """What calls extra defenders from a player's supply, and how many: `tile`, `palace` (B4.4, B6.2, A15)."""
        county, on_player = battle["county"], battle["kind"] == "player"
        calls = {}
        if on_player and self.tile.get(self.owner[county]) == "defence":
            calls["tile"] = self.match.amount("tile_defence_armies")
        in_revolt = battle["kind"] == "revolt" and self.match.ruleset.palace_guard_in_revolts == "yes"
        has_guard = self.effect == "palace_guard" and "palace" in self.buildings.get(county, ())
        if has_guard and (on_player or in_revolt):
            calls["palace"] = self.match.amount("event_palace_guard_armies")
        return {call: number for call, number in calls.items() if number > 0}

    def defenders(self, battle: Line) -> tuple[int, int]:
        """Of a player's county before its battle: armies that fight, and extra ones its supply adds (B6.2, V5)."""
        seat = str(battle["defender"])
        extra = min(sum(self.guards(battle).values()), self.supply[seat])
        return battle["engaged"][seat] - extra, extra

    def aside(self, battle: Line) -> int:
        """Of a player's county before its battle: the armies that stand aside (V5)."""
        return self.armies[battle["county"]] - self.defenders(battle)[0]

    def courtiers(self, seat: int) -> int:
        """Courtiers in a seat's supply (E1)."""
        return COURTIERS - self.hall[seat]

    def leads(self, seat: int, county: str) -> bool:
        """Whether the seat's leader stands in the county (M2)."""
        return self.leader[seat] == county

    def statues_in(self, county: str) -> dict[int, int]:
        """How many statues each seat has in a county, only those that have any (M3)."""
        result = {seat: places.count(county) for seat, places in enumerate(self.statues)}
        return {seat: number for seat, number in result.items() if number}

    def read(self, line: Line) -> None:
        """Update the state by one line of the trace; lines that change nothing are passed over."""
        reader = getattr(self, f"_read_{line['t']}", None)
        if reader is not None:
            reader(line)

    def _read_deal(self, line: Line) -> None:
        self.owner[line["county"]] = line["seat"]
        self.armies[line["county"]] = line["armies"]
        self.supply[str(line["seat"])] -= line["armies"]

    def _read_fill(self, line: Line) -> None:
        for colour, dropped in line["dropped"].items():
            self.tower[colour] = dropped - line["out"][colour]
            self.supply[colour] -= self.tower[colour]
        if self.match.plays("court"):
            self.hall = [min(COURTIERS, line["out"][str(seat)]) for seat in range(self.match.players)]  # E1

    def _read_year(self, line: Line) -> None:
        self.year = line["year"]

    def _read_round(self, line: Line) -> None:
        self.lost.clear()
        self.favors = dict(zip(line["favors"], self.match.favor_prices(), strict=False))

    def _read_plan(self, line: Line) -> None:
        self.plan[line["seat"]], self.bid[line["seat"]] = line["boxes"], line["bid"]

    def _read_event(self, line: Line) -> None:
        self.effect = effect_of(self.match, line["event"])

    def _read_order(self, line: Line) -> None:
        self.tile = {seat: tile for seat, _, tile in line["picks"]}
        self.order = [seat for _, seat in sorted((box, seat) for seat, box, _ in line["picks"])]
        for seat, paid in enumerate(line["paid"]):
            self.thalers[seat] -= paid

    def _read_intervention(self, line: Line) -> None:
        do, seat = line["do"], line.get("seat", 0)
        if do == "cancel_event":
            self.effect = EFFECTS[NO_EFFECT]
        elif do == "hand":
            self.thalers[seat] += line["thalers"]
            self.grain[seat] += line["grain"]
            self.vp[seat] += line["vp"]
            if line["county"] is not None:
                self.armies[line["county"]] += line["armies"]
                self.supply[str(seat)] -= line["armies"]
        elif do == "trade":
            self._trade(*line["counties"])
        elif do == "place":
            other = line["with"]
            self.order = [{seat: other, other: seat}.get(one, one) for one in self.order]
        elif line["with"] is None:
            self.tile[seat] = line["to"]
        else:
            self.tile[seat], self.tile[line["with"]] = self.tile[line["with"]], self.tile[seat]

    def _trade(self, one: str, other: str) -> None:
        first, second = self.owner[one], self.owner[other]
        gain = self.armies[one] - self.armies[other]
        self.supply[str(first)] += gain
        self.supply[str(second)] -= gain
        self.owner[one], self.owner[other] = second, first
        for seat, old, new in ((self.owner[other], one, other), (self.owner[one], other, one)):
            if self.leader[seat] == old:
                self.leader[seat] = new

    def _read_action(self, line: Line) -> None:
        if not line["done"]:
            return
        seat, action, county = line["seat"], line["action"], line["county"]
        self.thalers[seat] -= line.get("paid", 0)
        if action in BUILDINGS:
            self.buildings[county].append(action)
            self.markers[county] -= line.get("calmed", False)
        elif action == "taxes":
            self.thalers[seat] += line["gain"]
        elif action == "grain":
            self._gain_grain(seat, line["gain"])
        self.markers[county] += line.get("marker", False)
        self.parry[seat] -= line.get("parried", False)
        self.armies[county] += line.get("armies", 0)
        self.supply[str(seat)] -= line.get("armies", 0)
        if "moved" in line:
            self.armies[county] -= line["moved"]
        if "to" in line:
            self.armies[line["to"]] += line["moved"]
        elif "target" in line:
            self.supply[str(seat)] += line["moved"]  # its battle took them from the supply: see below

    def _read_battle(self, line: Line) -> None:
        """Attackers count as from the supply until their action line tells how many came from a county."""
        county, winner = line["county"], line["result"]
        before = self.owner.get(county)
        aside = 0 if before is None else self.aside(line)
        for colour, dropped in line["engaged"].items():
            self.supply[colour] -= dropped
        if before is not None:
            self.supply[str(before)] += self.armies.pop(county)
        for colour, out in line["tray_after_drop"].items():
            self.supply[colour] += out - line["tray_after"][colour]
        self.tray, self.tower = Counter(line["tray_after"]), Counter(line["tower_after"])
        if before is not None and winner == "defender":
            self.armies[county] = line["survivors"] + aside
            self.supply[str(before)] -= self.armies[county]
        elif line["survivors"] > 0:
            self.owner[county], self.armies[county] = line["attacker"], line["survivors"]
            self.supply[str(line["attacker"])] -= line["survivors"]
        elif before is not None:
            del self.owner[county]
            self.markers.pop(county, None)
            self.buildings.pop(county, None)
        if before is not None and self.owner.get(county) != before:
            self.lost.add((before, county))

    def _read_winter(self, line: Line) -> None:
        self.grain[line["seat"]] = line["grain"]

    def _read_score(self, line: Line) -> None:
        self.vp[line["seat"]] = line["vp"]
        self.top[line["seat"]] = 1  # L2

    def _read_state(self, line: Line) -> None:
        """What goes at the end of a year has no line of its own: the snapshot says what is left (B7.5)."""
        self.grain = list(line["grain"])
        self.markers = Counter({county: held["markers"] for county, held in line["counties"].items()})

    def _gain_grain(self, seat: int, amount: int) -> None:
        self.grain[seat] += amount
        if self._capped:
            self.grain[seat] = min(self.match.amount("food_track_end"), self.grain[seat])

    def _read_leader(self, line: Line) -> None:
        seat, county = line["seat"], line["county"]
        self.leader[seat] = county
        if line["statue"]:
            self.statues[seat].append(line["from"])
            self.in_hand[seat] -= 1
        for other, number in self.statues_in(county).items() if county is not None else ():
            if other != seat:
                self.statues[other] = [place for place in self.statues[other] if place != county]
                self.trophies[seat] += number

    def _read_landsknechte(self, line: Line) -> None:
        self.top[line["seat"]] = line["card"]
        self._receive(line["seat"], line["benefit"], line["amount"])

    def _read_convert(self, line: Line) -> None:
        if not line["done"]:
            return
        seat, courtiers = line["seat"], line["box"]
        if line["card"] == "tower":
            self.tray[str(seat)] -= courtiers
        else:
            self.armies[line["card"].partition(":")[2]] -= courtiers
        self.supply[str(seat)] += courtiers
        self.hall[seat] += courtiers

    def _read_favor(self, line: Line) -> None:
        seat, number = line["seat"], line["number"]
        favor, county = self.match.favor(number), line.get("county")
        self.hall[seat] -= line["cost"]
        self.favors.pop(number)
        kind, value = favor["kind"], favor["value"]
        if kind == "cancel_event":
            self.effect = EFFECTS[NO_EFFECT] if line["cancelled"] else self.effect
        elif kind == "calm":
            if county is None:
                self.parry[seat] += value
            else:
                self.markers[county] -= min(value, self.markers[county])
        elif kind == "free_building" and county is not None:
            self.buildings[county].append(line["building"])
            self.markers[county] -= line.get("calmed", False)
        elif kind == "free_armies" and county is not None:
            self.owner[county] = seat
            self.armies[county] += line["amount"]
            self.supply[str(seat)] -= line["amount"]
        elif "amount" in line:
            self._receive(seat, kind, line["amount"])

    def _receive(self, seat: int, what: str, amount: int) -> None:
        """What both favors and Landsknechte bring (E6, L1)."""
        if what == "thalers":
            self.thalers[seat] += amount
        elif what == "grain":
            self._gain_grain(seat, amount)
        elif what == "victory_points":
            self.vp[seat] += amount
        elif what == "tray_armies":
            self.supply[str(seat)] -= amount
            self.tray[str(seat)] += amount
