"""One position as text: the table at the end of a season, read into a State and written from one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wallsim.errors import InputError
from wallsim.policies.value.features import MOMENTS
from wallsim.rules.board import printed_board
from wallsim.rules.files import read_input
from wallsim.rules.ruleset import LETTERS
from wallsim.trace.game_text.checks import check_section, events_left
from wallsim.trace.game_text.model import PEASANTS_WORD, GameText, Section, Spot, time_word
from wallsim.trace.game_text.reading import read_text
from wallsim.trace.game_text.rows import NUMBER_NAMES
from wallsim.trace.state import State

_LEADERS = "leaders"
_ENCODING = "utf-8"
_MOST_BYTES = 1_000_000


def read_position(text: str, source: str = "position") -> State:
    """The state that the text of one position describes: a head, one season end, and a line for each seat.

    `source` is the name of the file in messages. InputError with all errors, each `source:line:column: message`.
    """
    game = read_text(text, source)
    sections = list(game.sections.values())
    for section in sections:
        check_section(game, section)
        if section.time not in MOMENTS:
            game.refuse(section.spot, f"a position is the end of a season: {', '.join(MOMENTS)}")
        _refuse_unknown(game, section)
    if len(sections) != 1 and game.players:
        spot = sections[1].spot if sections else Spot(1, 1)
        game.refuse(spot, f"{len(sections)} season ends; a position has one, such as fall 1 on a line of its own")
    if game.problems:
        raise InputError(game.problems)
    return state_of(game, sections[0])


def read_file(path: Path) -> str:
    """The text of a file. InputError, with the place, if it is not UTF-8 text of at most a megabyte."""
    try:
        data = read_input(path, _MOST_BYTES)
    except OSError as error:
        raise InputError(f"{path}:1:1: cannot be read: {error.strerror}") from None
    try:
        return data.decode(_ENCODING)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(_ENCODING)
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        raise InputError(f"{path}:{line}:{column}: is not UTF-8 text; save the file as UTF-8") from None


def _refuse_unknown(game: GameText, section: Section) -> None:
    for letter in game.letters():
        if LETTERS.index(letter) not in section.rows:
            message = f"{time_word(section.time)} has no line for seat {letter}; write one for each seat"
            game.refuse(section.spot, message)
    left = events_left(section.time)
    if section.events is not None and len(section.events) < left and not game.changed:
        message = f"{len(section.events)} open; after {section.time} it is {left} (B2.4)"
        game.refuse(section.spots["events"], f"events: {message}")
    for row in section.rows.values():
        for letter, value in (("v", row.vp), ("g", row.grain), ("t", row.thalers)):
            if value is None and letter in row.spots:
                game.refuse(row.spots[letter], "must be known in a position; write a number")
            elif value is None:
                message = f"{LETTERS[row.seat]} has no {NUMBER_NAMES[letter]}; a position needs such as 5{letter}"
                game.refuse(row.spot, message)
        for letter in sorted(row.unsaid):
            game.refuse(row.where(letter), "must be known in a position; write a number")
        for each in row.holdings:
            if each.armies is None:
                game.refuse(each.spot, f"the armies of {each.county} must be known in a position; write a number")


def state_of(game: GameText, section: Section) -> State:
    """The state of a section in which every number is known; cubes that are not written are in the supply."""
    counties: dict[str, dict[str, Any]] = {}
    rows = [section.rows[seat] for seat in range(game.players)]
    for row in rows:
        for each in row.holdings:
            counties[each.county] = {
                "owner": row.seat, "armies": each.armies, "buildings": list(each.buildings), "markers": each.markers
            }  # fmt: skip
    board = printed_board()
    leaders: dict[str, Any] = {}
    if _LEADERS in game.expansions:
        leaders = {
            "leaders": [row.leader for row in rows], "statues": [list(row.statues) for row in rows],
            "trophies": [row.taken for row in rows],
        }  # fmt: skip
    return State(
        game.players, section.time, {name: counties[name] for name in board.counties if name in counties},
        [row.thalers or 0 for row in rows], [row.grain or 0 for row in rows], [row.vp or 0 for row in rows],
        _pile(section.tray, game.players), _pile(section.inside, game.players), section.events or (), game.edition,
        game.expansions, [row.hall for row in rows], **leaders, changed=game.changed,
    )  # fmt: skip


def _pile(pile: Mapping[str, int] | None, players: int) -> dict[str, int]:
    """Cubes by seat as text, as traces have them."""
    known = pile or {}
    seats = {str(seat): known.get(LETTERS[seat], 0) for seat in range(players)}
    return {**seats, PEASANTS_WORD: known.get(PEASANTS_WORD, 0)}
