"""Spring, summer and fall in words: the event, the auction, the ten actions and where all stand (B2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.runs.books import Books, Line
from wallsim.runs.match import Match
from wallsim.runs.story_actions import action_story, passes_story
from wallsim.runs.story_auction import auction_story
from wallsim.runs.story_words import (
    ACTION,
    actor,
    armies,
    cubes,
    event_text,
    grain,
    present,
    sentence,
    some,
    thalers,
)

NESTED = "   "


def year_story(match: Match, line: Line) -> Iterator[str]:
    """The four events of a year (B1.8)."""
    yield f"# Year {line['year']}"
    yield "Four events lie open. Each season draws one of them; the one left over takes grain in winter."
    for event in line["events"]:
        loss = int(match.board.event_loss[match.board.events.index(event)])
        yield f"- {sentence(event_text(match, event))} Left over, it takes {grain(loss)}."


def round_story(match: Match, books: Books, lines: Sequence[Line]) -> Iterator[str]:
    """The paragraphs of one round; the books are brought up to date on the way."""
    opening = lines[0]
    yield f"# {opening['season'].capitalize()} of year {opening['year']}"
    for line in lines:
        if line["t"] in ("action", "battle"):
            break
        books.read(line)
        if line["t"] == "event":
            yield sentence(f"the event: {event_text(match, line['event'])}")
        elif line["t"] == "order":
            yield auction_story(match, books, opening["tiles"], line)
    acted = [line for line in lines if line["t"] in ("action", "battle")]
    for number, action in enumerate(opening["order"], 1):
        yield f"{number}. {sentence(ACTION[action])}"
        yield from _action(match, books, action, acted)


def _action(match: Match, books: Books, action: str, lines: Sequence[Line]) -> Iterator[str]:
    """One action card: every seat's county card in player order, then who passed."""
    battle = None
    for line in lines:
        if line["t"] == "battle":
            battle = line
            continue
        if line["action"] == action:
            yield NESTED + action_story(match, books, line, battle)
            if battle is not None:
                books.read(battle)
            books.read(line)
        battle = None
    idle = passes_story(books, action)
    if idle:
        yield NESTED + idle


def table_story(match: Match, state: Line) -> Iterator[str]:
    """Where everyone stands, and what lies in the tray and the tower, from a `state` line."""
    for seat in range(match.players):
        own = [county for county in state["counties"].values() if county["owner"] == seat]
        force = sum(county["armies"] for county in own)
        built = sum(len(county["buildings"]) for county in own)
        yield "- " + sentence(
            f"{actor(match, seat)}: {some(len(own), 'county', 'counties')} with {armies(force)} and "
            f"{some(built, 'building')}, {thalers(state['thalers'][seat])} and {grain(state['grain'][seat])}"
        )
    inside = [cubes(present(state[place])) if present(state[place]) else "nothing" for place in ("tray", "tower")]
    yield f"The tray holds {inside[0]}; the tower holds {inside[1]}."
