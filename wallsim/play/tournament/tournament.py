"""A tournament: its policies, its table, and its number of blocks of the balanced design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wallsim.errors import InputError
from wallsim.experiment.components import Components, interventions_identity, table_identity
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import shown
from wallsim.folder.tournament_design import KIND, MAX_GAMES, Design
from wallsim.policies.catalogue import DEFAULT_POLICY, Policy, PolicyError, load_policy

DEFAULT_BLOCKS = 1200  # whole cycles of the design at three, four and five seats
_DESIGN_VERSION = 1  # increased when any block of any tournament would be dealt differently


@dataclass(frozen=True, init=False)
class Tournament:
    """Which policies play, at which table, in how many blocks; immutable, and validated on creation.

    In a block every table of policies plays every rotation over the seats, all games with the same cards and random
    events. `policies` are sorted by name.

    Parameters
    ----------
    policies
        Two or more policies with different names, each given by its name or the path of its file.
    table
        The experiment with the players, set-up, rules, tower and seed, or the path of its TOML file; None for the
        default one. Its policies, number of games and requested tables are not used.
    blocks
        Number of blocks.

    Raises
    ------
    InputError
        For unknown policies, policies with equal names, a single policy, too many policies, or too many blocks.

    Examples
    --------
    >>> Tournament(["builder", "balanced"], Experiment(players=3), blocks=4).design.games_per_block
    6
    """

    policies: tuple[Policy, ...]
    table: Experiment
    blocks: int

    def __init__(
        self,
        policies: Sequence[str | Policy],
        table: Experiment | str | Path | None = None,
        blocks: int = DEFAULT_BLOCKS,
    ) -> None:
        object.__setattr__(self, "policies", _loaded([policies] if isinstance(policies, str) else policies))
        object.__setattr__(self, "table", _table(table))
        object.__setattr__(self, "blocks", blocks)
        most = MAX_GAMES // self.design.games_per_block
        if not isinstance(blocks, int) or not 1 <= blocks <= most:
            raise InputError(f"blocks: {blocks} is not a whole number from 1 to {most}")

    @property
    def design(self) -> Design:
        """The balanced design."""
        return Design(len(self.policies), self.table.players)

    def components(self) -> Components:
        """Board, ruleset, tower and the policies of the tournament."""
        return replace(self.table.components(), policies=self.policies)

    def identity(self) -> dict[str, Any]:
        """Everything that decides the rows of a tournament, except the number of blocks."""
        parts = self.components()
        return {
            "kind": KIND,
            "design": _DESIGN_VERSION,
            **table_identity(parts),
            "policies": [policy.identity() for policy in parts.policies],
            "seed": self.table.seed,
            **interventions_identity(parts),
        }


def _table(table: Any) -> Experiment:
    # The policies of a file are not used, and so its code is neither asked for nor run.
    if table is None or isinstance(table, Experiment):
        return table or Experiment()
    if not isinstance(table, str | Path) or not str(table):
        raise InputError(f"table: {shown(table)} is neither an experiment nor the path of its TOML file")
    from wallsim.experiment.file import load_experiment

    return load_experiment(table, {"policies": DEFAULT_POLICY})


def _loaded(policies: Sequence[str | Policy]) -> tuple[Policy, ...]:
    loaded: list[Policy] = []
    errors: list[str] = []
    for policy in policies:
        try:
            loaded.append(load_policy(policy) if isinstance(policy, str) else policy)
        except PolicyError as error:
            errors += [f"policies: {line.removeprefix('policies: ')}" for line in str(error).splitlines()]
    names = [policy.name for policy in loaded]
    errors += [
        f"policies: {name!r} is the name of more than one policy; the policies must have different names"
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
    if errors:
        raise InputError(list(dict.fromkeys(errors)))
    return tuple(sorted(loaded, key=lambda policy: policy.name))
