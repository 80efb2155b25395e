"""What the study `robustness` judges, and on which boards: the claims of every study, by the study's own code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.plays import Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.board_lineups import ASSUMED
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate
from wallsim.stats.stages import SHARES
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.games import block_size
from wallsim.studies.random_tables import by_table
from wallsim.studies.scope import SECOND_TABLE, plays_for
from wallsim.studies.study import Judged

from ..expansions.boards import Boards, Row

OWN = "robustness"  # which judges no claims of its own
RANDOM = "random tables"  # the pool
PLAYERS = 4
MEAN = "mean"  # the quantity
STAGES = tuple(range(2, len(SHARES) + 1))  # later ones, which add games where the first left a claim undecided
USUAL = (*(play.name for play in plays_for(PLAYERS)), RANDOM)  # pools


class Source(NamedTuple):
    """A study whose claims are judged, with the version of its counts."""

    name: str
    judged: Judged
    count_version: int

    @property
    def claims(self) -> dict[str, Claim]:
        """The claims by their outcomes."""
        return {claim.outcome: claim for claim in self.judged.claims}

    def plays(self, players: int = PLAYERS) -> dict[str, Play]:
        """The plays in which the study judges its claims, by the name of the pool."""
        return {play.name: play for play in self.judged.plays(players)}

    def pools(self, players: int = PLAYERS) -> list[str]:
        """The names of all pools: the plays, and random tables."""
        return [*self.plays(players), RANDOM]

    def place_of(self, pool: str) -> str:
        """The name that a pool has elsewhere: with expansions the second line has names of its own."""
        return dict(zip(self.pools(), USUAL, strict=True)).get(pool, SECOND_TABLE.play)

    def named(self, pool: str) -> str:
        """The own name of the pool in a place."""
        return dict(zip(USUAL, self.pools(), strict=True)).get(pool, pool)

    def outcomes(self, experiment: Experiment, blocks: int, names: Sequence[str] | None = None) -> dict[str, Estimate]:
        """The outcomes, or those with these names, under any experiment; what they need is played alone if it can."""
        if names is not None and self.judged.some is not None:
            return dict(self.judged.some(experiment, blocks, 1, names))
        found = self.judged.outcomes(experiment, blocks, 1)
        return {name: each for name, each in found.items() if names is None or name in names}

    def kept(
        self, experiments: Iterable[Experiment], rows: int, store: Cache, names: Sequence[str] | None = None
    ) -> dict[str, Estimate]:
        """The outcomes, or some, in the mean of experiments of so many rows of games each, which are kept.

        The units of errors are rows of games, or random tables. ValueError for rows that make no whole blocks.
        """
        parts = [self._kept(each, rows, store, names) for each in experiments]
        together = {name: np.stack([part[name] for part in parts]) for name in parts[0]}
        return {name: Estimate(float(each[:, 0].mean()), each[:, 1:].ravel()) for name, each in together.items()}

    def _kept(
        self, experiment: Experiment, rows: int, store: Cache, names: Sequence[str] | None
    ) -> dict[str, np.ndarray]:
        blocks, rest = divmod(rows * self.judged.games_a_row, block_size(experiment.players))
        if rest:
            raise ValueError(f"{self.name}: {rows} rows of games are no whole blocks")
        facts: dict[str, Any] = {"experiment": experiment, "blocks": blocks, "rows": rows}
        facts |= {"count_version": self.count_version} | ({} if names is None else {"outcomes": names})
        if self.judged.given is not None:
            facts["given"] = self.judged.given()

        def play(_: object) -> dict[str, np.ndarray]:
            result = by_table(self.outcomes(experiment, blocks, names), rows)
            return {name: np.concatenate([[each.value], each.influence]) for name, each in result.items()}

        return store.get(f"{'claims' if names is None else 'more games'} of {self.name}", facts, play)


@cache
def sources() -> tuple[Source, ...]:
    """The studies of this repository whose claims are judged, in alphabetical order."""
    studies = [load_study(name) for name in own_studies() if name != OWN]
    return tuple(Source(each.name, judged, each.count_version) for each in studies for judged in each.judged)


def source(name: str) -> Source:
    """The source of a study. KeyError if none of its claims are judged."""
    return {each.name: each for each in sources()}[name]


class Asked(NamedTuple):
    """A claim of a study, by its outcome, for a number of players."""

    study: str
    outcome: str
    players: int = PLAYERS

    @property
    def item(self) -> str:
        """The item of its figures."""
        return f"{self.study} {self.outcome}"

    @property
    def claim(self) -> Claim:
        """The claim."""
        return source(self.study).claims[self.outcome]

    @property
    def unit(self) -> str:
        """The unit of its outcome."""
        return source(self.study).judged.units.get(self.outcome, "VP")

    @property
    def title(self) -> str:
        """The study, and the number of players if it is another than usual."""
        return self.study if self.players == PLAYERS else f"{self.study}, {self.players} players"


class Case(NamedTuple):
    """A board, and what is played on it; `quantity` is that of its figures.

    Judged are the claims of some `studies`, of all by default.
    """

    name: str
    quantity: str
    players: int = PLAYERS
    studies: tuple[str, ...] = ()
    written: Callable[[Boards], Path] | None = None

    @property
    def move(self) -> str:
        """The quantity of the change from the printed board."""
        return f"move-{self.quantity}"


def _without_border(row: Row) -> Row | None:
    return None if [*row.values()] == ["Altmark", "Vorpommern"] else row  # the border that is least sure


def _with_next_guess(row: Row) -> Row:
    return {**row, "county": "Altmark"} if row["provenance"] == ASSUMED else row  # the ninth county of line-up A


AS_PRINTED = "as-printed"  # the quantity
NO_BORDER, OTHER_COUNTY = "no border Altmark–Vorpommern", "3 players, Altmark for Anhalt"
FAVORS = ("amounts halved", "amounts doubled", "amounts alike")  # as the study `expansions` calls them
_OF_THREE = ("price", "tiles", "lineups")  # studies judged with three players
CASES = (
    Case("as printed", AS_PRINTED),
    Case(NO_BORDER, "no-border", written=lambda boards: boards.written("no-border", "borders.csv", _without_border)),
    Case("3 players, as printed", AS_PRINTED, 3, _OF_THREE),
    Case(OTHER_COUNTY, "Altmark-for-Anhalt", 3, _OF_THREE,
         lambda boards: boards.written("next-guess", "lineups.csv", _with_next_guess)),
    *(Case(f"favors: {name}", name.replace("amounts ", "favors-"), PLAYERS, ("expansions",),
           partial(Boards.with_favors, name=name)) for name in FAVORS),
)  # fmt: skip
BOARDS = [case for case in CASES if case.quantity != AS_PRINTED]
