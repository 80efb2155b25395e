"""The name of a board and the names on it, read without the arrays that games need; and a copy of its files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from wallsim.escaping import is_printable
from wallsim.rules.board_check import files_there, read_contents
from wallsim.rules.files import data_folder, read_input

NAME_FILE = "name.txt"  # in a board folder, which may lie in a folder of another name, as the copy of a run does
_LONGEST = 80  # characters of a board's name


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


def board_name(folder: str | Path) -> str:
    """What a board folder is called: the first line of its file name.txt, or without one the folder's own name."""
    try:
        line = read_input(Path(folder) / NAME_FILE).decode("utf-8", "replace").partition("\n")[0].strip()
    except OSError:
        line = ""
    name = line or os.path.basename(os.path.abspath(folder))
    return name[:_LONGEST] if is_printable(name[:_LONGEST]) else ""


def board_copy(folder: str | Path) -> dict[str, bytes]:
    """The files of a board folder by name, with its name; OSError if one of them cannot be read."""
    place = Path(folder)
    return {
        **{file: read_input(place / file) for file in files_there(place)},
        NAME_FILE: f"{board_name(place)}\n".encode(),
    }
