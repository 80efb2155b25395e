"""The exceptions of the package: a single base, so that one `except WallsimError` catches all of them.

    WallsimError                 anything that wallsim itself raises
    ├── InputError               what the caller asked for cannot be done; also a ValueError
    │   ├── BoardError           a board folder that cannot be played (wallsim.rules.board)
    │   ├── TowerError           a tower that cannot be used (wallsim.rules.tower)
    │   ├── PolicyError          a policy that cannot be used (wallsim.policies.policy)
    │   ├── NotCompiledError     a function that Numba cannot compile (wallsim.jit)
    │   ├── IllegalAnswerError   a custom policy broke a rule (wallsim.engine.illegal_answer)
    │   └── CastError            a log of tower casts that cannot be used (wallsim.analysis.tower.cast_faults)
    ├── RunError                 something failed while a run was played or read; also a RuntimeError
    └── StoppedError             a worker leaves its chunk because the run is to stop (wallsim.runs.play)

Classes that carry data of their own stay in the modules that raise them. Every class says with which status the
command line ends. Errors of the operating system (OSError) pass as they are where no message could add anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar


class WallsimError(Exception):
    """The base of every exception that wallsim raises; `exit_status` is that of the command line."""

    exit_status: ClassVar[int] = 1


class InputError(WallsimError, ValueError):
    """What the caller asked for cannot be done; each of `faults` prints as a line: place, value, what is allowed."""

    exit_status: ClassVar[int] = 2

    def __init__(self, faults: Any) -> None:
        """Keeps one fault, or a sequence of them, as the list `faults`."""
        super().__init__(faults)
        alone = isinstance(faults, str) or not isinstance(faults, Sequence)
        self.faults: list[Any] = [faults] if alone else list(faults)

    def __str__(self) -> str:
        """The faults, one per line."""
        return "\n".join(map(str, self.faults))


class RunError(WallsimError, RuntimeError):
    """Something failed while a run was played or read: a full disk, a damaged file, an unfinished folder."""
