"""The page of one game: map, plans, tower, chances and story, moved through step by step in a browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from wallsim.analysis.games.steps import Step, tower_luck
from wallsim.report.html.page import json_block, rendered
from wallsim.report.map.board_map import load_map
from wallsim.report.replay.data import label, page_data, playing, seasons
from wallsim.report.replay.pictures import Point, chances_chart, game_map
from wallsim.rules.other_settings import settings_line
from wallsim.rules.ruleset import LETTERS
from wallsim.trace.match import Match
from wallsim.trace.story.vocabulary import listing

_TEMPLATES = Path(__file__).with_name("templates")


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
