"""The faults of a log of casts, by file, line and column."""

from __future__ import annotations

from wallsim.errors import InputError
from wallsim.rules.board_table import Fault

FAULTS_SHOWN = 20
_SHOWN = 40  # characters of a wrong value that a fault repeats


class CastError(InputError):
    """An unusable log of casts; `faults` has one line per fault: position, value, what is allowed."""


class Faults:
    """The faults of one file: all are counted, the first FAULTS_SHOWN are kept."""

    def __init__(self, file: str) -> None:
        """None yet."""
        self.count = 0
        self._file = file
        self._kept: list[str] = []

    def refuse(self, line: int, column: str, text: str) -> None:
        """Adds a fault; line 0 means the whole file, an empty column the whole line."""
        self.count += 1
        if self.count <= FAULTS_SHOWN:
            self._kept.append(str(Fault(self._file, line, column, text)))

    def raise_any(self) -> None:
        """CastError with the faults kept and the number of the others, if there is any fault."""
        more = self.count - len(self._kept)
        if self.count:
            rest = [f"{self._file}: and {more:,} more error{'s' if more > 1 else ''}"] if more else []
            raise CastError(self._kept + rest)


def shown(text: str) -> str:
    """A value in quotes, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
