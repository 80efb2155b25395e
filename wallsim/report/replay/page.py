"""The page of one game: map, plans, tower, chances and story, moved through step by step in a browser."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from wallsim.analysis.games.steps import Step, battle_luck, tower_luck
from wallsim.report.html.page import json_block, rendered
from wallsim.report.map.board_map import load_map
from wallsim.report.map.document import BoardMap
from wallsim.report.replay.pictures import Point, chances_chart, game_map, short_name
from wallsim.rules.other_settings import settings_line
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.setup_edits import counties_in_play
from wallsim.rules.terms import ACTIONS
from wallsim.trace.match import Match
from wallsim.trace.story.court import favor_text
from wallsim.trace.story.vocabulary import event_text, listing, present

_TEMPLATES = Path(__file__).with_name("templates")
_ON_MAP = ("deal", "leader", "action", "battle", "favor")
Object = dict[str, Any]


class Told(NamedTuple):
    """A paragraph of the story: its text, and `heading`, `nested` or nothing."""

    text: str
    kind: str


class Entry(NamedTuple):
    """An entry of the list: the number of a step, its paragraphs, else a few words."""

    number: int
    told: list[Told]
    label: str


def game_page(match: Match, steps: Sequence[Step], values: str, board_folder: str | Path | None = None) -> str:
    """The page as HTML. `values` says where its chances come from, or why it has none. Same game, same bytes."""
    board = load_map(board_folder)
    seats = [
        {"letter": LETTERS[seat], "policy": policy, "luck": luck}
        for seat, (policy, luck) in enumerate(zip(match.policies, tower_luck(steps, match.players), strict=True))
    ]
    lineups = match.ruleset.letters() if match.ruleset.setup == "lineup" else ()
    return rendered(
        "replay.html.j2", _TEMPLATES, styles=("style.css", "replay.css"), scripts=("replay.js",),
        data=json_block(page_data(match, steps, board)), seats=seats, lineups=lineups, game=match.number,
        seed=match.seed, about=_about(match), settings=settings_line(match.settings()), result=_result(match, steps),
        entries=[_entry(step) for step in steps], last=len(steps) - 1, seasons=seasons(steps),
        map=None if board is None else Markup(game_map(board, playing(match), "Map of the game")),
        chart=_chart(steps), values=values, exact=all(step.odds is None or step.odds.exact for step in steps),
        tower=match.tower, plays={name: match.plays(name) for name in ("court", "landsknechte", "leaders")},
    )  # fmt: skip


def _about(match: Match) -> str:
    """Which game is played, as a sentence."""
    edition = "second edition" if match.ruleset.edition == "2e" else "first edition"
    setup = {"lineup": "line-ups", "draft": "a draft", "deal": "a random deal"}[match.ruleset.setup]
    names = {"court": "Emperor’s Court", "landsknechte": "Landsknechte", "leaders": "military leaders"}
    played = [names[each] for each in match.ruleset.expansions]
    return f"{match.players} players, {edition}, {setup}" + (f", with {listing(played)}" if played else "")


def _result(match: Match, steps: Sequence[Step]) -> str:
    line = steps[-1].line
    who = listing(LETTERS[seat] for seat in line["winners"])
    won = "wins" if len(line["winners"]) == 1 else "share the win"
    points = ", ".join(f"{LETTERS[seat]} {number}" for seat, number in enumerate(line["vp"]))
    return f"{who} {won}; victory points: {points}."


def _entry(step: Step) -> Entry:
    return Entry(step.number, [_told(text) for text in step.sentences], label(step.line))


def _told(paragraph: str) -> Told:
    for start, kind in (("# ", "heading"), ("- ", ""), ("   ", "nested")):
        if paragraph.startswith(start):
            return Told(paragraph[len(start) :], kind)
    return Told(paragraph, "")


def _chart(steps: Sequence[Step]) -> Markup | None:
    names = dict(seasons(steps))
    starts = sorted(names)
    points = []
    for step in steps:
        if step.chances is not None:
            season, _, rest = names[max(start for start in starts if start <= step.number)].partition(" of year ")
            points.append(Point(step.number, f"{season} {rest}", step.chances))
    if not points:
        return None
    end = steps[-1]
    shares = [(seat in end.line["winners"]) / len(end.line["winners"]) for seat in range(len(end.line["vp"]))]
    points.append(Point(end.number, "end", shares))
    return Markup(chances_chart(points, "Chance of each seat to win at the end of each season, and who won"))


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
