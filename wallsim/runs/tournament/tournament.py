"""A tournament: which policies meet, at which table, in how many blocks of the balanced design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy, PolicyError, load_policy
from wallsim.runs.experiment import Experiment
from wallsim.runs.loaded import Parts, table_identity
from wallsim.runs.tournament.design import MOST_GAMES, Design
from wallsim.runs.tournament.table import KIND

DEFAULT_BLOCKS = 1200  # whole cycles of the design at three, four and five seats
_DESIGN_VERSION = 1  # rises when some block of some tournament would be dealt otherwise


@dataclass(frozen=True)
class Tournament:
    """Policies in the order of their names, and the experiment whose table they play at, with its seed.

    The experiment's own policies, number of games and tables to be written count for nothing.
    """

    table: Experiment
    policies: tuple[Policy, ...]
    blocks: int

    @property
    def design(self) -> Design:
        """Who meets whom, and where."""
        return Design(len(self.policies), self.table.players)

    def parts(self) -> Parts:
        """Board, ruleset, tower and the policies that meet."""
        return replace(self.table.parts(), policies=self.policies)

    def identity(self) -> dict[str, Any]:
        """Everything that decides which rows a tournament has, but for the number of its blocks."""
        parts = self.parts()
        return {
            "kind": KIND,
            "design": _DESIGN_VERSION,
            **table_identity(parts),
            "policies": [policy.identity() for policy in parts.policies],
            "seed": self.table.seed,
        }


def make_tournament(table: Experiment, policies: Sequence[str], blocks: int = DEFAULT_BLOCKS) -> Tournament:
    """The tournament of some policies, each by name or file, at the table of an experiment.

    InputError for unknown policies, policies of equal name, one alone, too many, or too many blocks.
    """
    loaded, faults = [], []
    for name in policies:
        try:
            loaded.append(load_policy(name))
        except PolicyError as error:
            faults += [f"POLICIES: {line.removeprefix('policies: ')}" for line in str(error).splitlines()]
    names = [policy.name for policy in loaded]
    faults += [
        f"POLICIES: {name!r} is the name of more than one; allowed are policies of different names"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
    if faults:
        raise InputError(list(dict.fromkeys(faults)))
    tournament = Tournament(table, tuple(sorted(loaded, key=lambda policy: policy.name)), blocks)
    most = MOST_GAMES // tournament.design.games_a_block
    if not 1 <= blocks <= most:
        raise InputError(f"--blocks: {blocks} is not a whole number from 1 to {most}")
    return tournament
