"""The table as it follows from the lines of a trace, kept up to date line by line, without any dice."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import (
    ARMIES_A_PLAYER,
    BUILDING_STOCK,
    BUILDINGS,
    FOOD_TRACK_END,
    PEASANT_ARMIES,
    REVOLT_MARKERS,
    STARTING_THALERS,
)

PEASANTS = "peasants"
Line = dict[str, Any]


class Books:
    """Who owns what after the lines read so far.

    `owner`, `armies`, `markers` and `buildings` by county, `supply`, `tray` and `tower` by colour (a seat as
    a string, or `peasants`), the rest by seat. `order` holds the seats in player order, `tile` their tiles.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """The table before anything is dealt (B0.2, B1.1, B1.7)."""
        players = ruleset.players
        self._capped = ruleset.food_track == "capped"
        self.owner: dict[str, int] = {}
        self.armies: Counter[str] = Counter()
        self.markers: Counter[str] = Counter()
        self.buildings: dict[str, list[str]] = defaultdict(list)
        self.supply = Counter({str(seat): ARMIES_A_PLAYER for seat in range(players)})
        self.supply[PEASANTS] = PEASANT_ARMIES
        self.tray: Counter[str] = Counter()
        self.tower: Counter[str] = Counter()
        self.thalers = [STARTING_THALERS[players]] * players
        self.grain = [0] * players
        self.vp = [0] * players
        self.year = 1
        self.event = ""  # the name of the round's event
        self.order: list[int] = []
        self.tile: dict[int, str] = {}
        self.bid: dict[int, str | None] = {}
        self.plan: dict[int, dict[str, str | None]] = {}
        self.lost: set[tuple[int, str]] = set()  # seat and county lost since planning (B5.1)

    def counties(self, seat: int) -> list[str]:
        """The counties a seat owns."""
        return [county for county, owner in self.owner.items() if owner == seat]

    def stock(self, kind: str) -> int:
        """Building tiles of a kind left (B0.3)."""
        return BUILDING_STOCK[BUILDINGS.index(kind)] - sum(kind in built for built in self.buildings.values())

    def markers_left(self) -> int:
        """Revolt markers not on the board (B0.4)."""
        return REVOLT_MARKERS - self.markers.total()

    def read(self, line: Line) -> None:
        """Change the books by one line of the trace; lines that change nothing are passed over."""
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

    def _read_year(self, line: Line) -> None:
        self.year = line["year"]

    def _read_round(self, line: Line) -> None:
        self.lost.clear()

    def _read_plan(self, line: Line) -> None:
        self.plan[line["seat"]], self.bid[line["seat"]] = line["boxes"], line["bid"]

    def _read_event(self, line: Line) -> None:
        self.event = line["event"]

    def _read_order(self, line: Line) -> None:
        self.tile = {seat: tile for seat, _, tile in line["picks"]}
        self.order = [seat for _, seat in sorted((box, seat) for seat, box, _ in line["picks"])]
        for seat, paid in enumerate(line["paid"]):
            self.thalers[seat] -= paid

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
            self.grain[seat] += line["gain"]
            if self._capped:
                self.grain[seat] = min(FOOD_TRACK_END, self.grain[seat])
        self.markers[county] += line.get("marker", False)
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
        for colour, dropped in line["engaged"].items():
            self.supply[colour] -= dropped
        if before is not None:
            self.supply[str(before)] += self.armies.pop(county)
        for colour, out in line["tray_after_drop"].items():
            self.supply[colour] += out - line["tray_after"][colour]
        self.tray, self.tower = Counter(line["tray_after"]), Counter(line["tower_after"])
        if line["survivors"] > 0:
            after = line["attacker"] if winner == "attacker" else line["defender"]
            self.owner[county], self.armies[county] = after, line["survivors"]
            self.supply[str(after)] -= line["survivors"]
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
        if self.year == 1 and line["seat"] == len(self.vp) - 1:  # B7.5
            self.grain = [0] * len(self.vp)
            self.markers.clear()
