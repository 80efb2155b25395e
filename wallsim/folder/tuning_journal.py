"""The files of a search by their names, and its journal: one line per generation and per check."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from wallsim.folder.journal_text import LineShape, Position
from wallsim.folder.line_journal import LineJournal, entries_in

RESULT, CURVE, PICTURE = "tune.json", "curve.parquet", "curve.png"
RESPONSE_RESULT = "exploit.json"  # the result of the search for a best response
TUNING, RESPONSE = "tuning", "best response"
RESULTS = {TUNING: RESULT, RESPONSE: RESPONSE_RESULT}


def names_of(name: str, file: str = RESULT) -> tuple[str, ...]:
    """The names of the files of a finished search for a policy of this name."""
    return policy_file(name), CURVE, PICTURE, file


def policy_file(name: str) -> str:
    """The name of the file of a policy."""
    return f"{name}.toml"


_CHECK = {"check", "findings"}
_GENERATION = {"generation", "asked", "scores", "mean", "score", "share", "error", "step", "joined"}
_TIME = "cpu"  # which lines of a best response have besides
MOST_GENERATIONS = 100_000


class GenerationLines(LineShape):
    """The lines of a search: generations in order, and after every so many of them a check, before the next one."""

    def __init__(self, kind: str = TUNING, check_every: int | None = None) -> None:
        """Lines of a kind of search; without `check_every`, the generations between checks, none of them is missed."""
        self.kind = kind
        self._check_every = check_every

    def position(self, entry: dict[str, Any]) -> Position | None:
        """The number of generations before a line, and 0 for a check, which comes first."""
        key = "check" if "check" in entry else "generation"
        keys, number = entry.keys() - {_TIME}, entry.get(key)
        if (
            type(number) is not int
            or not 0 <= number <= MOST_GENERATIONS
            or keys != (_CHECK if key == "check" else _GENERATION)
        ):
            return None
        if key == "generation":
            return generation_at(number)
        return check_at(number) if number and number % (self._check_every or 1) == 0 else None

    def missing(self, positions: Collection[Position]) -> list[Position]:
        """Generations and checks that come before the last of some positions."""
        if not positions:
            return []
        last = max(positions)
        return [place for place in self.positions(last[0] + 1) if place < last and place not in positions]

    def positions(self, generations: int) -> list[Position]:
        """The positions of all lines of a search of so many generations, in order."""
        every = self._check_every
        checks = [check_at(number) for number in range(every, generations + 1, every)] if every else []
        return sorted([*(generation_at(number) for number in range(generations)), *checks])

    def name(self, position: Position) -> str:
        """A generation or a check in words."""
        number, is_generation = position
        return f"generation {number}" if is_generation else f"the check after {number} generations"


class Journal(LineJournal):
    """A tuning's folder locked for writing, as a context manager, and the entries of its journal."""

    def __init__(self, folder: Path, identity: dict[str, Any], kind: str = TUNING) -> None:
        """Lock a folder for a tuning, or a search of another `kind`; the errors are those of every journal."""
        self._generation_lines = GenerationLines(kind, identity["check_every"])
        super().__init__(folder, identity, self._generation_lines, (*RESULTS.values(), CURVE, PICTURE))

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The entries after the header in order: objects with `generation` or `check`."""
        return list(self.entries.values())

    @property
    def generations(self) -> int:
        """The number of generations up to the last one in the journal, whether or not others are missing."""
        return max((number + 1 for number, is_generation in {*self.entries, *self.gaps} if is_generation), default=0)

    def has(self, generations: int) -> bool:
        """Whether the journal has all lines of so many generations, and needs no repair."""
        return not self.pending and self._generation_lines.positions(generations) == list(self.entries)

    def append(self, line: dict[str, Any]) -> None:
        """Append an entry and wait until it is on the disk."""
        self.write_line(line)


def generation_at(number: int) -> Position:
    """The position of a generation."""
    return number, 1


def check_at(number: int) -> Position:
    """The position of the check after so many generations."""
    return number, 0


def stored_generations(folder: Path) -> int:
    """The number of complete generations in the journal of a folder; 0 if it cannot be read."""
    return sum("generation" in entry for entry in entries_in(folder, GenerationLines()))
