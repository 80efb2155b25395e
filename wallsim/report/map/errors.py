"""What can be wrong with `map.json`, as lines that name the field, the value and what is allowed."""

from __future__ import annotations

from wallsim.errors import InputError
from wallsim.escaping import escaped_line
from wallsim.rules.board_table import Problem

MAP_FILE = "map.json"
MOST_PROBLEMS = 20  # a map of another board would otherwise be reported in hundreds of lines
_SHOWN = 40  # characters of a wrong value that an error repeats


class MapProblem(Problem):
    """One thing that is wrong with a map.

    As a `Problem` of the tables, but `column` is the place in the document, its keys joined by dots; `line` is 0 except
    for text that is not JSON.
    """

    def __str__(self) -> str:
        """The error in one line: file, line and field where there are such, then the text."""
        line = f", line {self.line}" if self.line else ""
        field = f", field {self.column}" if self.column else ""
        return escaped_line(f"{self.file}{line}{field}: {self.text}")


class MapError(InputError):
    """A `map.json` that cannot be drawn; `errors` holds what is wrong with it."""


class ProblemList(list[MapProblem]):
    """The errors of one map in the order in which they were found."""

    def refuse(self, field: str, text: str, line: int = 0) -> None:
        """Add an error; `field` is empty where the whole file is meant."""
        self.append(MapProblem(MAP_FILE, line, field, text))

    def shortened(self) -> list[MapProblem]:
        """The first MOST_PROBLEMS errors, and if there are more, a line with their number."""
        if len(self) <= MOST_PROBLEMS:
            return list(self)
        rest = MapProblem(
            MAP_FILE, 0, "", f"{len(self) - MOST_PROBLEMS} more errors are not listed; repair these first"
        )
        return [*self[:MOST_PROBLEMS], rest]


def shown(value: object) -> str:
    """A value as an error repeats it, shortened."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
