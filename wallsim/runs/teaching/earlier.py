"""The lessons of earlier teachings, which a later one fits too."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.runs.folder.journal_text import read_text
from wallsim.runs.folder.line_journal import JOURNAL
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.teaching.lesson_lines import TEACHING, LessonLines
from wallsim.runs.teaching.settings import Settings


class Earlier(NamedTuple):
    """The folder of an earlier teaching and its chunks: numbers of players and numbers."""

    folder: Path
    chunks: tuple[tuple[int, int], ...]


def earlier_teaching(settings: Settings, folder: Path) -> Earlier:
    """The chunks of an earlier teaching that another one, with these settings, can fit.

    InputError if the folder is not one of a teaching, is damaged or has none of its numbers of players, or if its games
    had other rules or another engine version.
    """
    place = FileStore(folder)
    try:
        text = read_text(place.read(JOURNAL), LessonLines())
    except OSError as error:
        raise InputError(f"{folder}: {JOURNAL}: {error.strerror}; name the folder of a teaching") from None
    if text.header is None or text.errors:
        reason = text.errors[0] if text.errors else "has no header"
        raise InputError(f"{folder}: {JOURNAL}: {reason}; name the folder of a teaching, or repeat its command")
    own = settings.identity()
    for key in ("engine_version", "rules"):
        if text.header.get(key) != own[key]:
            raise InputError(f"{folder}: its {key.replace('_', ' ')} are not those of this {TEACHING}")
    chunks = []
    for line in text.lines.values():
        entry = line.entry
        name = LessonLines.file(entry["players"], entry["chunk"])
        if place.digest(name) != entry["sha256"]:
            raise InputError(f"{folder}: {name}: is missing or changed; repeat the command that made it")
        if entry["players"] in settings.players:
            chunks.append((entry["players"], entry["chunk"]))
    missing = set(settings.players) - {players for players, _ in chunks}
    if missing:
        raise InputError(f"{folder}: has no lessons of games of {min(missing)} players")
    return Earlier(folder, tuple(chunks))
