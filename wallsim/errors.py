"""The exceptions of the package. They share one base class, so one `except WallsimError` catches all of them.

    WallsimError                 every exception that wallsim raises
    ├── InputError               the request cannot be carried out; also a ValueError
    │   ├── BoardError           an invalid board folder (wallsim.rules.board)
    │   ├── TowerError           an invalid tower (wallsim.rules.tower)
    │   ├── PolicyError          an invalid policy (wallsim.policies.policy_error)
    │   ├── NotCompiledError     a function that Numba cannot compile (wallsim.jit)
    │   ├── IllegalAnswerError   a custom policy broke a rule (wallsim.engine.illegal_answer)
    │   ├── CastError            an invalid log of tower casts (wallsim.analysis.tower.cast_table)
    │   ├── OutputError          standard output cannot be written (wallsim.cli.terminal_output)
    │   ├── NotPlayedError       a study's folder lacks a part (wallsim.studies.cache)
    │   ├── LockedError          another process is writing into a folder (wallsim.folder.lock)
    │   ├── ReadOnlyError        a folder may be read, but not written (wallsim.folder.lock)
    │   └── MapError             an invalid map of a board (wallsim.report.map.document)
    ├── RunError                 playing or reading a run failed; also a RuntimeError
    │   ├── CacheError           compiled kernels cannot be cached (wallsim.compile_cache.files)
    │   ├── ClusterError         a cluster is lost or cannot play (wallsim.play.sent_tasks)
    │   ├── PictureError         a picture cannot be drawn (wallsim.report.figures.style)
    │   ├── DamagedDocumentError a document of scenarios is damaged (wallsim.folder.scenarios)
    │   └── SealError            bytes that are not the ones that were sealed (wallsim.folder.checksummed_json)
    └── StoppedError             stops a worker before its chunk is finished (wallsim.play.parallel)

Classes that carry extra data are defined in the modules that raise them. Every class has the exit status with which
the command line ends. Errors of the operating system (OSError) are passed on where a message could add nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

MOST_LISTED = 50  # errors of one message
MOST_LETTERS = 80  # of a name that a message quotes
_LONGEST_LINE = 3_000  # the longest list of allowed names has some 1,500


class WallsimError(Exception):
    """The base class of every exception that wallsim raises; `exit_status` is the exit status of the command line."""

    exit_status: ClassVar[int] = 1


class InputError(WallsimError, ValueError):
    """The request cannot be carried out. Each of `errors` prints as one line: place, value, allowed values."""

    exit_status: ClassVar[int] = 2

    def __init__(self, errors: Any) -> None:
        """Store one error or a sequence of errors as the list `errors`."""
        super().__init__(errors)
        single = isinstance(errors, str) or not isinstance(errors, Sequence)
        self.errors: list[Any] = [errors] if single else list(errors)

    def __str__(self) -> str:
        """The errors, one per line: at most MOST_LISTED, and how many more there are."""
        return "\n".join(listed(self.errors))


class RunError(WallsimError, RuntimeError):
    """Playing or reading a run failed: a full disk, a damaged file, an unfinished folder."""


def listed(errors: Sequence[Any]) -> list[str]:
    """Errors as lines for people: at most MOST_LISTED of them, none endless, and how many more there are."""
    half = _LONGEST_LINE // 2  # a line names the file at its beginning, and the reason at its end
    texts = map(str, errors[:MOST_LISTED])
    lines = [text if len(text) <= _LONGEST_LINE else f"{text[:half]}...{text[-half:]}" for text in texts]
    return lines if len(errors) <= MOST_LISTED else [*lines, f"and {len(errors) - MOST_LISTED:,} more"]


def some_of(names: Sequence[str], most: int = 5) -> str:
    """The first of some names, and how many more there are, within a message."""
    more = len(names) - most
    return ", ".join(map(short, names[:most])) + (f" and {more:,} more" if more > 0 else "")


def short(name: object) -> str:
    """A name or a value of a file or an option as messages quote it: cut off if it is long."""
    text = str(name)
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 3]}..."


def quoted(value: object) -> str:
    """A value of a file as Python writes it, cut off if it is long."""
    return short(repr(value))


def refuse_twice(registry: str, names: Iterable[str]) -> None:
    """ValueError, which names the registry and the name, if a name occurs twice: one of both would be lost."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{registry}: {name!r} is declared twice; give one of them another name")
        seen.add(name)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory was too small, also for the stack of a thread, of which Python has no error of its own."""
    return isinstance(error, MemoryError) or str(error) == "can't start new thread"


def how_to_install(extra: str) -> str:
    """How the packages of an extra of wallsim are installed, for messages: no index of packages has wallsim."""
    return f'install it in a checkout of wallsim: pip install ".[{extra}]"'
