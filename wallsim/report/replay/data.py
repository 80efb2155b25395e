"""What the page of a game knows, as JSON: words for names, seasons, and of each step what it changed and shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from wallsim.analysis.games.steps import Step, battle_luck
from wallsim.report.map.board_map import BoardMap
from wallsim.report.replay.pictures import short_name
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.setup_edits import counties_in_play
from wallsim.rules.terms import ACTIONS
from wallsim.trace.match import Match
from wallsim.trace.story.court import favor_text
from wallsim.trace.story.vocabulary import event_text, present

Object = dict[str, Any]


def playing(match: Match) -> list[str]:
    """The names of the counties in play."""
    return [match.board.counties[county] for county in counties_in_play(match.board, match.ruleset)]


def page_data(match: Match, steps: Sequence[Step], board: BoardMap | None) -> Object:
    """The data of the page of a whole game. The same game gives the same data."""
    names = playing(match)
    return {
        "letters": list(LETTERS[: match.players]),
        "short": {name: short_name(board, name) for name in names},
        "actions": list(ACTIONS),
        "events": {event: event_text(match, event) for event in match.board.events},
        "favors": {str(favor["number"]): favor_text(match, favor["number"]) for favor in match.board.favors},
        "seasons": [number for number, _ in seasons(steps)],
        "names": [name for _, name in seasons(steps)],
        "steps": _steps(match, steps),
    }


def seasons(steps: Sequence[Step]) -> list[tuple[int, str]]:
    """The number of the first step of the set-up, of each season, and of the end, with its name."""
    found: list[tuple[int, str]] = []
    for step in steps:
        line = step.line
        if line["t"] == "game":
            found.append((step.number, "Set-up"))
        elif line["t"] == "round":
            found.append((step.number, f"{line['season'].capitalize()} of year {line['year']}"))
        elif line["t"] == "winter" and not found[-1][1].startswith("Winter"):
            found.append((step.number, f"Winter{found[-1][1][found[-1][1].index(' ') :]}"))
        elif line["t"] == "end":
            found.append((step.number, "The end"))
    return found


def _steps(match: Match, steps: Sequence[Step]) -> list[Object]:
    gains = [battle_luck(step) for step in steps]
    sums = accumulate(
        gains, lambda luck, gained: [had + gained.get(seat, 0.0) for seat, had in enumerate(luck)],
        initial=[0.0] * match.players,
    )  # fmt: skip
    next(sums)
    places = {name: place for place, name in enumerate(playing(match))}
    return [
        _step(step, luck if gained else None, places) for step, luck, gained in zip(steps, sums, gains, strict=True)
    ]


def _step(step: Step, luck: list[float] | None, places: dict[str, int]) -> Object:
    line = step.line
    shown: Object = {"patch": step.patch}
    if step.odds is not None:
        shown["odds"] = [*(round(chance, 4) for chance in step.odds[:3]), step.odds.exact]
        shown["fought"] = {key: line[key] for key in ("attacker", "defender", "result")}
        shown["cast"] = [present(line["engaged"]), present(line["tray_after_drop"])]
    if line["t"] == "fill":
        shown["cast"] = [present(line["dropped"]), present(line["out"])]
    if step.chances is not None:
        shown["chances"] = [round(chance, 4) for chance in step.chances]
    if luck is not None:
        shown["luck"] = [round(number, 4) for number in luck]
    if line["t"] in _ON_MAP:
        named = (line.get(key) for key in ("from", "county", "target", "to"))
        shown["at"] = [places[county] for county in named if county in places]
    return shown


_ON_MAP = ("deal", "leader", "action", "battle", "favor")


def label(line: Object) -> str:
    """What a line of the trace is about, in a few words."""
    kind = str(line["t"])
    if kind == "state":
        return "The table now"
    if "seat" not in line:
        return kind.capitalize()
    who = f"Seat {line['seat']}"
    if kind == "deal":
        return f"{who} has {line['county']}: {line['armies']} armies"
    if kind == "plan":
        return f"{who} plans in secret"
    if kind == "leader":
        return f"The leader of seat {line['seat']}: {line['county'] or 'off the board'}"
    if kind == "convert":
        return f"{who} petitions the court" + ("" if line["done"] else " in vain")
    if kind == "action":
        return f"{who}: {line['action'].replace('_', ' ')} in {line['county']}, as told before"
    return f"{who}: {kind}"
