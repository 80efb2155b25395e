"""The rows of the table counties, worked out from nothing but a trace: who held which county, and how it changed."""

from tests.trace.points_from_trace import final_order
from wallsim.engine.columns import EDITED_SOURCES, SOURCES
from wallsim.rules.terms import BATTLE_KINDS, BUILDINGS, SEASONS

_NEVER = {"lost_year": 0, "lost_season": -1, "lost_in": -1, "lost_to": -1}


class Counties:
    """Reads a trace line by line and follows the owner of every county; `rows` are dicts by column when it has ended.

    Who owns a county is checked against the state that ends each season.
    """

    def __init__(self, match):
        self.match = match
        self.year, self.season = 0, -1
        self.owner = {}
        self.dealt = 0
        self.of_seat = {}  # rows by seat and county
        self.states = []

    @property
    def rows(self):
        return list(self.of_seat.values())

    def read(self, line):
        getattr(self, f"read_{line['t']}", lambda _: None)(line)

    def read_deal(self, line):
        seat, county = line["seat"], line["county"]
        self.dealt += 1
        self.owner[county] = seat
        self.of_seat[seat, county] = {
            **self.blank(seat, county, line["source"].removesuffix("-assumed")),
            "pick": 1 + sum(holder == seat for holder, _ in self.of_seat),
            "draft_turn": self.dealt if self.match.ruleset.setup == "draft" else 0,
            "armies_dealt": line["armies"],
        }

    def blank(self, seat, county, source):
        who = {"seat": seat, "lineup": seat, "policy": seat, "county": self.match.board.counties.index(county)}
        return {
            **who,
            "source": (*SOURCES, *EDITED_SOURCES).index(source),
            "taken_season": -1,
            "taken_from": -1,
            **_NEVER,
        }

    def read_intervention(self, line):
        """Two traded counties change places between the rows of their owners, who keep their picks."""
        if line["do"] != "trade":
            return
        one, other = line["counties"]
        first, second = self.owner[one], self.owner[other]
        self.owner[one], self.owner[other] = second, first
        places = {(first, one): (first, other), (second, other): (second, one)}
        rows = {key: self.of_seat[key] for key in places}
        moved = ("county", "source", "armies_dealt")
        exchanged = [{name: row[name] for name in moved} for row in rows.values()]
        for row, values in zip(rows.values(), reversed(exchanged), strict=True):
            row.update(values)
        self.of_seat = {places.get(key, key): row for key, row in self.of_seat.items()}

    def read_year(self, line):
        self.year = line["year"]

    def read_round(self, line):
        self.season = SEASONS.index(line["season"])

    def read_winter(self, _):
        self.season = SEASONS.index("winter")

    def read_battle(self, line):
        county, attacker = line["county"], line["attacker"]
        before = self.owner.get(county)
        assert before == (line["defender"] if line["defender"] != "neutral" else None)
        taken = line["result"] == "attacker" and attacker != "peasants"
        if before is not None and line["result"] != "defender":
            del self.owner[county]
            row = self.of_seat[before, county]
            row["losses"] = row.get("losses", 0) + 1
            if row["losses"] == 1:
                row["lost_year"], row["lost_season"] = self.year, self.season
                row["lost_in"] = BATTLE_KINDS.index(line["kind"])
                row["lost_to"] = attacker if taken else -1
        if taken:
            self.gain(attacker, county, "conquered", before)

    def read_favor(self, line):
        if line["number"] == 12 and line["county"] is not None and line["county"] not in self.owner:
            self.gain(line["seat"], line["county"], "favor", None)

    def gain(self, seat, county, source, before):
        self.owner[county] = seat
        if (seat, county) not in self.of_seat:
            self.of_seat[seat, county] = {
                **self.blank(seat, county, source),
                "taken_year": self.year,
                "taken_season": self.season,
                "taken_from": -1 if before is None else before,
            }
        row = self.of_seat[seat, county]
        row["conquests"] = row.get("conquests", 0) + 1

    def read_state(self, line):
        assert self.owner == {name: county["owner"] for name, county in line["counties"].items()}
        self.states.append(line["counties"])

    def read_end(self, line):
        standing = final_order(self.match.ruleset, line["vp"], line["thalers"])
        for (seat, county), row in self.of_seat.items():
            row["win"] = len(line["winners"]) if seat in line["winners"] else 0
            row["rank"] = 1 + sum(other > standing[seat] for other in standing)
            row["vp"] = line["vp"][seat]
            held = [state.get(county, {}).get("owner") == seat for state in self.states]
            row["seasons_held"] = sum(held[1:])
            for year, place in ((1, 4), (2, 8)):
                if held[place]:
                    there = self.states[place][county]
                    row[f"held_year{year}"] = 1
                    row[f"armies_year{year}"] = there["armies"]
                    row.update({f"{kind}_year{year}": int(kind in there["buildings"]) for kind in BUILDINGS})
