"""The rows of the result tables, worked out from a trace and its ruleset: a second way to their numbers.

They follow every switch and every amount, and so games under any settings can be counted again.
"""

from collections import Counter

from tests.trace.counties_from_trace import Counties
from tests.trace.plans_from_trace import Plans
from tests.trace.points_from_trace import (
    building_points,
    county_points,
    final_order,
    majority_points,
    points_with_board,
)
from wallsim.engine.columns import BIDS
from wallsim.rules.terms import BATTLE_KINDS, BUILDINGS, COURTIERS, RESULTS, SEASONS, TILES


class Rows:
    """Reads a trace line by line; then `game`, `seats`, `seasons`, `battles` hold rows as dicts by column.

    `counties.rows` holds those of the counties, `plans.rows` those of the plans.
    """

    def __init__(self, match, lines):
        self.match = match
        self.players, self.ruleset = match.players, match.ruleset
        self.year, self.season = 0, 0
        self.total = [Counter() for _ in range(self.players)]  # counts of the game
        self.without = []  # counties out of play besides those of B0.1
        self.part = [Counter() for _ in range(self.players)]  # counts of the season
        self.statues = [[] for _ in range(self.players)]  # where those on the board stand
        self.last_battle = None  # of the season
        self.given = Counter()  # grain by seat that interventions gave since the last state
        self.seasons, self.battles = [], []
        self.game = Counter()
        self.states = []
        self.scores = []  # lines of the winter in play
        self.counties = Counties(match)
        self.plans = Plans(match)
        for line in lines:
            self.counties.read(line)
            self.plans.read(line)
            getattr(self, f"read_{line['t']}", lambda _: None)(line)

    def by_table(self, game):
        """The rows of each result table; where a table numbers the games, it is this number."""
        return {
            "games": [self.game],
            "seats": self.seats,
            "seasons": self.seasons,
            "battles": [{**row, "game": game} for row in self.battles],
            "counties": [{**row, "game": game} for row in self.counties.rows],
            "plans": self.plans.rows,
        }

    def count(self, seat, name, number=1):
        self.total[seat][name] += number
        self.part[seat][name] += number

    # ------------------------------------------------------------------------------------- what happened

    def throw(self, thrown, fallen):
        self.game["casts"] += 1
        self.game["cubes_cast"] += sum(thrown.values())
        self.game["cubes_fallen"] += sum(fallen.values())

    def read_game(self, line):
        board = self.match.board
        self.without = [
            name for name in line.get("without", []) if board.min_players[board.counties.index(name)] <= self.players
        ]

    def read_fill(self, line):
        self.throw(line["dropped"], line["out"])
        if self.match.plays("court"):
            for seat in range(self.players):
                self.count(seat, "courtiers_first_fill", min(COURTIERS, line["out"][str(seat)]))
        self.game["tower_after_fill"] = sum(line["dropped"].values()) - sum(line["out"].values())

    def read_year(self, line):
        self.year, self.events = line["year"], list(line["events"])

    def read_round(self, line):
        self.season, self.order = SEASONS.index(line["season"]), line["order"]
        self.last_battle = None

    def read_plan(self, line):
        seat, card = line["seat"], line["bid"]
        kind, _, value = (card or "").partition(":")
        self.part[seat]["bid"] = -1 if card is None else BIDS.index(value if kind == "money" else kind)
        if kind == "county":
            self.count(seat, "county_bids")
        held = [card for card in line["boxes"].values() if card is not None and card.startswith("county")]
        self.count(seat, "passes", len(line["boxes"]) - len(held))

    def read_event(self, line):
        self.event = line["event"]
        self.events.remove(line["event"])

    def read_order(self, line):
        for seat, paid in enumerate(line["paid"]):
            self.count(seat, "paid_bids", paid)
        for turn, (seat, box, tile) in enumerate(line["picks"], start=1):
            self.count(seat, "place_total", box)
            if self.match.ruleset.edition != "1e":
                self.count(seat, "choosing_total", turn)
                self.part[seat]["choosing_place"] = turn
            self.part[seat]["place"], self.part[seat]["tile"] = box, -1 if tile is None else TILES.index(tile)

    def read_intervention(self, line):
        do, seat = line["do"], line.get("seat")
        if do == "hand":
            self.given[seat] += line["grain"]
        elif do == "place":
            self.swap("place", seat, line["with"])
            for one, other in ((seat, line["with"]), (line["with"], seat)):
                self.count(one, "place_total", self.part[one]["place"] - self.part[other]["place"])
        elif do == "tile" and line["with"] is not None:
            self.swap("tile", seat, line["with"])
        elif do == "tile":
            self.part[seat]["tile"] = -1 if line["to"] is None else TILES.index(line["to"])

    def swap(self, name, one, other):
        self.part[one][name], self.part[other][name] = self.part[other][name], self.part[one][name]

    def read_action(self, line):
        seat, action = line["seat"], line["action"]
        if not line["done"]:
            self.count(seat, "skipped_money", line["why"] == "not enough Thalers")
            return self.count(seat, "skipped")
        self.count(seat, f"done_{action}")
        if "paid" in line:
            self.count(seat, f"paid_{action}", line["paid"])
        self.count(seat, "armies_deployed", line.get("armies", 0))
        if not {"combat_a", "combat_b"} & set(self.order[self.order.index(action) :]):
            self.count(seat, "armies_behind_combats", line.get("armies", 0))
        self.count(seat, "markers_placed", line.get("marker", False))
        self.count(seat, "markers_removed", line.get("calmed", False))
        self.count(seat, "favor_parried", line.get("parried", False))
        self.count(seat, "forced_moves", line.get("forced", False))
        if "gain" in line:
            self.count(seat, action, line["gain"])
        if action == "grain":
            self.part[seat]["grain_gain"] += line["gain"]

    def receive(self, seat, source, what, amount):
        self.count(seat, f"vp_{'favors' if source == 'favor' else 'landsknechte'}", amount * (what == "victory_points"))
        if what != "victory_points":
            self.count(seat, f"{source}_{what}", amount)
        if what == "grain":
            self.part[seat]["grain_gain"] += amount

    def read_landsknechte(self, line):
        self.count(line["seat"], "landsknecht_cards")
        self.receive(line["seat"], "landsknecht", line["benefit"], line["amount"])

    def read_convert(self, line):
        seat, sort = line["seat"], "cubes" if line["card"] == "tower" else "armies"
        if line["done"]:
            self.count(seat, f"courtiers_for_{sort}", line["box"])
        else:
            self.count(seat, "court_failures")

    def read_favor(self, line):
        seat, number, county = line["seat"], line["number"], line.get("county")
        [kind] = [row["kind"] for row in self.match.board.favors if row["number"] == number]
        self.count(seat, "favors")
        self.count(seat, f"favor_{number}")
        self.count(seat, "courtiers_paid", line["cost"])
        if kind == "cancel_event":
            self.count(seat, "favor_cancelled", line["cancelled"])
        elif kind == "free_building":
            self.count(seat, "favor_buildings", county is not None)
            self.count(seat, "markers_removed", line.get("calmed", False))
        elif kind == "calm":
            self.count(seat, "favor_calmed", county is not None)
        elif kind == "free_armies":
            self.count(seat, "favor_armies", line["amount"])
            self.count(seat, "favor_counties", county is not None and county not in self.states[-1]["counties"])
        elif kind != "no_attack":
            self.receive(seat, "favor", kind, line["amount"])

    def read_leader(self, line):
        seat, battle = line["seat"], self.last_battle
        if line["county"] is None:
            lost = battle is not None and battle["county"] == line["from"] and battle["result"] != "defender"
            return self.count(seat, "leader_lost", lost)
        if line["statue"]:
            self.count(seat, "statues_left")
            self.statues[seat].append(line["from"])
        for other in set(range(self.players)) - {seat}:
            taken = self.statues[other].count(line["county"])
            self.statues[other] = [place for place in self.statues[other] if place != line["county"]]
            self.count(seat, "trophies", taken)
            self.count(other, "statues_lost", taken)

    def read_battle(self, line):
        self.last_battle = line
        defender, attacker = line["defender"], line["attacker"]
        in_winter = line["kind"] == "winter"
        self.throw(Counter(line["tray_before"]) + Counter(line["engaged"]), line["tray_after_drop"])
        for role, seat in (("attacker", attacker), ("defender", defender)):
            if isinstance(seat, int):
                kept = line["survivors"] if line["result"] == role else 0
                self.count(seat, "armies_fallen", line["tray_after_drop"][str(seat)] - kept)
        if attacker == "peasants":
            for prefix in ("", "winter_") if in_winter else ("",):
                self.count(defender, f"{prefix}revolts")
                self.count(defender, f"{prefix}revolts_lost", line["result"] != "defender")
        else:
            self.count(attacker, "attacks")
            self.count(attacker, "attacks_won", line["result"] == "attacker")
            self.count(attacker, "attacks_tied", line["result"] == "tie")
            if defender != "neutral":
                self.count(attacker, "attacks_on_players")
                self.count(attacker, f"attacks_on_seat_{defender}")
                self.count(attacker, "attacks_on_players_won", line["result"] == "attacker")
                self.count(defender, "times_attacked")
                self.count(defender, "times_attacked_lost", line["result"] != "defender")
        self.battles.append(self.battle_row(line))

    def battle_row(self, line):
        attacker, defender, counties = line["attacker"], line["defender"], self.match.board.counties
        engaged, out = line["engaged"], line["tray_after_drop"]
        return {
            "year": self.year,
            "season": SEASONS.index("winter") if line["kind"] == "winter" else self.season,
            "kind": BATTLE_KINDS.index(line["kind"]),
            "attacker": -1 if attacker == "peasants" else attacker,
            "defender": -1 if defender == "neutral" else defender,
            "county": counties.index(line["county"]),
            "origin": -1 if line["from"] is None else counties.index(line["from"]),
            "engaged_attacker": engaged[str(attacker)],
            "engaged_defender": engaged["peasants" if defender == "neutral" else str(defender)],
            "attackers_out": line["a"],
            "defenders_out": line["d"],
            "peasants_out": line["p"],
            "result": RESULTS.index(line["result"]),
            "survivors": line["survivors"],
            "tray_before": sum(line["tray_before"].values()),
            "cubes_cast": sum(line["tray_before"].values()) + sum(engaged.values()),
            "cubes_fallen": sum(out.values()),
            "tower_after": sum(line["tower_after"].values()),
        }

    def read_winter(self, line):
        seat = line["seat"]
        self.season, self.event = SEASONS.index("winter"), self.events[0]
        self.count(seat, "grain_winter", self.states[-1]["grain"][seat] + self.given[seat] - line["grain"])
        self.part[seat]["grain_held"] = line["grain"]  # the state that follows comes after the reset
        self.count(seat, "shortages", line["shortage"] > 0)
        self.count(seat, "shortage_units", line["shortage"])

    def read_score(self, line):
        """The points but for those of buildings, of which the line has the number and the next state the kinds."""
        seat, year = line["seat"], f"year{self.year}"
        self.scores.append(line)
        self.count(seat, f"vp_counties_{year}", self.ruleset.amount("county_points") * line["counties"])
        for kinds in line["majorities"].values():
            for kind, points in kinds.items():
                self.count(seat, f"vp_{kind}_majorities_{year}", points)
        for name, amount in (("statues", "statue_points"), ("trophies", "trophy_points")):
            self.count(seat, f"vp_{name}_{year}", self.ruleset.amount(amount) * line[name])

    def score_buildings(self, state):
        """The points of buildings, and whether the lines say what the board and the amounts make of them."""
        majorities = majority_points(self.match, state)
        for line in self.scores:
            seat, year = line["seat"], f"year{self.year}"
            points = building_points(self.ruleset, state, seat)
            self.count(seat, f"vp_buildings_{year}", points)
            reported = {(region, kind): n for region, kinds in line["majorities"].items() for kind, n in kinds.items()}
            assert reported == {key[:2]: share for key, share in majorities.items() if key[2] == seat and share}
            on_land = county_points(self.ruleset, state, seat) + points + sum(reported.values())
            off_land = self.total[seat][f"vp_statues_{year}"] + self.total[seat][f"vp_trophies_{year}"]
            assert line["total"] == on_land + off_land
            assert line["vp"] == state["vp"][seat]
        self.scores.clear()

    # ---------------------------------------------------------------------------------------------- rows

    def board_columns(self, seat):
        state = self.states[-1]
        own = [county for county in state["counties"].values() if county["owner"] == seat]
        built = [sum(kind in county["buildings"] for county in own) for kind in BUILDINGS]
        return {
            "thalers": state["thalers"][seat],
            "counties": len(own),
            **dict(zip(("palaces", "churches", "trading_posts"), built, strict=True)),
            "armies": sum(county["armies"] for county in own),
            "in_tower": state["tower"][str(seat)],
            "in_tray": state["tray"][str(seat)],
        }

    def standing_columns(self, seat, before, state):
        """What the points with the board say: after the season, and about who led when it began."""
        own = [name for name, county in state["counties"].items() if county["owner"] == seat]
        board = self.match.board
        sites = sum(board.sites[board.counties.index(name)] for name in own)
        then = points_with_board(self.match, before)
        led = [points == max(then) and len(self.states) > 2 for points in then]
        return {
            "vp_with_board": points_with_board(self.match, state)[seat],
            "led": led[seat],
            "attacks_on_leader": sum(
                self.part[seat][f"attacks_on_seat_{other}"] for other in range(self.players) if led[other]
            ),
            "free_sites": sites - sum(len(state["counties"][name]["buildings"]) for name in own),
        }

    def who(self, seat):
        return {"seat": seat, "lineup": seat, "policy": seat}

    def read_state(self, line):
        is_setup = not self.states
        before = self.states[-1] if self.states else line
        self.states.append(line)
        for seat in range(self.players):
            gained = self.part[seat].pop("grain_gain", 0)
            if gained:
                had = before["grain"][seat] + self.given[seat]
                self.count(seat, "grain_over", had + gained - line["grain"][seat])
        self.given.clear()
        if is_setup:
            return
        in_winter = self.season == SEASONS.index("winter")
        if in_winter:
            self.score_buildings(line)
        event = self.match.board.events.index(self.event)
        for seat in range(self.players):
            if not in_winter and self.part[seat]["tile"] >= 0:
                self.count(seat, f"tile_{TILES[self.part[seat]['tile']]}")  # the one held after all exchanges
            self.seasons.append({
                **self.who(seat),
                "year": self.year,
                "season": self.season,
                "event": event,
                "vp": line["vp"][seat],
                "grain_held": line["grain"][seat],
                **({"bid": -1, "place": 0, "tile": -1} if in_winter else {}),
                **self.standing_columns(seat, before, line),
                **self.board_columns(seat),
                **self.part[seat],
            })  # fmt: skip
            self.part[seat] = Counter()
        season = SEASONS[self.season]
        self.game[f"winter_event_year{self.year}" if in_winter else f"event_{season}_year{self.year}"] = event
        if in_winter and self.year == 1:
            self.game["tower_after_year1"] = sum(line["tower"].values())
            self.vp_year1 = line["vp"]

    def read_end(self, line):
        points, winners, first = line["vp"], line["winners"], self.vp_year1
        best, second = sorted(points, reverse=True)[:2]
        in_play = sum(self.match.board.min_players <= self.players) - len(self.without)
        leaders = [seat for seat in range(self.players) if first[seat] == max(first)]
        state = self.states[-1]
        self.game.update(
            winner=winners[0] if len(winners) == 1 else -1,
            winners=len(winners),
            vp_best=best,
            vp_margin=best - second,
            leader_year1=leaders[0] if len(leaders) == 1 else -1,
            tower_end=sum(state["tower"].values()),
            tray_end=sum(state["tray"].values()),
            neutral_end=in_play - len(state["counties"]),
        )
        standing = final_order(self.ruleset, points, line["thalers"])
        self.seats = [
            {
                **self.who(seat),
                "win": len(winners) if seat in winners else 0,
                "rank": 1 + sum(other > standing[seat] for other in standing),
                "vp": points[seat],
                "vp_year1": first[seat],
                **self.board_columns(seat),
                **self.total[seat],
            }
            for seat in range(self.players)
        ]
