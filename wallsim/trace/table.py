"""The table after each line of a trace, as JSON objects: what lies open, and the plans that do not yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from wallsim.rules.terms import BUILDINGS, EFFECTS, NO_EFFECT, SEASONS, SHOWN_ACTIONS, WINTER
from wallsim.trace.match import Match
from wallsim.trace.story.replayed_state import PEASANTS, Line, ReplayedState
from wallsim.trace.story.vocabulary import effect_of

Table = dict[str, Any]
BID, COURT = "bid", "court"  # boxes besides those of the ten actions
Object = dict[str, Any]


class Cast(NamedTuple):
    """A battle before its cast (B6.1 to B6.4): cubes by colour, and the sides.

    `attacker` and `defender` are colours, seats as text or `peasants`. `allied` is whether the tray's peasants fight
    for the defender (B6.6, V6), `aside` whether armies that stood aside would hold the county alone [A13].
    """

    tray: dict[str, int]
    engaged: dict[str, int]
    tower: dict[str, int]
    attacker: str
    defender: str
    allied: bool
    aside: bool


def tables(match: Match, lines: Sequence[Line]) -> Iterator[tuple[Table, Cast | None]]:
    """For each line of a whole trace the table after it and, of a battle, the cast before it.

    A table has all keys of a `state` line (B2.7), and where the game is:

    - `year` and `season`, `events` that lie open this year, `event` of the season, `cancelled` if it has no effect;
    - `actions`, the ten in order, of which `shown` lie open, and `action`, the one that is carried out;
    - `places`, the tile on each box of the player order, then `order`, seats in player order, and `tiles` by seat;
    - `favors`, the price of each favor still on offer by its number;
    - `plans`, by seat `boxes`, `bid` and `court` as in `plan`, but without uncovered boxes; and `revealed`, the boxes
      that lie open: names of actions, `bid` and `court`.

    No value of an object is None. What an attack takes from a county has left it after the `battle`.
    """
    state, place = ReplayedState(match), _Place(match)
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else line
        cast = _cast(state, line) if line["t"] == "battle" else None
        state.read(line)
        place.read(line, following)
        table = {**_holdings(state), **place.table(state)}
        if line["t"] == "battle" and "target" in following:
            _march(table, following)
        yield table, cast


def _cast(state: ReplayedState, line: Line) -> Cast:
    """A battle, from the state before it."""
    county, attacker, on_player = line["county"], line["attacker"], line["defender"] != "neutral"
    return Cast(
        _cubes(state, line["tray_before"]),
        _cubes(state, line["engaged"]),
        _cubes(state, state.tower),
        str(attacker),
        str(line["defender"]) if on_player else PEASANTS,
        attacker != PEASANTS and on_player and state.is_loyal(county),
        on_player and state.match.ruleset.stood_aside == "count" and state.aside(line) > 0,
    )


def _march(table: Table, attack: Line) -> None:
    """Take the attackers out of their county, which the replayed state does when it reads the action (B6.2)."""
    table["counties"][attack["county"]]["armies"] -= attack["moved"]
    table["supply"][str(attack["seat"])] += attack["moved"]


def _holdings(state: ReplayedState) -> Table:
    """What a `state` line has, with its keys."""
    match = state.match
    table: Table = {
        "counties": {
            county: {
                "owner": owner,
                "armies": state.armies[county],
                "buildings": [kind for kind in BUILDINGS if kind in state.buildings.get(county, ())],
                "markers": state.markers[county],
            }
            for county, owner in state.owner.items()
        },
        "thalers": list(state.thalers),
        "grain": list(state.grain),
        "vp": list(state.vp),
        "supply": dict(state.supply),
        "tray": _cubes(state, state.tray),
        "tower": _cubes(state, state.tower),
        "stock": {kind: state.stock(kind) for kind in BUILDINGS},
        "markers": state.markers_left(),
        "hall": list(state.hall),
    }
    if match.plays("leaders"):
        table |= {
            "leaders": list(state.leader),
            "statues": [list(places) for places in state.statues],
            "trophies": list(state.trophies),
        }
    if match.plays("landsknechte"):
        table["top"] = list(state.top)
    if match.plays("court"):
        table["parry"] = list(state.parry)
    return table


def _cubes(state: ReplayedState, pile: dict[str, int]) -> dict[str, int]:
    return {colour: pile.get(colour, 0) for colour in state.supply}


class _Place:
    """Where the game is: season, action and event, and which cards of the plans lie open."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._year: Table = {}
        self._round: Table = {}
        self._plans: Table = {}
        self._revealed: list[str] = []

    def read(self, line: Line, following: Line) -> None:
        kind = line["t"]
        if kind == "year":
            self._year, self._round = {"year": line["year"], "events": list(line["events"])}, {}
        elif kind == "round":
            self._plans, self._revealed = {}, []
            self._round = {
                "season": line["season"],
                "actions": list(line["order"]),
                "shown": SHOWN_ACTIONS,
                "places": {str(box): tile for box, tile in enumerate(line["tiles"], 1)},
            }
        elif kind == "plan":
            self._plans[str(line["seat"])] = _plan(line)
        elif kind == "event":
            self._year["events"].remove(line["event"])
            self._round["event"] = line["event"]
        elif kind == "order":
            self._round["ordered"] = True
            self._reveal(BID)
        elif kind in ("convert", "favor"):
            self._reveal(COURT)
        elif kind in ("action", "battle"):
            action = (line if kind == "action" else following).get("action")
            if action is not None:
                self._turn(action)
        elif kind == "state":
            self._end_of_season()
        elif kind == "winter":
            self._plans, self._revealed = {}, []
            self._round = {"season": SEASONS[WINTER]}

    def _reveal(self, *boxes: str) -> None:
        self._revealed += [box for box in boxes if box not in self._revealed]

    def _turn(self, action: str) -> None:
        """An action is carried out: its boxes and those before it lie open (B3.5, B2.1)."""
        actions = self._round["actions"]
        done = actions.index(action)
        self._reveal(COURT, *actions[: done + 1])
        self._round |= {"action": action, "shown": min(len(actions), SHOWN_ACTIONS + done)}

    def _end_of_season(self) -> None:
        if self._plans:
            self._reveal(COURT, *self._round["actions"])
            self._round.pop("action", None)
            self._round["shown"] = len(self._round["actions"])

    def table(self, state: ReplayedState) -> Table:
        around = {key: value for key, value in self._round.items() if key != "ordered"}
        table: Table = {**self._year, **around, "plans": dict(self._plans), "revealed": list(self._revealed)}
        if "events" in table:
            table["events"] = list(table["events"])
        if not table["plans"]:
            del table["plans"], table["revealed"]
        elif not self._match.plays("court"):
            table["revealed"] = [box for box in table["revealed"] if box != COURT]
        event = self._round.get("event")
        if event is not None and state.effect == EFFECTS[NO_EFFECT] != effect_of(self._match, event):
            table["cancelled"] = True
        if self._round.get("ordered"):
            table["order"] = list(state.order)
            if self._match.ruleset.edition != "1e":
                table["tiles"] = [state.tile[seat] for seat in range(self._match.players)]
        if self._round and state.favors:
            table["favors"] = {str(number): price for number, price in state.favors.items()}
        return table


def _plan(line: Line) -> Table:
    """A seat's plan without the boxes that it left uncovered."""
    plan: Table = {"boxes": {box: card for box, card in line["boxes"].items() if card is not None}}
    if line["bid"] is not None:
        plan["bid"] = line["bid"]
    if COURT in line:
        plan[COURT] = {box: card for box, card in line[COURT].items() if card is not None}
    return plan


def merge_patch(before: Object, after: Object) -> Object:
    """The patch that makes `after` of `before`; {} if they are equal. No value of an object may be None."""
    patch: Object = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            if inner:
                patch[key] = inner
        elif key not in before or value != old or type(value) is not type(old):
            patch[key] = deepcopy(value)
    return patch


def patched(before: Object, patch: Object) -> Object:
    """A new object: `before`, changed by a patch. Neither is changed, and nothing of them is in the result."""
    after: Object = {key: deepcopy(value) for key, value in before.items() if key not in patch}
    for key, value in patch.items():
        if isinstance(value, dict):
            old = before.get(key)
            after[key] = patched(old if isinstance(old, dict) else {}, value)
        elif value is not None:
            after[key] = deepcopy(value)
    return after
