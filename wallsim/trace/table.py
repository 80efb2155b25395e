"""The table after each line of a trace, and the patches that make one table of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wallsim.rules.terms import BUILDINGS, EFFECTS, NO_EFFECT
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import COURT, PEASANTS, Line, ReplayedTable, Table

_OF_EXPANSIONS = {"leaders": ("leaders", "statues", "trophies"), "landsknechte": ("top",), "court": ("parry",)}


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
    state = ReplayedTable(match)
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else line
        is_battle = line["t"] == "battle"
        cast = _cast(state, line) if is_battle else None
        state.read(line)
        if is_battle and "action" in following:
            state.turn_to(following["action"])
        table = snapshot(state)
        if is_battle and "target" in following:
            table["counties"][following["county"]]["armies"] -= following["moved"]
            table["supply"][str(following["seat"])] += following["moved"]
        yield table, cast


def snapshot(state: ReplayedTable) -> Table:
    """The table as `tables` has it; nothing of it changes when further lines are read."""
    match = state.match
    names = ["thalers", "grain", "vp", "supply", "tray", "tower", "stock", "markers", "hall"]
    names += [name for expansion, own in _OF_EXPANSIONS.items() if match.plays(expansion) for name in own]
    table = {
        "counties": {
            county: {**held, "buildings": [kind for kind in BUILDINGS if kind in held["buildings"]]}
            for county, held in state.counties.items()
        },
        **{name: _copied(getattr(state, name)) for name in names},
        **_copied(state.where),
    }
    if state.plans:
        court = match.plays("court")
        table["plans"] = _copied(state.plans)
        table["revealed"] = [box for box in state.revealed if court or box != COURT]
    if "event" in state.where and state.effect == EFFECTS[NO_EFFECT] != match.effect(state.where["event"]):
        table["cancelled"] = True
    if state.order:
        table["order"] = list(state.order)
        if match.ruleset.edition != "1e":
            table["tiles"] = [state.tile[seat] for seat in range(match.players)]
    if state.favors:
        table["favors"] = {str(number): price for number, price in state.favors.items()}
    return table


def _cast(state: ReplayedTable, battle: Line) -> Cast:
    """A battle, from the table before it."""
    county, attacker, on_player = battle["county"], battle["attacker"], battle["defender"] != "neutral"
    return Cast(
        dict(battle["tray_before"]),
        dict(battle["engaged"]),
        dict(state.tower),
        str(attacker),
        str(battle["defender"]) if on_player else PEASANTS,
        attacker != PEASANTS and on_player and state.is_loyal(county),
        on_player and state.match.ruleset.stood_aside == "count" and state.aside(battle) > 0,
    )


def merge_patch(before: Table, after: Table) -> Table:
    """The patch that makes `after` of `before`; {} if they are equal. No value of an object may be None."""
    patch: Table = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            if inner:
                patch[key] = inner
        elif key not in before or value != old or type(value) is not type(old):
            patch[key] = _copied(value)
    return patch


def patched(before: Table, patch: Table) -> Table:
    """A new object: `before`, changed by a patch. Neither is changed, and nothing of them is in the result."""
    after: Table = {key: _copied(value) for key, value in before.items() if key not in patch}
    for key, value in patch.items():
        if isinstance(value, dict):
            old = before.get(key)
            after[key] = patched(old if isinstance(old, dict) else {}, value)
        elif value is not None:
            after[key] = _copied(value)
    return after


def _copied(value: Any) -> Any:
    """A copy of a value of JSON, with copies of all objects and lists in it."""
    if isinstance(value, dict):
        return {key: _copied(each) for key, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value
