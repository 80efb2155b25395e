"""Figures: every number that a study publishes, with its interval, its sample size and what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, isnan
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.version import ENGINE_VERSION
from wallsim.stats.intervals import Confidence, Interval

LINEUP = "lineup"
NOWHERE = Cell("", "", "")  # of what is measured in no single cell
_ID = re.compile(r"[\w.+\-×@/]+")


@dataclass(frozen=True, eq=False)
class Figure:
    """One published number: a row of the register, whose columns are these fields.

    `id` is stable and never changes its meaning. `quantity` says in words what the number is, `unit` its unit. `play`,
    `tower`, `setup` and `moment` are empty where the number is of none or of all of them; `players` is 0 there. `low`
    and `high` are the ends of the interval, one of `family` that hold simultaneously with probability `level`; `error`
    is the standard error; all nan where there is none. `n` counts `n_unit`, the units of errors. `null` is the fair
    value or that of no effect, nan without one. `pairing` is the share of the variance that pairing by block saved.
    """

    id: str
    quantity: str
    unit: str
    players: int
    play: str
    tower: str
    setup: str
    moment: str
    value: float
    low: float
    high: float
    error: float
    level: float
    family: int
    n: int
    n_unit: str
    null: float
    pairing: float
    seed: int
    engine: int
    digest: str

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal; what is not known equals what is not known."""
        return isinstance(other, Figure) and str(self) == str(other)

    def __hash__(self) -> int:
        """By the id."""
        return hash(self.id)

    @property
    def blocks(self) -> int:
        """The number of units of errors."""
        return self.n

    @property
    def ends(self) -> Interval | None:
        """The interval of the register, an end that it does not have being infinite; None without one."""
        low, high = -inf if isnan(self.low) else self.low, inf if isnan(self.high) else self.high
        return None if isnan(self.low) and isnan(self.high) else (low, high)

    def interval(self, confidence: Confidence) -> Interval | None:
        """The interval of the register. ValueError if it is not one of as many as `confidence` has, or of its level.

        So no page shows another interval than the register has.
        """
        if (self.family, self.level) != (confidence.n_comparisons, confidence.level):
            asked = f"{confidence.n_comparisons} at {confidence.level:g}"
            raise ValueError(f"{self.id}: its interval is one of {self.family} at {self.level:g}, not of {asked}")
        return self.ends

    @property
    def cell(self) -> Cell:
        """The cell of play, tower and set-up."""
        return Cell(self.play, self.tower, self.setup)


def slug(text: str) -> str:
    """A text as a part of an id: letters, digits, + - _ × and hyphens for all else; '+4 Thalers' is '+4-Thalers'."""
    words = re.split(r"[^\w+\-×]+", text.replace("−", "-"))
    return "-".join(word for word in words if word)


def figure_id(
    study: str, quantity: str, item: str = "", *, players: int = 0, cell: Cell = NOWHERE, moment: str = "", **part: str
) -> str:
    """The id of a figure: STUDY.QUANTITY[.4p][.ITEM][/PLAY/TOWER[/draft]][@MOMENT].

    Each `part` is a play, tower or setup in place of that of the cell. "all" stands for a play or tower that is not
    named where the other is; line-ups are not named as a set-up.
    """
    play, tower, setup = cell._replace(**part)
    head = ".".join(filter(None, (study, slug(quantity), f"{players}p" if players else "", slug(item))))
    where = "".join(f"/{slug(part) or 'all'}" for part in (play, tower)) if play or tower else ""
    other = f"/{slug(setup)}" if setup not in ("", LINEUP) else ""
    return f"{head}{where}{other}{f'@{slug(moment)}' if moment else ''}"


def quantity_of(key: str) -> str:
    """The quantity of an id, its second part."""
    return re.split(r"[.@/]", key)[1]


class Figures(Mapping[str, Figure]):
    """The figures of a study by id, in their order."""

    def __init__(self, study: str, rows: Iterable[Figure]) -> None:
        """ValueError for an id that occurs twice or has other characters than ids have."""
        self.study = study
        self._rows: dict[str, Figure] = {}
        for row in rows:
            if row.id in self._rows:
                raise ValueError(f"{row.id}: two figures have this id")
            if not _ID.fullmatch(row.id):
                raise ValueError(f"{row.id!r}: an id has letters, digits and . + - _ × @ / alone")
            self._rows[row.id] = row

    @cached_property
    def _heads(self) -> dict[str, list[Figure]]:
        # By the part of the id before cell and moment.
        heads: dict[str, list[Figure]] = {}
        for row in self._rows.values():
            heads.setdefault(re.split("[/@]", row.id, maxsplit=1)[0], []).append(row)
        return heads

    def __getitem__(self, key: str) -> Figure:
        return self._rows[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def engine(self) -> int:
        """The engine version that played the games; that of today without figures."""
        return next((row.engine for row in self._rows.values()), ENGINE_VERSION)

    def of(self, quantity: str, item: str = "", **at: Any) -> Figure:
        """The figure of a quantity and item; `at` are arguments of `figure_id`. KeyError with its id without one."""
        return self[figure_id(self.study, quantity, item, **at)]

    def find(self, quantity: str, item: str = "", **at: Any) -> Figure | None:
        """The same; None without one."""
        return self.get(figure_id(self.study, quantity, item, **at))

    def all_of(self, quantity: str, item: str = "", *, players: int = 0) -> list[Figure]:
        """The figures of a quantity and item with this number of players, in every cell and moment, in their order."""
        return self.headed(figure_id(self.study, quantity, item, players=players))

    def headed(self, head: str) -> list[Figure]:
        """The figures whose id has this part before cell and moment, in their order."""
        return list(self._heads.get(head, ()))

    def cells(self, quantity: str, item: str = "", *, players: int = 0, moment: str = "") -> dict[Cell, Figure]:
        """The same at one moment by cell, where there is one."""
        rows = self.all_of(quantity, item, players=players)
        return {row.cell: row for row in rows if row.moment == moment and (row.play or row.tower)}
