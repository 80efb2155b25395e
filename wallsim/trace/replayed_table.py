"""The table of a game, replayed from the lines of its trace: in the form of a `state` line, and where the game is."""

from __future__ import annotations

from typing import Any

from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    BUILDINGS,
    COURTIERS,
    EFFECTS,
    LOYAL_BELOW,
    NO_EFFECT,
    PEASANT_ARMIES,
    SEASONS,
    SHOWN_ACTIONS,
    STATUES,
    WINTER,
)
from wallsim.trace.match import Match

PEASANTS = "peasants"
BID, COURT = "bid", "court"  # boxes besides those of the ten actions
Line = dict[str, Any]
Table = dict[str, Any]


class ReplayedTable:
    """The table as it follows from the lines of a trace, updated line by line, without random numbers.

    What a `state` line has is here by the same names and in the same form, of all expansions (E, L, M). `order` holds
    the seats in player order, `tile` their tiles; `plans` are those of the round by seat as text; `effect` is what the
    round's event does, `none` once a favor has cancelled it; `favors` has the price of each favor still on offer by its
    number. `in_hand` counts statues. `where` has the year and the season with what lies open, as in `tables`, and
    `revealed` the boxes of the plans that lie open.
    """

    def __init__(self, match: Match) -> None:
        """The table before anything is dealt (B0.2, B1.1, B1.7, E1, L1, M1)."""
        players = match.players
        self.match = match
        self.counties: dict[str, dict[str, Any]] = {}
        self.supply = {**{str(seat): ARMIES_PER_PLAYER for seat in range(players)}, PEASANTS: PEASANT_ARMIES}
        self.tray = dict.fromkeys(self.supply, 0)
        self.tower = dict.fromkeys(self.supply, 0)
        self.thalers = list(match.ruleset.starting_thalers())
        self.grain, self.vp, self.hall, self.parry, self.trophies = ([0] * players for _ in range(5))
        self.top = [1] * players
        self.leaders: list[str | None] = [None] * players
        self.statues: list[list[str]] = [[] for _ in range(players)]
        self.in_hand = [STATUES] * players
        self.where: Table = {}
        self.effect = EFFECTS[NO_EFFECT]
        self.order: list[int] = []
        self.tile: dict[int, str | None] = {}
        self.plans: dict[str, Table] = {}
        self.revealed: list[str] = []
        self.favors: dict[int, int] = {}

    # ----------------------------------------------------------------------------------------- what lies there

    @property
    def stock(self) -> dict[str, int]:
        """Building tiles left, by kind (B0.3)."""
        built = [kind for held in self.counties.values() for kind in held["buildings"]]
        return {kind: self.match.amount(f"{kind}_tiles") - built.count(kind) for kind in BUILDINGS}

    @property
    def markers(self) -> int:
        """Revolt markers not on the board (B0.4)."""
        placed: int = sum(held["markers"] for held in self.counties.values())
        return self.match.amount("revolt_markers") - placed

    @property
    def year(self) -> int:
        """The year, 1 before the first."""
        return int(self.where.get("year", 1))

    @property
    def season(self) -> str:
        """The season and its year, such as `fall 1`; empty before the first."""
        return f"{self.where['season']} {self.where['year']}" if "season" in self.where else ""

    @property
    def events(self) -> tuple[str, ...]:
        """The events that may still come this year: none in winter."""
        left = self.where.get("events", ())
        return () if self.where.get("season") == SEASONS[WINTER] else tuple(left)

    def at(self, county: str) -> dict[str, Any]:
        """Owner, armies, buildings in the order of their building, and markers of a county; None or none if neutral."""
        return self.counties.get(county) or {"owner": None, "armies": 0, "buildings": [], "markers": 0}

    def owned(self, seat: int) -> list[str]:
        """The counties a seat owns."""
        return [county for county, held in self.counties.items() if held["owner"] == seat]

    def card(self, seat: int, box: str) -> str | None:
        """What lies on a box of a seat's plan, an action's or that of the bid; None for nothing."""
        plan = self.plans[str(seat)]
        card: str | None = plan.get(BID) if box == BID else plan["boxes"].get(box)
        return card

    def is_loyal(self, county: str) -> bool:
        """Whether the county's peasants would fight for its owner (B6.6, V6)."""
        return bool(self.at(county)["markers"] < LOYAL_BELOW[self.match.ruleset.edition])

    def courtiers(self, seat: int) -> int:
        """Courtiers in a seat's supply (E1)."""
        return COURTIERS - self.hall[seat]

    def leads(self, seat: int, county: str) -> bool:
        """Whether the seat's leader stands in the county (M2)."""
        return self.leaders[seat] == county

    def statues_in(self, county: str) -> dict[int, int]:
        """How many statues each seat has in a county, only those that have any (M3)."""
        result = {seat: places.count(county) for seat, places in enumerate(self.statues)}
        return {seat: number for seat, number in result.items() if number}

    # ------------------------------------------------------------------------------------------ before a battle

    def guards(self, battle: Line) -> dict[str, int]:
        """What calls extra defenders from a player's supply, and how many: `tile`, `palace` (B4.4, B6.2, A15)."""
        on_player, amount = battle["kind"] == "player", self.match.amount
        held = self.at(battle["county"])
        calls = {}
        if on_player and self.tile.get(held["owner"]) == "defence":
            calls["tile"] = amount("tile_defence_armies")
        in_revolt = battle["kind"] == "revolt" and self.match.ruleset.palace_guard_in_revolts == "yes"
        if self.effect == "palace_guard" and "palace" in held["buildings"] and (on_player or in_revolt):
            calls["palace"] = amount("event_palace_guard_armies")
        return {call: number for call, number in calls.items() if number > 0}

    def defenders(self, battle: Line) -> tuple[int, int]:
        """Of a player's county before its battle: armies that fight, and extra ones its supply adds (B6.2, V5)."""
        seat = str(battle["defender"])
        extra = min(sum(self.guards(battle).values()), self.supply[seat])
        return battle["engaged"][seat] - extra, extra

    def aside(self, battle: Line) -> int:
        """Of a player's county before its battle: the armies that stand aside (V5)."""
        armies: int = self.at(battle["county"])["armies"]
        return armies - self.defenders(battle)[0]

    # ------------------------------------------------------------------------------------------ line after line

    def read(self, line: Line) -> None:
        """Update the table by one line of the trace; lines that change nothing are passed over."""
        reader = getattr(self, f"_read_{line['t']}", None)
        if reader is not None:
            reader(line)

    def turn_to(self, action: str) -> None:
        """An action is carried out: its boxes and those before it lie open (B3.5, B2.1)."""
        actions = self.where["actions"]
        done = actions.index(action)
        self._reveal(COURT, *actions[: done + 1])
        self.where |= {"action": action, "shown": min(len(actions), SHOWN_ACTIONS + done)}

    def _reveal(self, *boxes: str) -> None:
        self.revealed += [box for box in boxes if box not in self.revealed]

    def _begin(self, season: str, **opened: Any) -> None:
        year = {name: value for name, value in self.where.items() if name in ("year", "events")}
        self.where = {**year, "season": season, **opened}
        self.plans, self.revealed, self.order = {}, [], []

    def _read_deal(self, line: Line) -> None:
        self._settle(line["county"], line["seat"], line["armies"])

    def _settle(self, county: str, seat: int, armies: int) -> None:
        """Armies of a supply take a county, or join their owner's there."""
        held = self.counties.setdefault(county, {"owner": seat, "armies": 0, "buildings": [], "markers": 0})
        held["armies"] += armies
        self.supply[str(seat)] -= armies

    def _read_fill(self, line: Line) -> None:
        for colour, dropped in line["dropped"].items():
            self.tower[colour] = dropped - line["out"][colour]
            self.supply[colour] -= self.tower[colour]
        if self.match.plays("court"):
            self.hall = [min(COURTIERS, line["out"][str(seat)]) for seat in range(self.match.players)]  # E1

    def _read_year(self, line: Line) -> None:
        self.where, self.favors = {"year": line["year"], "events": list(line["events"])}, {}

    def _read_round(self, line: Line) -> None:
        places = {str(box): tile for box, tile in enumerate(line["tiles"], 1)}
        self._begin(line["season"], actions=list(line["order"]), shown=SHOWN_ACTIONS, places=places)
        self.favors = dict(zip(line["favors"], self.match.favor_prices(), strict=False))

    def _read_plan(self, line: Line) -> None:
        plan: Table = {"boxes": _covered(line["boxes"])}
        if line[BID] is not None:
            plan[BID] = line[BID]
        if COURT in line:
            plan[COURT] = _covered(line[COURT])
        self.plans[str(line["seat"])] = plan

    def _read_event(self, line: Line) -> None:
        self.effect = self.match.effect(line["event"])
        self.where["events"].remove(line["event"])
        self.where["event"] = line["event"]

    def _read_order(self, line: Line) -> None:
        self.tile = {seat: tile for seat, _, tile in line["picks"]}
        self.order = [seat for _, seat in sorted((box, seat) for seat, box, _ in line["picks"])]
        self._reveal(BID)
        for seat, paid in enumerate(line["paid"]):
            self.thalers[seat] -= paid

    def _read_intervention(self, line: Line) -> None:
        do, seat = line["do"], line.get("seat", 0)
        if do == "cancel_event":
            self.effect = EFFECTS[NO_EFFECT]
        elif do == "hand":
            for what in ("thalers", "grain", "vp"):
                getattr(self, what)[seat] += line[what]
            if line["county"] is not None:
                self._settle(line["county"], seat, line["armies"])
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
        """Two counties change owners, with as many armies as before."""
        first, second = self.counties[one], self.counties[other]
        gain = first["armies"] - second["armies"]
        self.supply[str(first["owner"])] += gain
        self.supply[str(second["owner"])] -= gain
        first["owner"], second["owner"] = second["owner"], first["owner"]
        for seat, old, new in ((second["owner"], one, other), (first["owner"], other, one)):
            if self.leaders[seat] == old:
                self.leaders[seat] = new

    def _read_action(self, line: Line) -> None:
        self.turn_to(line["action"])
        if not line["done"]:
            return
        seat, action, county = line["seat"], line["action"], line["county"]
        self.thalers[seat] -= line.get("paid", 0)
        self.parry[seat] -= line.get("parried", False)
        if action in BUILDINGS:
            self._build(county, action, line.get("calmed", False))
        elif action in ("taxes", "grain"):
            self._receive(seat, "thalers" if action == "taxes" else action, line["gain"])
        if county not in self.counties:  # lost in the revolt
            return
        self.counties[county]["markers"] += line.get("marker", False)
        self._settle(county, seat, line.get("armies", 0) - line.get("moved", 0))
        if "to" in line:
            self._settle(line["to"], seat, line["moved"])

    def _build(self, county: str, kind: str, calmed: bool) -> None:
        held = self.counties[county]
        held["buildings"].append(kind)
        held["markers"] -= calmed

    def _read_battle(self, line: Line) -> None:
        """Attackers count as from the supply until their action line tells how many came from a county."""
        county, result, survivors = line["county"], line["result"], line["survivors"]
        before = self.at(county)["owner"]
        aside = 0 if before is None else self.aside(line)
        for colour, dropped in line["engaged"].items():
            self.supply[colour] -= dropped
        for colour, out in line["tray_after_drop"].items():
            self.supply[colour] += out - line["tray_after"][colour]
        self.tray, self.tower = dict(line["tray_after"]), dict(line["tower_after"])
        if before is not None:
            self.supply[str(before)] += self.counties[county]["armies"]
            self.counties[county]["armies"] = 0
        if before is not None and result == "defender":
            self._settle(county, before, survivors + aside)
        elif survivors > 0:
            self._settle(county, line["attacker"], survivors)
            self.counties[county]["owner"] = line["attacker"]
        elif before is not None:
            del self.counties[county]

    def _read_winter(self, line: Line) -> None:
        self._begin(SEASONS[WINTER])
        self.grain[line["seat"]] = line["grain"]

    def _read_score(self, line: Line) -> None:
        self.vp[line["seat"]] = line["vp"]
        self.top[line["seat"]] = 1  # L2

    def _read_state(self, line: Line) -> None:
        """The season is over; what goes at the end of a year has no line, but the snapshot has what is left (B7.5)."""
        self.grain = list(line["grain"])
        for county, held in line["counties"].items():
            self.counties[county]["markers"] = held["markers"]
        if self.plans:
            self._reveal(COURT, *self.where["actions"])
            self.where.pop("action", None)
            self.where["shown"] = len(self.where["actions"])

    def _read_leader(self, line: Line) -> None:
        seat, county = line["seat"], line["county"]
        self.leaders[seat] = county
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
        self._reveal(COURT)
        if not line["done"]:
            return
        seat, courtiers = line["seat"], line["box"]
        self.hall[seat] += courtiers
        if line["card"] == "tower":
            self._receive(seat, "tray_armies", -courtiers)
        else:
            self._settle(line["card"].partition(":")[2], seat, -courtiers)

    def _read_favor(self, line: Line) -> None:
        self._reveal(COURT)
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
                held = self.counties[county]
                held["markers"] = max(0, held["markers"] - value)
        elif kind == "free_building" and county is not None:
            self._build(county, line["building"], line.get("calmed", False))
        elif kind == "free_armies" and county is not None:
            self._settle(county, seat, line["amount"])
        elif "amount" in line:
            self._receive(seat, kind, line["amount"])

    def _receive(self, seat: int, what: str, amount: int) -> None:
        """What actions, favors and Landsknechte bring (B0.6, E6, L1)."""
        if what == "thalers":
            self.thalers[seat] += amount
        elif what == "grain":
            self.grain[seat] += amount
            if self.match.ruleset.food_track == "capped":
                self.grain[seat] = min(self.match.amount("food_track_end"), self.grain[seat])
        elif what == "victory_points":
            self.vp[seat] += amount
        elif what == "tray_armies":
            self.supply[str(seat)] -= amount
            self.tray[str(seat)] += amount


def _covered(boxes: Table) -> Table:
    return {box: card for box, card in boxes.items() if card is not None}
