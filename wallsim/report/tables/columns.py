"""Tables that are said once: a column has a key for programs and a heading for people; and the JSON of `--json`.

Each command prints one document with `--json`; docs/json.md lists the keys. A document is an object. An interval is
`[low, high]`, or null where there is none; a number that does not exist is null; shares and chances run from 0 to 1.
Keys are added in later versions, never renamed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

Document = dict[str, Any]


class Column(NamedTuple):
    """A column of a table: its key in documents, its heading for people, and of a row the value and the text.

    Without a key it is in no document, without a heading (None) people do not see it. The value is by default the row's
    attribute or entry of that key, the text that value as it is, or a dash for None.
    """

    key: str
    heading: str | None = None
    value: Callable[[Any], Any] | None = None
    text: Callable[[Any], str] | None = None

    def value_of(self, row: Any) -> Any:
        """The value of a row."""
        if self.value is not None:
            return self.value(row)
        return row[self.key] if isinstance(row, Mapping) else getattr(row, self.key)

    def text_of(self, row: Any) -> str:
        """The text of a row."""
        if self.text is not None:
            return self.text(row)
        return "–" if (value := self.value_of(row)) is None else str(value)


Columns = Sequence[Column]


class Sheet(NamedTuple):
    """A table of texts with its title, headings, notes below it, and a chart as SVG, which may be empty.

    On a page a folded one shows its title until the reader opens it.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    chart: str = ""
    folded: bool = False


def headings_of(columns: Columns) -> list[str]:
    """The headings that people see."""
    return [column.heading for column in columns if column.heading is not None]


def texts_of(columns: Columns, rows: Iterable[Any]) -> list[list[str]]:
    """The rows for people."""
    return [[column.text_of(row) for column in columns if column.heading is not None] for row in rows]


def objects_of(columns: Columns, rows: Iterable[Any]) -> list[Document]:
    """The rows for programs: an object each."""
    return [{column.key: column.value_of(row) for column in columns if column.key} for row in rows]


def named_rows(keys: Sequence[str], rows: Iterable[Sequence[str]]) -> list[Document]:
    """Rows of texts for programs: an object each."""
    return [dict(zip(keys, row, strict=True)) for row in rows]


def json_text(document: Document) -> str:
    """A document as JSON in ASCII, which every terminal and pipe accepts."""
    return json.dumps(plain(document), indent=2, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """A value as JSON types: records as objects, arrays and tuples as lists, None for numbers that are not finite."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return plain(value.tolist())
    return None if isinstance(value, float) and not isfinite(value) else value
