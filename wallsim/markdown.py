"""Tables in Markdown; every one that wallsim and its studies write is made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a line of headings and a line per row; a vertical bar inside a cell is escaped.

    ValueError for a row that has more or fewer cells than there are headings.
    """
    lines = [headings, ["---"] * len(headings), *rows]
    if any(len(line) != len(headings) for line in lines):
        raise ValueError(f"rows: each needs {len(headings)} cells, one per heading")
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
