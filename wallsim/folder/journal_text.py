"""The text of a journal of lines: which lines are whole, what is wrong with the others, and which lines are missing.

The first line is the header, an object with the kind of work as its only key. All others have a position, by which they
are in order. Each names the work by a hash (`search`), except in journals that earlier versions began.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from wallsim.errors import MOST_LISTED
from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import SealError, is_sealed_line, read_sealed_line, sealed_line
from wallsim.rules.files import read_json

SEARCH = "search"  # the key of the hash in every line but the header
Position = tuple[int, int]
_SEAL = re.compile(rb'"seal": "[0-9a-f]{64}"')


class LineShape(ABC):
    """What the lines of a kind of journal have, and in which order they are."""

    kind: str  # the only key of the header
    in_order: bool = True  # whether positions are in the order of the file; False if only the header could tell
    may_repeat: ClassVar[bool] = False  # whether earlier versions appended a second line for the same position

    @abstractmethod
    def position(self, entry: dict[str, Any]) -> Position | None:
        """The position of a line by its entry; None if the entry is not whole."""

    @abstractmethod
    def missing(self, positions: Collection[Position]) -> list[Position]:
        """The positions before the last of some positions that are not among them."""

    @abstractmethod
    def name(self, position: Position) -> str:
        """What is at a position, such as "generation 3"."""


class Line(NamedTuple):
    """A whole line: its number in the file from 1, its bytes without the line's end, and its entry without the hash."""

    number: int
    raw: bytes
    entry: dict[str, Any]


@dataclass
class JournalText:
    """The lines of a journal: the identity in the header if it is whole, and the whole lines in order.

    `head_line` is the first line as it is, empty if the first line is not a header. `search` is the hash that the lines
    have, None if they have none. `errors` are one line each, `gaps` the positions of lines that are missing or damaged,
    and `torn` is a last line that was not written to its end.
    """

    header: dict[str, Any] | None = None
    header_line: bytes = b""
    search: str | None = None
    lines: dict[Position, Line] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    gaps: list[Position] = field(default_factory=list)
    torn: bytes = b""


def header_line(kind: str, identity: dict[str, Any]) -> bytes:
    """The header of a journal, without the line's end."""
    return sealed_line({kind: identity})


def search_hash(kind: str, identity: dict[str, Any]) -> str:
    """The hash by which lines name their search."""
    return identity_hash({kind: identity})


def header_of(line: bytes, kind: str) -> dict[str, Any] | None:
    """The identity in a header; None if the line is damaged, or is not the header of this kind."""
    entry = entry_of(line)
    identity = entry[kind] if entry is not None and entry.keys() == {kind} else None
    return identity if isinstance(identity, dict) else None


def is_remainder_of(line: bytes, header: bytes) -> bool:
    """Whether a damaged first line was this header: it still has its seal, or all that was sealed."""
    body, _, seal = header.rpartition(b', "seal": ')
    return seal[1:65] in line or body in line


def entry_of(line: bytes, *, sealed: bool = False) -> dict[str, Any] | None:
    """The JSON object of a line, None if it is none, or is damaged; with `sealed` also if it has no seal."""
    try:
        entry = read_sealed_line(line) if sealed or is_sealed_line(line) else read_json(line)
    except (SealError, ValueError):
        return None
    return entry if isinstance(entry, dict) else None


def read_text(data: bytes, shape: LineShape, *, search: str | None = None, finished: bool = False) -> JournalText:
    """Read a journal. `search` is the hash of the lines if it is known otherwise than by the header.

    A last line without an end is torn, as an interruption leaves it, unless the work was `finished` or it has a seal.
    """
    *lines, tail = data.split(b"\n")
    text = JournalText()
    first = lines[0] if lines else b""
    text.header = header_of(first, shape.kind)
    sealed = is_sealed_line(first) if text.header is not None else any(map(_is_whole_and_sealed, lines))
    begins = 1
    if text.header is None:
        if _entry(first, shape, sealed) is not None:
            text.errors.append("line 1: the header is missing before it")
            begins = 0
        else:
            text.errors.append("line 1: is damaged")
            text.header_line = first
    else:
        text.header_line = first
    numbered = list(enumerate(lines[begins:], begins + 1))
    if tail and (finished or _SEAL.search(tail)):
        numbered.append((len(lines) + 1, tail))
        if _entry(tail, shape, sealed) is not None:
            text.errors.append(f"line {len(lines) + 1}: has no end")
    else:
        text.torn = tail
    result = [(number, raw, _entry(raw, shape, sealed)) for number, raw in numbered]
    hashes = Counter(entry[SEARCH] for _, _, entry in result if entry is not None and SEARCH in entry)
    if hashes:
        known = search_hash(shape.kind, text.header) if text.header is not None else search
        text.search = known if known in hashes else hashes.most_common(1)[0][0]
        if text.header is not None:
            text.search = known
    _take(text, shape, result)
    return text


def _is_whole_and_sealed(line: bytes) -> bool:
    return is_sealed_line(line) and entry_of(line) is not None


def _entry(line: bytes, shape: LineShape, sealed: bool) -> dict[str, Any] | None:
    # The entry with its hash, if the line is whole.
    entry = entry_of(line, sealed=sealed)
    if entry is None or not isinstance(entry.get(SEARCH, ""), str):
        return None
    return entry if shape.position(without_hash(entry)) is not None else None


def without_hash(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry of a line without the hash of its search."""
    return {key: value for key, value in entry.items() if key != SEARCH}


def _take(text: JournalText, shape: LineShape, entries: list[tuple[int, bytes, dict[str, Any] | None]]) -> None:
    damaged: list[int] = []
    contradicted: set[Position] = set()
    seen = {text.header_line: 1} if text.header_line else {}
    last: Position | None = None
    ordered = shape.in_order and not (shape.may_repeat and text.search is None)
    for number, raw, entry in entries:
        position = shape.position(without_hash(entry)) if entry is not None else None
        if raw in seen and (ordered or position is None):
            text.errors.append(f"line {number}: duplicates line {seen[raw]}")
            continue
        seen[raw] = number
        if entry is None or position is None:
            text.errors.append(f"line {number}: is damaged")
            damaged.append(number)
            continue
        if entry.get(SEARCH) != text.search:
            text.errors.append(f"line {number}: does not belong to this search")
            damaged.append(number)
            continue
        if ordered and position in text.lines:
            text.errors.append(f"line {number}: contradicts line {text.lines[position].number}")
            contradicted.add(position)
        elif ordered and last is not None and position < last:
            text.errors.append(f"line {number}: is out of order")
        last = position if last is None else max(last, position)
        text.lines[position] = Line(number, raw, without_hash(entry))
    positions = {*text.lines}
    for position in contradicted:
        del text.lines[position]
    text.lines = dict(sorted(text.lines.items()))
    # A contradicted line is a gap even if it is the last one, so that none of both is dropped before it is played.
    text.gaps = sorted({*shape.missing(positions), *contradicted})
    for position in text.gaps[:MOST_LISTED]:
        _note_gap(text, shape, position, damaged, contradicted)


def _note_gap(
    text: JournalText, shape: LineShape, position: Position, damaged: list[int], contradicted: set[Position]
) -> None:
    # A missing line is reported, unless a damaged line is in its place.
    before = max((line.number for place, line in text.lines.items() if place < position), default=0)
    after = min((line.number for place, line in text.lines.items() if place > position), default=None)
    in_place = any(number > before and (after is None or number < after) for number in damaged)
    if not in_place and position not in contradicted and after is not None:
        text.errors.append(f"line {after}: {shape.name(position)} is missing before it")
