"""What the study `robustness` judges: the claims of every study, with the study's own code that plays and estimates."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS
from wallsim.analysis.claims.plays import Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.games import block_size
from wallsim.studies.scope import plays_for as default_plays
from wallsim.studies.study import Judged, Outcomes

OWN = "robustness"  # which judges no claims of its own
Key = tuple[str, Claim]  # a study and one of its claims


class Source(NamedTuple):
    """A study, and how the outcomes of its claims are estimated: `Judged` with its defaults filled in."""

    name: str
    judged: Judged
    count_version: int

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims."""
        return self.judged.claims

    @property
    def outcomes(self) -> Outcomes:
        """What estimates the outcomes of the claims under any experiment."""
        return self.judged.outcomes

    def some_outcomes(
        self, experiment: Experiment, blocks: int, workers: int | None, names: Collection[str]
    ) -> Mapping[str, Estimate]:
        """The outcomes with these names under any experiment, playing what they need where the study can tell."""
        if self.judged.some is not None:
            return self.judged.some(experiment, blocks, workers, names)
        return {name: each for name, each in self.outcomes(experiment, blocks, workers).items() if name in names}

    @property
    def games_a_row(self) -> int:
        """The games of each comparison that make one row: the unit of errors, which a random table plays."""
        return self.judged.games_a_row

    @property
    def setups(self) -> tuple[str, ...]:
        """The set-ups of its cells."""
        return SETUPS if self.judged.setups is None else self.judged.setups

    @property
    def towers(self) -> tuple[str, ...]:
        """The towers of its cells."""
        return CALIBRATIONS if self.judged.towers is None else self.judged.towers

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
    return tuple(Source(study.name, judged, study.count_version) for study in studies for judged in study.judged)


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
