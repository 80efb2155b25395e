"""CSV files as spreadsheets open them: in UTF-8 that Excel recognises, and without texts that it would calculate."""

from __future__ import annotations

import csv
import io

_BEGINS_FORMULA = ("=", "+", "-", "@", "\t")


def safe_csv(text: str) -> str:
    """A CSV text in which no text is a formula: an apostrophe precedes each that begins like one; numbers stay."""
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows(
        map(_safe, row) for row in csv.reader(io.StringIO(text, newline=""))
    )
    return written.getvalue()


def spreadsheet(text: str) -> bytes:
    """The bytes of a file with a CSV text: the same, with the byte order mark by which Excel recognises UTF-8."""
    return safe_csv(text).encode("utf-8-sig")


def text_of(cell: str) -> str:
    """The text of a cell, without the apostrophe that makes it safe."""
    return cell[1:] if cell[:1] == "'" and cell.lstrip("'").startswith(_BEGINS_FORMULA) else cell


def cell_of(text: str) -> str:
    """The cell for a text that is read again: one that looks like a safe cell gets an apostrophe of its own."""
    return text if text_of(text) == text else f"'{text}"


def _safe(cell: str) -> str:
    cell = cell.replace("\r", "\n")  # the csv module quotes a newline alone
    if not cell.startswith(_BEGINS_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
