"""What a column and a result table are."""

import re
from typing import NamedTuple

_RULE = re.compile(r"\b[A-Z][0-9]{1,2}(?:\.[0-9]{1,2})?\b")


class Column(NamedTuple):
    """A column of a result table: name, kind (its type or what it names), unit ("" for a name) and meaning."""

    name: str
    kind: str
    unit: str
    meaning: str

    @property
    def rules(self) -> list[str]:
        """The rule numbers that the meaning ends with, as they stand there."""
        begin = self.meaning.rfind("(")
        return _RULE.findall(self.meaning[begin:]) if begin >= 0 else []


class ResultTable(NamedTuple):
    """A table: its name, what a row is, its columns, and whether expansions add columns or it comes on request only."""

    name: str
    row: str
    columns: tuple[Column, ...]
    expands: bool = False
    on_request: bool = False
