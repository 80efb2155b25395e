"""The text of a simulated game, as somebody who remembers everything would have typed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.rules.board import printed_board
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import SHOWN_ACTIONS
from wallsim.trace.game_text.model import (
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
from wallsim.trace.game_text.plans import boxes_of
from wallsim.trace.match import Match
from wallsim.trace.replayed_table import BID, ReplayedTable
from wallsim.trace.state import changed_settings, refuse_other_board

_NOWHERE = Spot(0, 0)  # a game that was not read from a text
_RESULTS = {"attacker": "won", "tie": "tie", "defender": "lost"}


def game_of_trace(match: Match, lines: Sequence[dict[str, Any]]) -> GameText:
    """What a text says of a traced game: all its season ends, battles and plans, without boxes of expansions.

    InputError for a game on another board.
    """
    refuse_other_board(match.board)
    ruleset, title = match.ruleset, f"game {match.number} of seed {match.seed}"
    game = GameText(
        "trace", match.players, title, ruleset.edition, ruleset.expansions, changed_settings(ruleset),
        str(match.tower.name), dict(enumerate(match.policies)),
    )  # fmt: skip
    table = ReplayedTable(match)
    for line in lines:
        if line["t"] == "battle":
            game.battles.append(_battle(line, table))
        table.read(line)
        if line["t"] == "state":
            time = table.season or START
            game.sections[time] = section_of(game, time, {**line, "events": table.events})
        elif line["t"] == "round":
            game.opened[table.season] = OpenCards(tuple(line["order"][:SHOWN_ACTIONS]), tuple(line["tiles"]))
        elif line["t"] == "plan":
            cards = {box: _card(box, table.card(line["seat"], box)) for box in boxes_of(game)}
            noted = {box: card for box, card in cards.items() if card}
            game.plans.append(NotedPlan(table.season, line["seat"], noted, _NOWHERE, {}))
    printed = ruleset.setup == "lineup" and not game.changed
    for row in game.sections[START].rows.values():
        row.lineup = ruleset.letters()[row.seat] if printed else ""
    return game


def section_of(game: GameText, time: str, table: Mapping[str, Any]) -> Section:
    """A section from a `state` line with the `events` that lie open: it knows all."""
    rows = {
        seat: Row(seat, _NOWHERE, table["vp"][seat], table["grain"][seat], table["thalers"][seat], table["hall"][seat])
        for seat in range(game.players)
    }
    for name in (each for each in printed_board().counties if each in table["counties"]):
        held = table["counties"][name]
        holding = Holding(name, held["armies"], tuple(held["buildings"]), held["markers"], _NOWHERE)
        rows[held["owner"]].holdings.append(holding)
    if "leaders" in game.expansions:
        for seat, row in rows.items():
            row.leader, row.statues, row.taken = (table[name][seat] for name in ("leaders", "statues", "trophies"))
    return Section(time, _NOWHERE, rows, tuple(table["events"]), _pile(table["tray"]), _pile(table["tower"]))


def _pile(pile: Mapping[str, int]) -> dict[str, int]:
    """Cubes by the letters of seats."""
    return {LETTERS[int(colour)] if colour.isdigit() else PEASANTS_WORD: cubes for colour, cubes in pile.items()}


def _battle(line: Mapping[str, Any], table: ReplayedTable) -> NotedBattle:
    """A battle, from the table before it; whether the county's peasants help follows from its revolt markers."""
    kind = {"winter": "revolt"}.get(line["kind"], line["kind"])
    engaged = line["engaged"]
    attacker = None if kind == "revolt" else int(line["attacker"])
    defender = None if kind == "neutral" else int(line["defender"])
    attackers = engaged.get(PEASANTS_WORD if attacker is None else str(attacker), 0)
    defenders = engaged.get(PEASANTS_WORD if defender is None else str(defender), 0)
    marked = kind == "player" and not table.is_loyal(line["county"])
    return NotedBattle(
        table.season, kind, attacker, defender, line["county"], attackers, defenders, marked, _RESULTS[line["result"]],
        _NOWHERE,
    )  # fmt: skip


def _card(box: str, card: str | None) -> str:
    """What a plan of a trace has on a box, as texts say it; nothing for a pass."""
    kind, _, name = (card or "").partition(":")
    return name if kind == "county" or (kind == "money" and box == BID) else ""
