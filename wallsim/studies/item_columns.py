"""Columns that follow from parts of an id, such as the unit from an outcome's name or the family from the table.

A pattern is an item, its beginning ("A-*"), its end ("*-wins"), the place with any number of players ("*/strong/mid"),
or a number of players and the place ("4p/strong/mid"; "4p" where ids name no place).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Head(NamedTuple):
    """The parts of an id after the quantity: the number of players, the item, and the place with the moment."""

    players: int
    item: str
    place: str


def patterns_of(head: Head) -> Iterator[str]:
    """The patterns that fit."""
    hyphens = [found.start() for found in re.finditer("-", head.item)]
    yield head.item
    yield from (f"{head.item[:at]}-*" for at in hyphens)
    yield from (f"*{head.item[at:]}" for at in hyphens)
    yield f"{head.players}p{head.place}"
    if head.place:
        yield f"{head.players}p/*"
        yield f"*{head.place}"


def found_by(patterns: Mapping[str, str], head: Head) -> str | None:
    """The value of the first pattern that fits, if any does."""
    return next((patterns[each] for each in patterns_of(head) if each in patterns), None)


def patterns_for(values: Iterable[tuple[Head, str]], otherwise: str, *, narrow: bool = False) -> dict[str, str]:
    """Patterns that give heads their values; heads with several values, or with `otherwise`, fit none.

    With `narrow` none at all if they would take more room than the values.
    """
    said: dict[Head, list[str]] = defaultdict(list)
    fitting: dict[str, dict[Head, None]] = defaultdict(dict)
    for head, value in values:
        said[head].append(value)
        for pattern in patterns_of(head):
            fitting[pattern][head] = None
    found: dict[str, str] = {}
    left = {head: len("".join(each)) for head, each in said.items() if {*each} != {otherwise}}
    saved = 0
    for pattern, heads in sorted(fitting.items(), key=lambda each: (-len(each[1]), len(each[0]), each[0])):
        known = {value for head in heads for value in said[head]}
        if len(known) == 1 and any(head in left for head in heads):
            found[pattern] = known.pop()
            saved += sum(left.pop(head, 0) for head in heads) - len(pattern)
    return found if saved > 0 or not narrow else {}
