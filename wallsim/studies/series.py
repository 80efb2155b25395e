"""What a study of contrasts declares: plans of what is played, contrasts of scenarios, and series of contrasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure as Picture

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.figure import Figures
from wallsim.studies.games import Count, Counted
from wallsim.studies.grids import Grid
from wallsim.studies.outcomes import Change, by_round, change
from wallsim.studies.quantities import Key, Quantity, Value
from wallsim.studies.scenarios import Lines
from wallsim.studies.scope import BASELINE, Blocks, Scope
from wallsim.studies.study import Storage

MEAN, START, TURN = "all rounds", "start", "turn"
# What fills `{arm}` in the name of a scenario at each moment, and which rounds are counted: None for all.
MOMENTS: Mapping[str, tuple[str, int | Sequence[int] | None]] = {
    MEAN: (TURN, None), START: (START, None), **{name: (TURN, place) for place, name in enumerate(ROUND_NAMES)},
    "year 1": (TURN, (0, 1, 2)), "year 2": (TURN, (3, 4, 5)),
}  # fmt: skip


class Plan(NamedTuple):
    """Scenarios that are played with some numbers of players; on as many blocks as other cells have if `small`.

    `alone` are further ones that are played at the tables alone. A name stands for the same scenario in all plans.
    """

    name: str
    scenarios: Mapping[str, Lines]
    sizes: tuple[int, ...] = (4,)
    small: bool = False
    alone: Mapping[str, Lines] = MappingProxyType({})


class Contrast(NamedTuple):
    """`plus` and the weighted sum of a count over scenarios, times `scale`.

    In the names of scenarios MOMENTS fills `{arm}`, and the number of players `{players}`.
    """

    weights: Mapping[str, float]
    counted: str
    scale: float = 1.0
    plus: float = 0.0

    def at(self, moment: str, players: int) -> dict[str, float]:
        """The weights by the scenarios of a moment."""
        return {name.format(arm=MOMENTS[moment][0], players=players): weight for name, weight in self.weights.items()}

    def value(self, played: Mapping[str, Counted], players: int, moment: str = MEAN) -> Estimate | Change:
        """The contrast of what was counted, a paired change where it is one scenario less another."""
        named, rounds = self.at(moment, players), MOMENTS[moment][1]
        if self[2:] == (1.0, 0.0) and sorted(named.values()) == [-1, 1]:
            before, after = sorted(named, key=named.__getitem__)
            return change(played[before][self.counted], played[after][self.counted], rounds)
        total = sum(weight * by_round(played[name][self.counted], rounds) for name, weight in named.items())
        return block_mean(self.plus + self.scale * np.asarray(total))


class Series(NamedTuple):
    """The contrasts of a quantity: `everywhere` in all cells, beside the tables; `named` with the moment in the id."""

    quantity: str
    items: Mapping[str, Contrast]
    moments: Sequence[str] = (MEAN,)
    sizes: Sequence[int] = (4,)
    everywhere: bool = False
    named: bool = True


@dataclass(frozen=True)
class Declared:
    """All that a study of contrasts is.

    `claims` are judged in all cells by the first plan with each of the `judged` numbers of players, by default with the
    first of all; `units` are those of their outcomes, VP where none is named. `seasons` says whether `count` reads the
    table of rounds, at the tables alone, `claims_by_season` that the claims need it, so in all cells. `measure` gives
    more values of what was played with a number of players in a cell than contrasts, `beside` those of other games, and
    `follows` those that follow from all others. `decides` makes the identity of the standard one.
    `tables` are the cells with most blocks. `first` is the table of the first screen, `shown` gives all others, or all.
    `sentences` are those of the `Finding`, with tokens; `open` adds what the claims leave open and other sentences with
    a choice. Without `first`, `shown`, `sentences` or `picture` the first series that is measured everywhere leads the
    page.
    """

    file: str
    doc: str | None
    plans: Sequence[Plan]
    count: Count
    blocks: Blocks
    quantities: Sequence[Quantity]
    series: Sequence[Series]
    claims: Mapping[Claim, Contrast] = field(default_factory=dict)
    judged: tuple[int, ...] = ()
    seasons: bool = False
    claims_by_season: bool = False
    measure: Callable[[Mapping[str, Counted], int, Cell], Iterable[tuple[Key, Value]]] | None = None
    beside: Callable[[Scope, Storage], Mapping[Key, Value]] | None = None
    follows: Callable[[Mapping[Key, Value]], Iterable[tuple[Key, Value]]] | None = None
    decides: Callable[[Scope, dict[str, Any]], dict[str, Any]] | None = None
    tables: tuple[Cell, ...] = (BASELINE,)
    first: Callable[[Figures, Scope], Grid] | None = None
    shown: Callable[[Figures, Scope], Iterable[Grid | str]] | None = None
    sentences: Mapping[str, str] | None = None
    open: Callable[[Figures], Mapping[str, str]] | None = None
    picture: Callable[[Figures, Scope], Picture] | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    count_version: int = 1

    @property
    def path(self) -> Path:
        """The file of the experiment."""
        return Path(self.file).with_name("experiment.toml")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of players of the claims."""
        return self.judged or self.plans[0].sizes[:1]

    @property
    def scenarios(self) -> dict[str, Lines]:
        """The scenarios of all plans."""
        return {name: each for plan in self.plans for name, each in (*plan.scenarios.items(), *plan.alone.items())}
