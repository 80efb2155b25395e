"""What the study `robustness` judges: the claims of every study, with the study's own code that plays and estimates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS
from wallsim.analysis.claims.plays import Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.games import block_size
from wallsim.studies.random_tables import by_table
from wallsim.studies.scope import plays_for as default_plays
from wallsim.studies.study import Judged

OWN = "robustness"  # which judges no claims of its own
Key = tuple[str, Claim]  # a study and one of its claims


class Source(NamedTuple):
    """A study, and how the outcomes of its claims are estimated: `Judged` with its defaults filled in."""

    name: str
    judged: Judged
    count_version: int
    setups: tuple[str, ...]
    towers: tuple[str, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims."""
        return self.judged.claims

    @property
    def games_a_row(self) -> int:
        """The games of each comparison that make one row: the unit of errors, which a random table plays."""
        return self.judged.games_a_row

    def outcomes(
        self, experiment: Experiment, blocks: int, workers: int | None, names: Collection[str] | None = None
    ) -> Mapping[str, Estimate]:
        """The outcomes, or those with these names, under any experiment; what they need is played alone if it can."""
        if names is not None and self.judged.some is not None:
            return self.judged.some(experiment, blocks, workers, names)
        found = self.judged.outcomes(experiment, blocks, workers)
        return {name: each for name, each in found.items() if names is None or name in names}

    def unit(self, outcome: str) -> str:
        """The unit of an outcome."""
        return self.judged.units.get(outcome, "VP")

    def plays(self, players: int) -> tuple[Play, ...]:
        """The plays in which the study judges its claims."""
        return default_plays(players) if self.judged.plays is None else self.judged.plays(players)


@cache
def sources() -> tuple[Source, ...]:
    """The studies of this repository whose claims are judged, in alphabetical order."""
    studies = [load_study(name) for name in own_studies() if name != OWN]
    return tuple(
        Source(each.name, judged, each.count_version, judged.setups or SETUPS, judged.towers or CALIBRATIONS)
        for each in studies
        for judged in each.judged
    )


def source(name: str) -> Source:
    """The source of a study. KeyError if none of its claims are judged."""
    try:
        return next(each for each in sources() if each.name == name)
    except StopIteration:
        raise KeyError(name) from None


def keys_of(source: Source) -> list[Key]:
    """The claims of a source, each with its study."""
    return [(source.name, claim) for claim in source.claims]


def blocks_for(source: Source, rows: int, players: int) -> int:
    """The blocks of 6 games a seat that so many rows of games make. ValueError if they are no whole number."""
    games, size = rows * source.games_a_row, block_size(players)
    if games % size:
        raise ValueError(f"{source.name}: {games} games are no whole blocks of {size}")
    return games // size


def outcomes_of(
    source: Source, what: str, experiment: Experiment, rows: int, players: int, cache: Cache,
    names: Collection[str] | None = None,
) -> dict[str, Estimate]:  # fmt: skip
    """The outcomes under an experiment, kept as `what`, with rows of games, or random tables, as units of errors."""
    blocks = blocks_for(source, rows, players)
    facts: dict[str, Any] = {"experiment": experiment, "blocks": blocks, "rows": rows}
    facts |= {"count_version": source.count_version} | ({} if names is None else {"outcomes": names})
    if source.judged.given is not None:
        facts["given"] = source.judged.given()

    def play(_: object) -> dict[str, np.ndarray]:
        result = by_table(source.outcomes(experiment, blocks, 1, names), rows)
        return {name: np.concatenate([[each.value], each.influence]) for name, each in result.items()}

    result = cache.get(f"{what} of {source.name}", facts, play)
    return {name: Estimate(float(each[0]), each[1:]) for name, each in result.items()}
