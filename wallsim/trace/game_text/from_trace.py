"""The text of a simulated game, as somebody who remembers everything would have typed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import BUILDINGS, SEASON_NAMES, SHOWN_ACTIONS
from wallsim.trace.game_text.model import (
    END,
    PEASANTS_WORD,
    START,
    GameText,
    Holding,
    NotedBattle,
    NotedPlan,
    OpenCards,
    Row,
    Section,
    Spot,
)
from wallsim.trace.game_text.plans import BID, boxes_of
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import ReplayedTable
from wallsim.trace.state import State, states_of

_NOWHERE = Spot(0, 0)  # a game that was not read from a text
_RESULTS = {"attacker": "won", "tie": "tie", "defender": "lost"}
_LEADERS = "leaders"


def game_of_trace(match: Match, lines: Sequence[dict[str, Any]]) -> GameText:
    """What a text says of a traced game: all its season ends, battles and plans.

    InputError for a game on another board.
    """
    states = states_of(match, lines)
    opening = lines[0]
    game = GameText(
        "trace", match.players, f"game {match.number} of seed {match.seed}", states[0].edition,
        tuple(states[0].expansions), tuple(states[0].changed), str(match.tower.name),
        dict(enumerate(match.policies)),
    )  # fmt: skip
    tables = [line for line in lines if line["t"] == "state"]
    for state in states:
        game.sections[state.after] = section_of(state)
    game.sections[START] = _section(game, START, tables[0])
    game.sections[END] = _section(game, END, tables[-1])
    printed = opening.get("setup") == "lineup" and not game.changed
    for seat, row in game.sections[START].rows.items():
        row.lineup = opening["lineups"][seat] if printed else ""
    game.battles = _battles(match, lines)
    _note_plans(game, lines)
    return game


def section_of(state: State) -> Section:
    """The section of a state, with all that it knows."""
    facts = {name: getattr(state, name) for name in ("counties", "thalers", "grain", "vp", "hall", "tray", "tower")}
    leaders = {name: getattr(state, name) for name in (_LEADERS, "statues", "trophies") if getattr(state, name)}
    game = GameText("state", state.players, expansions=tuple(state.expansions))
    section = _section(game, state.after, {**facts, **leaders})
    section.events = tuple(state.events)
    return section


def _section(game: GameText, time: str, table: Mapping[str, Any]) -> Section:
    """A section from the table as traces and states have it."""
    board = printed_board()
    rows = {
        seat: Row(seat, _NOWHERE, table["vp"][seat], table["grain"][seat], table["thalers"][seat])
        for seat in range(game.players)
    }
    for name in (each for each in board.counties if each in table["counties"]):
        county = table["counties"][name]
        built = county.get("buildings", ())
        kinds = tuple(kind for kind in BUILDINGS if kind in built)
        each = Holding(name, county["armies"], kinds, county.get("markers", 0), _NOWHERE)
        rows[county["owner"]].holdings.append(each)
    for seat, row in rows.items():
        row.hall = table["hall"][seat] if table.get("hall") else 0
        if _LEADERS in game.expansions and table.get(_LEADERS):
            row.leader, row.statues = table[_LEADERS][seat], list(table["statues"][seat])
            row.taken = table["trophies"][seat]
    tray, inside = (_pile(table[name], game.players) for name in ("tray", "tower"))
    return Section(time, _NOWHERE, rows, (), tray, inside)


def _pile(pile: Mapping[Any, int], players: int) -> dict[str, int]:
    seats = {LETTERS[seat]: int(pile.get(seat, pile.get(str(seat), 0))) for seat in range(players)}
    return {**seats, PEASANTS_WORD: int(pile.get(PEASANTS_WORD, 0))}


def _battles(match: Match, lines: Sequence[dict[str, Any]]) -> list[NotedBattle]:
    """The battles of a trace in order; whether a county's peasants help follows from its revolt markers."""
    table, found, ended = ReplayedTable(match), [], 0
    began = False
    for line in lines:
        if line["t"] == "battle":
            found.append(_battle(line, SEASON_NAMES[ended], table))
        began = began or line["t"] in ("event", "winter")
        if line["t"] == "state" and began:
            ended, began = ended + 1, False
        table.read(line)
    return found


def _battle(line: Mapping[str, Any], season: str, table: ReplayedTable) -> NotedBattle:
    kind = {"winter": "revolt"}.get(line["kind"], line["kind"])
    engaged = line["engaged"]
    attacker = None if kind == "revolt" else int(line["attacker"])
    defender = None if kind == "neutral" else int(line["defender"])
    attackers = engaged.get(PEASANTS_WORD if attacker is None else str(attacker), 0)
    defenders = engaged.get(PEASANTS_WORD if defender is None else str(defender), 0)
    marked = kind == "player" and not table.is_loyal(line["county"])
    return NotedBattle(
        season, kind, attacker, defender, line["county"], attackers, defenders, marked, _RESULTS[line["result"]],
        _NOWHERE,
    )  # fmt: skip


def _note_plans(game: GameText, lines: Sequence[dict[str, Any]]) -> None:
    """Note what lay open in each season, and every plan; boxes of expansions are left out."""
    season = ""
    for line in lines:
        if line["t"] == "round":
            season = f"{line['season']} {line['year']}"
            game.opened[season] = OpenCards(tuple(line["order"][:SHOWN_ACTIONS]), tuple(line["tiles"]))
        elif line["t"] == "plan":
            laid = {**line["boxes"], BID: line.get("bid")}
            cards = {box: _card(box, laid.get(box)) for box in boxes_of(game)}
            noted = {box: card for box, card in cards.items() if card}
            game.plans.append(NotedPlan(season, line["seat"], noted, _NOWHERE, {}))


def _card(box: str, card: str | None) -> str:
    """What a plan of a trace has on a box, as texts say it; nothing for a pass."""
    kind, _, name = (card or "").partition(":")
    return name if kind == "county" or (kind == "money" and box == BID) else ""
