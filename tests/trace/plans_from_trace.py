"""The rows of the table plans, worked out from nothing but a trace: what lay on each box, and what became of it."""

from wallsim.engine.columns import CARDS, COMBATS
from wallsim.rules.terms import ACTIONS, OUTCOME_NAMES, OUTCOMES, SEASONS, SHOWN_ACTIONS

_MOVES = ("deploy1", "combat_a", "combat_b")


class Plans:
    """Reads a trace line by line; `rows` are dicts by column when it has ended."""

    def __init__(self, match):
        self.match = match
        self.rows = []
        self.year, self.season, self.order = 0, -1, ()
        self.of_round = {}
        self.battle = None

    def read(self, line):
        getattr(self, f"read_{line['t']}", lambda _: None)(line)

    def read_year(self, line):
        self.year = line["year"]

    def read_round(self, line):
        self.season, self.order = SEASONS.index(line["season"]), line["order"][:SHOWN_ACTIONS]

    def read_plan(self, line):
        seat = line["seat"]
        self.of_round[seat] = {
            "year": self.year, "season": self.season, "seat": seat, "lineup": seat, "policy": seat,
            **{f"order_{place}": ACTIONS.index(action) for place, action in enumerate(self.order, 1)},
            **{f"{action}_card": self.number_of(card) for action, card in line["boxes"].items()},
            "auction_card": self.number_of(line["bid"]),
            **{f"{action}_outcome": -1 for action in ACTIONS},
            **{f"{action}_target": -1 for action in _MOVES},
            **{f"{action}_result": -1 for action in _MOVES[1:]},
        }  # fmt: skip

    def number_of(self, card):
        counties = self.match.board.counties
        if card is None:
            return -1
        kind, _, name = card.partition(":")
        if kind == "county":
            return counties.index(name)
        return len(counties) + CARDS.index(f"money_{name}" if kind == "money" else kind)

    def read_event(self, line):
        for row in self.of_round.values():
            row["event"] = self.match.board.events.index(line["event"])

    def read_order(self, line):
        for turn, (seat, place, _) in enumerate(line["picks"], 1):
            self.of_round[seat]["place"] = place
            if self.match.ruleset.edition != "1e":
                self.of_round[seat]["choosing_place"] = turn

    def read_intervention(self, line):
        if line["do"] == "place":
            one, other = self.of_round[line["seat"]], self.of_round[line["with"]]
            one["place"], other["place"] = other["place"], one["place"]

    def read_battle(self, line):
        self.battle = line

    def read_action(self, line):
        action, row = line["action"], self.of_round[line["seat"]]
        row[f"{action}_outcome"] = 0 if line["done"] else OUTCOMES.index(line["why"])
        assert OUTCOME_NAMES[row[f"{action}_outcome"]] == "done" or not line["done"]
        for amount in ("paid", "gain"):
            if amount in line:
                row[f"{action}_{amount}"] = line[amount]
        to = line.get("to", line.get("target"))
        if to is not None:
            row[f"{action}_target"] = self.match.board.counties.index(to)
            row[f"{action}_moved"] = line["moved"]
        if "target" in line:
            won = self.battle["result"] == "attacker"
            row[f"{action}_result"] = COMBATS.index("won" if won else "lost")
        elif action in _MOVES[1:] and to is not None:
            row[f"{action}_result"] = COMBATS.index("moved")

    def read_state(self, line):
        self.rows += [self.of_round[seat] for seat in sorted(self.of_round)]
        self.of_round = {}
