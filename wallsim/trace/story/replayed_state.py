"""The whole table as it follows from the lines of a trace: the base game's, and what the expansions add to it."""

from __future__ import annotations

from wallsim.rules.terms import COURTIERS, EFFECTS, NO_EFFECT, STATUES
from wallsim.trace.match import Match
from wallsim.trace.story.replayed_base_state import PEASANTS, Line, ReplayedBaseState

__all__ = ["PEASANTS", "Line", "ReplayedState"]


class ReplayedState(ReplayedBaseState):
    """Who owns what after the lines read so far, with courtiers, favors, Landsknechte and leaders (E, L, M).

    `hall` and `parry` count courtiers and kept favors by seat, `favors` has the price of each favor still on offer by
    its number, `top` the numbers of the Landsknechte cards on top. `leader` is a county or None, `statues` a list of
    counties, `in_hand` and `trophies` count statues, all by seat.
    """

    def __init__(self, match: Match) -> None:
        """The table before anything is dealt (E1, L1, M1)."""
        super().__init__(match)
        players = match.players
        self.hall = [0] * players
        self.parry = [0] * players
        self.favors: dict[int, int] = {}
        self.top = [1] * players
        self.leader: list[str | None] = [None] * players
        self.statues: list[list[str]] = [[] for _ in range(players)]
        self.in_hand = [STATUES] * players
        self.trophies = [0] * players

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

    def _read_fill(self, line: Line) -> None:
        super()._read_fill(line)
        if self.match.plays("court"):
            self.hall = [min(COURTIERS, line["out"][str(seat)]) for seat in range(self.match.players)]  # E1

    def _read_round(self, line: Line) -> None:
        super()._read_round(line)
        self.favors = dict(zip(line["favors"], self.match.favor_prices(), strict=False))

    def _read_action(self, line: Line) -> None:
        super()._read_action(line)
        self.parry[line["seat"]] -= line.get("parried", False)

    def _read_score(self, line: Line) -> None:
        super()._read_score(line)
        self.top[line["seat"]] = 1  # L2

    def _trade(self, one: str, other: str) -> None:
        super()._trade(one, other)
        for seat, old, new in ((self.owner[other], one, other), (self.owner[one], other, one)):
            if self.leader[seat] == old:
                self.leader[seat] = new

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
