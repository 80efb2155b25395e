"""The story of a game: its trace in sentences. It is written from the trace alone."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from wallsim.trace.match import Match
from wallsim.trace.replayed_table import Line, ReplayedTable
from wallsim.trace.story.round import NESTED, round_story, table_story, year_story
from wallsim.trace.story.setup import setup_story
from wallsim.trace.story.vocabulary import Paragraph
from wallsim.trace.story.winter import end_story, standings, winter_story

WIDTH = 100
_HANGING = {"- ": "  ", NESTED: NESTED + "  "}  # how a paragraph begins, and the indent of its further lines


def story(match: Match, lines: Iterable[Line]) -> Iterator[str]:
    """The lines of text, at most 100 characters wide, of the game whose trace objects are given."""
    return text_of(_paragraphs(match, lines))


def told_by_line(match: Match, lines: Sequence[Line]) -> list[list[str]]:
    """The paragraphs of the story that tell of each line of a whole trace; `text_of` joins all of them to the story.

    `# ` begins a heading, `- ` an entry of a list, three spaces one below another. The paragraph on an attack or a
    revolt stands at its `battle`, and what no line caused, such as a pass, at the line before it.
    """
    places = {id(line): place for place, line in enumerate(lines)}
    told: list[list[str]] = [[] for _ in lines]
    place = 0
    for paragraph in _paragraphs(match, lines):
        if isinstance(paragraph, Paragraph):
            place = max(place, places[id(paragraph.line)])
        told[place].append(str(paragraph))
    return told


def text_of(paragraphs: Iterable[str]) -> Iterator[str]:
    """The lines of text, at most 100 characters wide, of the paragraphs of a story."""
    previous = ""
    for paragraph in paragraphs:
        if previous and not _is_close(previous, paragraph):
            yield ""
        yield from _wrapped(paragraph)
        previous = paragraph


def _paragraphs(match: Match, lines: Iterable[Line]) -> Iterator[str]:
    """Paragraphs: `# ` begins a heading, `- ` an entry of a list, NESTED an entry below another."""
    state = ReplayedTable(match)
    chapter: list[Line] = []
    for line in lines:
        if line["t"] == "year":
            state.read(line)
            yield from (Paragraph(line, text) for text in year_story(match, line))
        elif line["t"] == "state":
            yield from _chapter(match, state, chapter, line)
            state.read(line)
            chapter = []
        elif line["t"] == "end":
            yield from (Paragraph(line, text) for text in end_story(match, line))
        elif line["t"] != "game":
            chapter.append(line)


def _chapter(match: Match, state: ReplayedTable, chapter: list[Line], last: Line) -> Iterator[str]:
    """What led to a `state` line: the set-up, a round or a winter."""
    if chapter[0]["t"] == "round":
        yield from round_story(match, state, chapter)
        yield Paragraph(last, f"At the end of {chapter[0]['season']}:")
        yield from table_story(match, last)
    elif any(line["t"] == "winter" for line in chapter):
        yield from winter_story(match, state, chapter, last)
        if state.year == 1:  # the end tells the final standing
            yield Paragraph(last, f"Victory points so far: {standings(match, last['vp'])}.")
    else:
        yield from setup_story(match, state, chapter)


def _is_close(previous: str, paragraph: str) -> bool:
    """Whether no empty line parts two paragraphs."""
    if paragraph.startswith(NESTED):
        return True
    if paragraph.startswith("- "):
        return previous.startswith(("- ", NESTED)) or previous.endswith(":")
    return paragraph[0].isdigit() and (previous.startswith(NESTED) or previous[0].isdigit())


def _wrapped(paragraph: str) -> list[str]:
    if paragraph.startswith("# "):
        return [paragraph[2:], "=" * len(paragraph[2:])]
    indent = next((hanging for start, hanging in _HANGING.items() if paragraph.startswith(start)), "")
    return textwrap.wrap(paragraph, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
