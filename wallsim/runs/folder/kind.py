"""What every kind of folder that wallsim writes has in common, for `verify`, `repair`, `runs` and `summary`."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.local_files import FileStore


class State(NamedTuple):
    """How far a folder is: whether it is finished, words for people if it is not, and what goes on with it."""

    finished: bool
    words: str
    repair_hint: str


class Progress(NamedTuple):
    """How much of a folder is done, of how much (None if nobody knows), and the unit, such as "games"."""

    done: int
    wanted: int | None
    unit: str


class FolderKind(Protocol):
    """A kind of folder. Folders are checked and listed by their contents alone, not by the command that wrote them."""

    what: str
    """The name of the contents in messages, such as "tuning"."""

    def recognises(self, place: FileStore) -> bool:
        """Whether a folder, finished or not, damaged or not, is of this kind; OSError is passed on."""
        ...

    def verify(self, folder: Folder) -> list[str]:
        """All damage, one line per error; an empty list if nothing has changed. InputError if it cannot be read."""
        ...

    def state(self, folder: Folder) -> State:
        """How far the folder is; the errors are those of `verify`."""
        ...

    def progress(self, folder: Folder) -> Progress:
        """How much of it is done; the errors are those of `verify`."""
        ...

    def size(self, folder: Folder) -> int:
        """The bytes of its result files; the errors are those of `verify`."""
        ...

    def restore(self, folder: Folder) -> list[str]:
        """Put right what needs no playing, and return the names of restored files.

        RunError with the command that plays the rest, if something has to be played.
        """
        ...

    def show_command(self, folder: Folder) -> str:
        """The command that shows a finished folder, for messages; the errors are those of `verify`."""
        ...
