"""The names on a board, read without the arrays that games need."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wallsim.rules.board_check import read_contents
from wallsim.rules.files import data_folder


class BoardNames(NamedTuple):
    """The names of the counties and of the event cards, in the order of their numbers."""

    counties: tuple[str, ...]
    events: tuple[str, ...]


def read_board_names(folder: Path | None = None) -> BoardNames:
    """The names of a board folder; without one, of the board that ships with the package.

    Its other figures are not looked at: `load_board` is what refuses a board that cannot be played.
    """
    tables = read_contents(folder or data_folder("board")).tables
    return BoardNames(
        counties=tuple(row["county"] for row in tables["counties.csv"].rows),
        events=tuple(row["event"] for row in tables["events.csv"].rows),
    )
