"""The errors of a log of casts, by file, line and column."""

from __future__ import annotations

from wallsim.errors import InputError
from wallsim.rules.board_table import Problem

PROBLEMS_SHOWN = 20
_SHOWN = 40  # characters of a wrong value that an error repeats


class CastError(InputError):
    """An unusable log of casts; `errors` has one line per error: position, value, what is allowed."""


class Problems:
    """The errors of one file: all are counted, the first PROBLEMS_SHOWN are listed."""

    def __init__(self, file: str) -> None:
        """None yet."""
        self.count = 0
        self._file = file
        self._listed: list[str] = []

    def refuse(self, line: int, column: str, text: str) -> None:
        """Adds an error; line 0 means the whole file, an empty column the whole line."""
        self.count += 1
        if self.count <= PROBLEMS_SHOWN:
            self._listed.append(str(Problem(self._file, line, column, text)))

    def raise_any(self) -> None:
        """CastError with the listed errors and the number of the others, if there is any."""
        more = self.count - len(self._listed)
        if self.count:
            rest = [f"{self._file}: and {more:,} more error{'s' if more > 1 else ''}"] if more else []
            raise CastError(self._listed + rest)


def shown(text: str) -> str:
    """A value in quotes, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
