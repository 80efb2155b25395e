"""What every kind of folder that wallsim writes has in common, for `verify`, `repair`, `runs` and `summary`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

from wallsim.folder.address import Folder
from wallsim.folder.checks import PLAY_AGAIN
from wallsim.folder.file_stores import file_store
from wallsim.folder.local_files import FileStore
from wallsim.folder.result_folder import readable


class State(NamedTuple):
    """How far a folder is.

    `words` say of an unfinished one what is missing and what goes on with it; `repair_hint` says what repairs a damaged
    one.
    """

    finished: bool
    words: str
    repair_hint: str

    def mending(self, errors: Iterable[str]) -> str:
        """What is to be done about these errors: the hint, unless one of them says that no command mends it."""
        return PLAY_AGAIN if any(error.endswith(PLAY_AGAIN) for error in errors) else self.repair_hint


class Progress(NamedTuple):
    """How much of a folder is done, of how much (None if nobody knows), and the unit, such as "games"."""

    done: int
    wanted: int | None
    unit: str


class FolderKind(ABC):
    """A kind of folder. Folders are checked and listed by their contents alone, not by the command that wrote them."""

    what: str
    """The name of the contents in messages, such as "tuning"."""

    @abstractmethod
    def recognises(self, place: FileStore) -> bool:
        """Whether a folder, finished or not, damaged or not, is of this kind; OSError is passed on."""

    @abstractmethod
    def verify(self, folder: Folder) -> list[str]:
        """All damage, one line per error; an empty list if nothing has changed. InputError if it cannot be read."""

    @abstractmethod
    def missing(self, place: FileStore) -> str:
        """The file that is still to be written until the folder is finished; empty if it is finished.

        Whether a folder is finished is decided here alone: each kind names what it writes last. OSError is passed on.
        """

    @abstractmethod
    def advice(self, place: FileStore, verb: str) -> str:
        """What "resumes" an unfinished folder, or "repairs" a damaged one, by this verb; OSError is passed on."""

    def state(self, folder: Folder) -> State:
        """How far the folder is; the errors are those of `verify`."""
        place = file_store(folder)
        with readable(place):
            missing = self.missing(place)
            words = f"{self.unfinished(place, missing)}; {self.advice(place, 'resumes')}" if missing else ""
            return State(not missing, words, self.advice(place, "repairs"))

    def unfinished(self, place: FileStore, missing: str) -> str:
        """How far an unfinished folder is that lacks a file, in words; OSError is passed on."""
        done, wanted, unit = self.progress(place.folder)
        of = "" if wanted is None else f" of {wanted:,}"
        return f"is not finished: {done:,}{of} {unit} are finished, and {missing} is still to be written"

    @abstractmethod
    def progress(self, folder: Folder) -> Progress:
        """How much of it is done; the errors are those of `verify`."""

    @abstractmethod
    def size(self, folder: Folder) -> int:
        """The bytes of its result files; the errors are those of `verify`."""

    @abstractmethod
    def restore(self, folder: Folder) -> list[str]:
        """Put right what needs no playing, and return the names of restored files.

        RunError with the command that plays the rest, if something has to be played.
        """

    @abstractmethod
    def show_command(self, folder: Folder) -> str:
        """The command that shows a finished folder, for messages; the errors are those of `verify`."""
