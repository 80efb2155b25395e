"""Numbers that know the id of the figure they come from, and texts in which such numbers are marked.

A `Traced` number behaves as its float. What is added, subtracted, multiplied, divided or rounded stays traced; where it
is written into a text, the text gets marks around it, two characters of a private area of Unicode. A page turns marks
into elements with ids (`wallsim.analyses.strategy_report.html`). So the functions that write sentences and tables need
not know. What numpy or scipy work out from traced numbers is a plain number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

CLOSE = "\ue000"
_FIRST, _LAST = 0xF0000, 0x10FFFD  # private characters: one for each number that was written
_OPEN = f"[{chr(_FIRST)}-{chr(_LAST)}]"
MARKED = re.compile(f"({_OPEN})([^{CLOSE}]*){CLOSE}")
_MARK = re.compile(f"{_OPEN}|{CLOSE}")
_JOINED = re.compile(f"({_OPEN})([^{CLOSE}]*){CLOSE}( ± ?|±)({_OPEN})([^{CLOSE}]*){CLOSE}")


class Source(NamedTuple):
    """What a marked text shows: the ids of the figures it comes from, the number that is written, and its unit.

    The unit is that of a single figure in the register. Words that a verdict decides have the id of its claim, and no
    number.
    """

    ids: tuple[str, ...]
    value: float | None
    unit: str = ""


_SOURCES: list[Source] = []
_PLACES: dict[Source, int] = {}


class Traced(float):
    """A number with the ids of the figures that it was worked out from, and their unit if there is one alone.

    `full` is the number before it was rounded.
    """

    ids: tuple[str, ...]
    unit: str
    full: float

    def __new__(cls, value: float, ids: tuple[str, ...], unit: str = "", full: float | None = None) -> Traced:
        """The number `value` of some figures."""
        made = super().__new__(cls, value)
        made.ids, made.unit, made.full = ids, unit, float(value) if full is None else full
        return made

    def _of(self, value: Any, other: object = None) -> Any:
        if not isinstance(value, float):
            return value
        ids = self.ids if not isinstance(other, Traced) else tuple(dict.fromkeys((*self.ids, *other.ids)))
        return Traced(value, ids, self.unit if ids == self.ids else "")

    def __add__(self, other: Any) -> Any:
        value = float.__add__(self, other)
        if not isinstance(other, Traced) and other == 0:  # as in round(value, 1) + 0.0, which has no negative zero
            return Traced(value, self.ids, self.unit, self.full)
        return self._of(value, other)

    __radd__ = __add__

    def __round__(self, digits: Any = None) -> Any:
        value = float.__round__(self, digits)
        return Traced(value, self.ids, self.unit, self.full) if isinstance(value, float) else value

    def __format__(self, form: str) -> str:
        return marked(format(float(self), form), self)

    def __reduce__(self) -> Any:
        return Traced, (float(self), self.ids, self.unit, self.full)


def _tracing(name: str) -> Callable[..., Any]:
    operation = getattr(float, name)
    return lambda number, *others: number._of(operation(number, *others), *others)


for _name in ("sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "neg", "abs"):
    setattr(Traced, f"__{_name}__", _tracing(f"__{_name}__"))


def marked(text: str, *numbers: float) -> str:
    """A text that shows numbers, with marks around it if any of them is traced; marks within it give way."""
    traced = [each for each in numbers if isinstance(each, Traced)]
    if not traced:
        return text
    ids = tuple(dict.fromkeys(key for each in traced for key in each.ids))
    unit = traced[0].unit if ids == traced[0].ids else ""
    return _between_marks(text, Source(ids, float(f"{traced[0].full:.10g}"), unit))


def judged(text: str, claim: str) -> str:
    """Words that the verdict on a claim decides, with marks around them."""
    return _between_marks(text, Source((claim,), None))


def _between_marks(text: str, source: Source) -> str:
    if source not in _PLACES:
        if len(_SOURCES) > _LAST - _FIRST:
            raise ValueError(f"{source.ids[0]}: more than {len(_SOURCES):,} numbers were written by one process")
        _PLACES[source] = len(_SOURCES)
        _SOURCES.append(source)
    return f"{chr(_FIRST + _PLACES[source])}{unmarked(text)}{CLOSE}"


def source_of(mark: str) -> Source | None:
    """What the opening mark of a text stands for; None for a character that somebody has in a name."""
    place = ord(mark) - _FIRST
    return _SOURCES[place] if place < len(_SOURCES) else None


def unmarked(text: str) -> str:
    """A text without marks, as it would be written from plain numbers."""
    return _MARK.sub("", text)


def joined(text: str) -> str:
    """A text in which a value and its half-width have one pair of marks, if they are of the same figures."""
    return _JOINED.sub(_one, text)


def _one(found: re.Match[str]) -> str:
    first, value, between, second, half = found.groups()
    one, other = source_of(first), source_of(second)
    if one is None or other is None or one.ids != other.ids:
        return found[0]
    return f"{first}{value}{between}{half}{CLOSE}"


def sources_in(text: str) -> Iterator[Source]:
    """What the marks of a text stand for, in their order."""
    for mark, _ in MARKED.findall(joined(text)):
        if (source := source_of(mark)) is not None:
            yield source
