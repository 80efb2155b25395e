"""What can be wrong with `map.json`, as lines that name the field, the value and what is allowed."""

from __future__ import annotations

from wallsim.errors import InputError
from wallsim.escaping import escaped_line
from wallsim.rules.board_table import Fault

MAP_FILE = "map.json"
MOST_FAULTS = 20  # a map of another board would otherwise be told in hundreds of lines
_SHOWN = 40  # characters of a wrong value that a fault repeats


class MapFault(Fault):
    """One thing that is wrong with a map.

    As a `Fault` of the tables, but `column` is the place in the document, its keys joined by dots; `line` is 0 except
    for text that is not JSON.
    """

    def __str__(self) -> str:
        """The fault in one line: file, line and field where there are such, then the text."""
        line = f", line {self.line}" if self.line else ""
        field = f", field {self.column}" if self.column else ""
        return escaped_line(f"{self.file}{line}{field}: {self.text}")


class MapError(InputError):
    """A `map.json` that cannot be drawn; `faults` holds what is wrong with it."""


class FaultList(list[MapFault]):
    """The faults of one map in the order in which they were found."""

    def refuse(self, field: str, text: str, line: int = 0) -> None:
        """Add a fault; `field` is empty where the whole file is meant."""
        self.append(MapFault(MAP_FILE, line, field, text))

    def shortened(self) -> list[MapFault]:
        """The first MOST_FAULTS faults, and if there are more, a line with their number."""
        if len(self) <= MOST_FAULTS:
            return list(self)
        rest = MapFault(MAP_FILE, 0, "", f"{len(self) - MOST_FAULTS} more errors are not listed; repair these first")
        return [*self[:MOST_FAULTS], rest]


def shown(value: object) -> str:
    """A value as a fault repeats it, shortened."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
