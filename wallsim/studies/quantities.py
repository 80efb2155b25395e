"""Quantities: what the figures of a study are, said once for all rows of the register that are alike.

A study measures values by `Key`; its quantities give words, unit and fair value, and say which intervals hold together.
So the families of intervals are counted, never typed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import nan
from types import MappingProxyType
from typing import Any, NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.studies.figure import Figure, Rows
from wallsim.studies.outcomes import Change

NOWHERE = Cell("", "", "")  # of what is measured in no single cell
NOTHING_MORE: Mapping[Any, str] = MappingProxyType({})


class Key(NamedTuple):
    """Where a figure stands: its quantity, item, number of players, cell and moment; all but the first may be none."""

    quantity: str
    item: str = ""
    players: int = 0
    cell: Cell = NOWHERE
    moment: str = ""


class Number(NamedTuple):
    """A number that is no estimate of blocks, such as a count or a p-value, and what an interval of its own is one of.

    With an interval, `sure` is None where its quantity counts the family. `about` fills {about} in its words.
    """

    value: float
    interval: Interval | None = None
    n: int = 0
    sure: Confidence | None = None
    about: str = ""


class Bounded(NamedTuple):
    """A number from so many blocks whose interval is known already: one of as many as its quantity's family has."""

    value: float
    ends: Interval | None
    blocks: int = 0
    about: str = ""

    def interval(self, _: Confidence) -> Interval | None:
        """The interval."""
        return self.ends


InFamily = Callable[[Confidence], Number]  # a number whose interval needs the confidence of its family
Value = Measured | Change | Number | InFamily | None  # None is not published, but counted in its family
Said = str | Callable[[Key], str]


@dataclass(frozen=True)
class Quantity:
    """One quantity of the register.

    `words`, `unit` and `n_unit` are texts in which the fields of a `Key` may stand in braces, or functions of the key
    that give such texts. {first} and {rest} are the first word of the item and all others, {setup} is the set-up in
    words, and {about} what only the result says. `null` is the fair value or that of no effect. Intervals hold together
    where the quantity and these fields of the key (`together`) are the same, at one table by default; or where a
    function of the key gives the same, whatever the quantity. Quantities of one `family` are counted together, with
    `more` intervals in each that are not published; one that is `like` another has as many as that one, which also
    shows its rows. An interval counts as `among`, such as the largest of so many that are compared. `seed` is that of
    the games, if it is not the study's. `shown` says where it is shown: "first screen", "tables", "picture", "report",
    "claims", "words" where it only chooses words, or a study; what is shown nowhere stays in the study's folder, as
    does what the quantity `hides`.
    """

    name: str
    words: Said
    unit: Said = "VP"
    null: float | Callable[[Key], float] = nan
    together: tuple[str, ...] | Callable[[Key], Hashable] = ("players", "cell")
    family: str = ""
    like: str = ""
    more: int = 0
    n_unit: Said = "blocks"
    among: int | Callable[[Key], int] = 1
    seed: Callable[[Key], int] | None = None
    shown: str = "tables"
    hides: Callable[[Figure], bool] | None = None

    def group(self, key: Key) -> Hashable:
        """The family of a figure's interval."""
        if callable(self.together):
            return self.together(key)
        return (self.like or self.family or self.name, *(getattr(key, name) for name in self.together))

    def publishes(self, figure: Figure) -> bool:
        """Whether a figure of the quantity is published: something shows it."""
        return bool(self.shown) and (self.hides is None or not self.hides(figure))

    @property
    def family_in_words(self) -> str:
        """Which intervals hold together, for the codebook."""
        whose = self.like or self.family or self.name
        if callable(self.together):
            return f"{whose}: as the study says"
        return f"{whose}: same {', '.join(self.together)}" if self.together else f"{whose}: all"


def families(quantities: Iterable[Quantity], keys: Iterable[Key]) -> Callable[[Key], Confidence]:
    """The confidence of each figure: one of as many intervals as the keys of its family count.

    KeyError for a key of no quantity.
    """
    known = {each.name: each for each in quantities}
    counts: Counter[Hashable] = Counter()
    groups = set()
    for key in keys:
        each = known[key.quantity]
        groups.add((each, each.group(key)))
        if not each.like:
            counts[each.group(key)] += each.among(key) if callable(each.among) else each.among
    for each, group in groups:
        counts[group] += each.more
    return lambda key: Confidence(LEVEL, counts[known[key.quantity].group(key)])


def add_values(
    rows: Rows,
    quantities: Iterable[Quantity],
    values: Mapping[Key, Value],
    about: Mapping[Key, str] = NOTHING_MORE,
) -> None:
    """Add the figure of every value, with an interval that its family holds; `about` fills {about} in its words."""
    known = {each.name: each for each in quantities}
    sure = families(known.values(), values)
    for key, value in values.items():
        if callable(value):
            value = value(sure(key))
        if value is None:
            continue
        quantity, more = known[key.quantity], about.get(key, getattr(value, "about", ""))
        fields: dict[str, Any] = {
            "words": _said(quantity.words, key, more), "unit": _said(quantity.unit, key), "players": key.players,
            "cell": key.cell, "moment": key.moment, "n_unit": _said(quantity.n_unit, key),
            "null": quantity.null(key) if callable(quantity.null) else quantity.null,
            "seed": None if quantity.seed is None else quantity.seed(key),
        }  # fmt: skip
        if isinstance(value, Number):
            held = value.sure or (sure(key) if value.interval is not None else None)
            rows.number(key.quantity, key.item, value.value, value.interval, n=value.n, sure=held, **fields)
        elif isinstance(value, Change):
            rows.estimate(key.quantity, key.item, value.estimate, sure(key), pairing=value.gain, **fields)
        else:
            rows.estimate(key.quantity, key.item, value, sure(key), **fields)


def _said(text: Said, key: Key, about: str = "") -> str:
    first, _, rest = key.item.partition(" ")
    template, setup = text(key) if callable(text) else text, SETUP_WORDS.get(key.cell.setup, "")
    return template.format(**key._asdict(), first=first, rest=rest, setup=setup, about=about)
