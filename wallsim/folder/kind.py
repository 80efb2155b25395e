"""What every kind of folder that wallsim writes has in common, for `verify`, `repair`, `runs` and `summary`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from wallsim.errors import RunError, listed
from wallsim.folder.checks import PLAY_AGAIN
from wallsim.folder.local_files import FileStore
from wallsim.folder.result_folder import readable

ITS_COMMAND = "the command that started it"


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

    def words(self, missing: str) -> str:
        """How far a folder is that lacks the file `missing`."""
        of = "" if self.wanted is None else f" of {self.wanted:,}"
        return f"is not finished: {self.done:,}{of} {self.unit} are finished, and {missing} is still to be written"


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of folder, as data. Folders are checked and listed by their contents alone, not by who wrote them.

    The functions are given where the files are, and pass on OSError. `what` is the name of the contents in messages.
    `recognises`: whether a folder, finished or not, damaged or not, is of this kind. `errors`: all damage, one line
    each. `missing`: the file that is still to be written until it is finished, empty if it is; each kind names what it
    writes last, and nothing else decides whether a folder is finished. `advice`: what "resumes" an unfinished folder,
    or "repairs" a damaged one, by this verb. `size`: the bytes of its results. `shown_by`: what shows a finished one.

    `restored` puts right what needs no playing, and returns the names of the files. `unfinished`: how far a folder is
    that lacks a file, in words. Lists leave out what is not `listed`, show as damaged what is `broken`, and name the
    `command` that goes on with the rest. With `absent` the folders in it are listed in place of it, and those that are
    still to be begun.
    """

    what: str
    recognises: Callable[[FileStore], bool]
    errors: Callable[[FileStore], Iterable[str]]
    missing: Callable[[FileStore], str]
    advice: Callable[[FileStore, str], str]
    progress: Callable[[FileStore], Progress]
    size: Callable[[FileStore], int]
    shown_by: Callable[[FileStore], str]
    restored: Callable[[FileStore], list[str]] = lambda place: []
    unfinished: Callable[[FileStore, str], str] | None = None
    listed: Callable[[FileStore], bool] = lambda place: True
    broken: Callable[[FileStore], bool] = lambda place: False
    command: Callable[[FileStore], str] = lambda place: ITS_COMMAND
    absent: Callable[[FileStore], Iterable[FileStore]] | None = None

    def verify(self, place: FileStore) -> list[str]:
        """All damage, one line per error; an empty list if nothing has changed. InputError if it cannot be read."""
        with readable(place):
            return list(dict.fromkeys(self.errors(place)))

    def state(self, place: FileStore) -> State:
        """How far the folder is; the errors are those of `verify`."""
        with readable(place):
            missing, words = self.missing(place), ""
            if missing:
                far = self.unfinished(place, missing) if self.unfinished else self.progress(place).words(missing)
                words = f"{far}; {self.advice(place, 'resumes')}"
            return State(not missing, words, self.advice(place, "repairs"))

    def restore(self, place: FileStore) -> list[str]:
        """Put right what needs no playing, and return the names of restored files.

        RunError with the command that plays the rest, if something has to be played.
        """
        with readable(place):
            result = self.restored(place)
        errors, state = self.verify(place), self.state(place)
        if errors:
            raise RunError("\n".join(f"{place}: {line}" for line in [*listed(errors), state.mending(errors)]))
        if not state.finished:
            raise RunError(f"{place}: {state.words}")
        return result
