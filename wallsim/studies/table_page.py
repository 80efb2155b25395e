"""The page of all tables of a study: with headings, anchors and a list of contents, the claims first, each cell last.

It is made of the text of all tables (`all_tables`), for the website, the terminal and the page of the study alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from wallsim.analysis.claims.cells import TOWERS
from wallsim.report.tables.traced import unmarked
from wallsim.report.tables.verdicts import HEADS
from wallsim.studies.study import Study

CLAIMS = "Claims"
_FEW = 3  # tables that need no list of contents
_MOST = 90  # characters of a heading


class Section(NamedTuple):
    """A table with the sentences about it; the anchor is that of its heading on GitHub and on the website."""

    heading: str
    anchor: str
    text: str


def sections_of(tables: str) -> tuple[str, list[Section]]:
    """What stands before the first table, and the sections: claims first, then tables, those by tower and play last.

    A paragraph that ends with a colon belongs to the table below it, any other to that above.
    """
    before: list[str] = []
    lead: list[str] = []
    found: list[tuple[list[str], list[str]]] = []
    for block in tables.split("\n\n"):
        if block.startswith("|"):
            found.append((lead, [block]))
            lead = []
        elif unmarked(block).rstrip().endswith(":"):
            lead.append(block)
        else:
            (found[-1][1] if found else before).extend((*lead, block))
            lead = []
    (found[-1][1] if found else before).extend(lead)
    named, seen = [], dict[str, int]()
    for lead, blocks in sorted(found, key=lambda each: _rank(each[1][0])):
        heading = _heading(blocks[0], lead)
        seen[heading] = seen.get(heading, 0) + 1
        heading = heading if seen[heading] == 1 else f"{heading} ({seen[heading]})"
        named.append(Section(heading, anchor_of(heading), "\n\n".join((*lead, *blocks))))
    return "\n\n".join(before), named


def tables_with_headings(tables: str) -> str:
    """All tables as Markdown, each below its heading, with a list of contents if there are many."""
    before, sections = sections_of(tables)
    listed = "\n".join(f"- [{each.heading}](#{each.anchor})" for each in sections) if len(sections) > _FEW else ""
    parts = [before, listed, *(f"## {each.heading}\n\n{each.text}" for each in sections)]
    return "\n\n".join(filter(None, parts))


def tables_page(study: Study, tables: str) -> str:
    """The page of all tables of a study as Markdown, with its title."""
    return f"# {study.question.partition(':')[0]}: all tables\n\n{tables_with_headings(tables)}\n"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", unmarked(line))[1:-1]]


def _rank(table: str) -> int:
    heads, _, *rows = map(_cells, table.splitlines())
    if tuple(heads) == HEADS:
        return 0  # claims with their answers
    return 2 if all(row[0].strip("`") in TOWERS for row in rows) else 1


def _heading(table: str, lead: list[str]) -> str:
    # The head of the first column; a single word says too little, so the next heads follow.
    heads = [head for head in _cells(table.partition("\n")[0]) if head]
    said = unmarked(lead[-1]).rstrip(":") if lead and len(lead[-1]) < _MOST else ""
    if tuple(heads) == HEADS:
        return f"{CLAIMS}, {said[:1].lower()}{said[1:]}" if said else CLAIMS
    words = heads[0] if " " in heads[0] or len(heads) < 2 else f"{heads[0]}: {', '.join(_some(heads[1:]))}"
    return f"{words[:1].upper()}{words[1:]}{f', {said[:1].lower()}{said[1:]}' if said else ''}"


def _some(heads: list[str]) -> Iterator[str]:
    room = _MOST
    for head in heads:
        room -= len(head) + 2
        if room < 0:
            yield "…"
            return
        yield head


def anchor_of(heading: str) -> str:
    """The anchor of a heading, as GitHub and the website make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
