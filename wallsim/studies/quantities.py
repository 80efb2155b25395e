"""Quantities: what the figures of a study are, said once for all rows of the register that are alike.

A study measures values by `Key`; its quantities give words, unit and fair value, and say which intervals hold together.
So the families of intervals are counted, never typed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.studies.figure import NOWHERE, Figure, Figures, figure_id
from wallsim.studies.outcomes import Change

_DIGITS = 10  # significant digits of a number in the register
_DIGEST = 12  # digits of a digest


class Key(NamedTuple):
    """Where a figure stands: its quantity, item, number of players, cell and moment; all but the first may be none."""

    quantity: str
    item: str = ""
    players: int = 0
    cell: Cell = NOWHERE
    moment: str = ""


class Number(NamedTuple):
    """A number that is no estimate of blocks, such as a count or a p-value, and what an interval of its own is one of.

    With an interval, `sure` is None where its quantity counts the family.
    """

    value: float
    interval: Interval | None = None
    n: int = 0
    sure: Confidence | None = None


class Bounded(NamedTuple):
    """A number from so many blocks whose interval is known already: one of as many as its quantity's family has."""

    value: float
    ends: Interval | None
    blocks: int = 0

    def interval(self, _: Confidence) -> Interval | None:
        """The interval."""
        return self.ends


InFamily = Callable[[Confidence], Number]  # a number whose interval needs the confidence of its family
Alone = Measured | Change | Number | InFamily | None  # None is not published, but counted in its family


class About(NamedTuple):
    """A value with the text that fills {about} in the words of its quantity."""

    value: Alone
    text: str


Value = Alone | About
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


def figures_of(
    study: str, quantities: Iterable[Quantity], values: Mapping[Key, Value], seed: int = 0, digest: str = ""
) -> Figures:
    """The figures of a study: every value, with an interval that its family holds, as the register writes it.

    `seed` is that of the study's experiment, `digest` that of everything that decides the figures. KeyError for a key
    of no quantity; ValueError for two figures of one id, and for an id of other characters than ids have.
    """
    known = {each.name: each for each in quantities}
    sure = families(known.values(), values)
    rows = []
    for key, value in values.items():
        about = value.text if isinstance(value, About) else ""
        value = value.value if isinstance(value, About) else value
        if callable(value):
            value = value(sure(key))
        if value is None:
            continue
        quantity, held = known[key.quantity], sure(key)
        value, gain = (value.estimate, value.gain) if isinstance(value, Change) else (value, nan)
        if isinstance(value, Number):
            held = value.sure or (held if value.interval is not None else Confidence())
            n, ends, error = value.n, value.interval, nan
        else:
            n, ends, error = value.blocks, value.interval(held), getattr(value, "error", nan)
        null = quantity.null(key) if callable(quantity.null) else quantity.null
        low, high = ends or (nan, nan)
        rows.append(Figure(
            figure_id(study, **key._asdict()), _said(quantity.words, key, about), _said(quantity.unit, key),
            key.players, *key.cell, key.moment, _rounded(value.value), _rounded(low), _rounded(high), _rounded(error),
            held.level, held.n_comparisons, n, _said(quantity.n_unit, key) if n else "", _rounded(null), _rounded(gain),
            seed if quantity.seed is None else quantity.seed(key), ENGINE_VERSION, digest[:_DIGEST],
        ))  # fmt: skip
    return Figures(study, rows)


def _rounded(value: float) -> float:
    # As the register writes it, so that a page is the same from the games and from the register.
    return float(f"{float(value):.{_DIGITS}g}")


def _said(text: Said, key: Key, about: str = "") -> str:
    first, _, rest = key.item.partition(" ")
    template, setup = text(key) if callable(text) else text, SETUP_WORDS.get(key.cell.setup, "")
    return template.format(**key._asdict(), first=first, rest=rest, setup=setup, about=about)
