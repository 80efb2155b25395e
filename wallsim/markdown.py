"""Markdown: tables, and the names and texts of files in it, which are shown literally and never become markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wallsim.escaping import escaped_line

# What begins a code span, emphasis, a link, an entity, or HTML; an underscore between letters begins nothing.
_MARKUP = re.compile(r"[\\`*\[\]<>{}]|&(?=[\w#])|~(?=~)|(?<![^\W_])_|_(?![^\W_])")
_SPAN = re.compile(r"((?<!`)`[^`\\]+`(?!`))")  # a code span; without a backslash, which a table would take for its own
_BLOCK = re.compile(r"[-#+=|]|(\d+)[.)]")  # what begins a heading, a list, a table, or a line below a heading


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a line of headings and a line per row; a vertical bar inside a cell is escaped.

    ValueError for a row that has more or fewer cells than there are headings.
    """
    lines = [headings, ["---"] * len(headings), *rows]
    if any(len(line) != len(headings) for line in lines):
        raise ValueError(f"rows: each needs {len(headings)} cells, one per column")
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def literal(text: str) -> str:
    """A text of a file within a line of Markdown or a cell of a table: shown as it is, but for its code spans."""
    parts = _SPAN.split(escaped_line(" ".join(text.split("\n")), marks=True))
    return "".join(part if place % 2 else _MARKUP.sub(r"\\\g<0>", part) for place, part in enumerate(parts))


def paragraph(text: str) -> str:
    """A text of a file as a paragraph or an entry of a list: as `literal`, and no heading, list, rule, or table."""
    line = literal(text.strip())
    begins = _BLOCK.match(line)
    return line if begins is None else f"{begins[1] or ''}\\{line[len(begins[1] or '') :]}"


def code(name: str) -> str:
    """A name as a code span, or escaped if it has a character that cannot stand in one."""
    span = f"`{name}`"
    return span if _SPAN.fullmatch(span) and escaped_line(name, marks=True) == name else literal(name)
