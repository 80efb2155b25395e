"""A tournament: its policies, its table, and its number of blocks of the balanced design.

The design says which policies play together, in which seats, line-ups and game numbers. In a block every table plays
every rotation of its policies over the seats. Blocks differ in the circular order of the policies and in the assignment
of line-ups; consecutive blocks go through all combinations of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.errors import InputError
from wallsim.policies.catalogue import DEFAULT_POLICY, Policy, PolicyError, load_policy
from wallsim.runs.components import Components, interventions_identity, table_identity
from wallsim.runs.experiment import Experiment
from wallsim.runs.keys import shown
from wallsim.runs.tournament.table import KIND

MAX_GAMES_PER_BLOCK = 5_000
MAX_GAMES = 10**9  # maximum of a tournament
STRETCH = 20  # consecutive game numbers with the same dealing, which are played in one call


class Dealing(NamedTuple):
    """What varies between blocks: the circular order of a table's policies and the shift of the line-ups."""

    order: tuple[int, ...]
    shift: int


@dataclass(frozen=True)
class Design:
    """A balanced design for `policies` policies, numbered from 0, at a table of `seats` seats.

    In every block each policy of a table has every seat, and so every line-up, once. Over `cycle` blocks it has every
    combination of seat and line-up, and every order of its opponents, equally often. All games of a block have the same
    number, hence the same cards and random events as far as the moves allow.
    """

    policies: int
    seats: int

    def __post_init__(self) -> None:
        """InputError for fewer than two policies, or more tables than can be played."""
        if self.policies < 2:
            raise InputError(f"policies: {self.policies} is too few for a tournament; at least two are needed")
        size = (comb(self.policies, self.seats) or comb(self.policies, self.seats % self.policies)) * self.seats
        if size > MAX_GAMES_PER_BLOCK:
            raise InputError(
                f"policies: {self.policies} policies at {self.seats} seats make {size:,} games per block; "
                f"allowed are at most {MAX_GAMES_PER_BLOCK:,}: use fewer policies, or play several tournaments"
            )

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """The policies of each table: every set of as many policies as there are seats.

        With fewer policies than seats, every table has all of them; the policies with one seat more than the others
        differ between the tables, so that over all tables each policy has equally many seats.
        """
        if self.policies >= self.seats:
            return tuple(combinations(range(self.policies), self.seats))
        often, extra = divmod(self.seats, self.policies)
        return tuple(
            tuple(policy for policy in range(self.policies) for _ in range(often + (policy in more)))
            for more in combinations(range(self.policies), extra)
        )

    @property
    def games_per_block(self) -> int:
        """The number of games of a block: every table in every rotation."""
        return len(self.tables) * self.seats

    @cached_property
    def dealings(self) -> tuple[Dealing, ...]:
        """All combinations of order and shift; the shift varies fastest."""
        others = permutations(range(1, self.seats))
        return tuple(Dealing((0, *order), shift) for order in others for shift in range(self.seats))

    @property
    def cycle(self) -> int:
        """The number of blocks after which every dealing has been used equally often: the factorial of `seats`."""
        return len(self.dealings)

    def dealing(self, block: int) -> Dealing:
        """The order of policies and the shift of line-ups in a block."""
        return self.dealings[block % self.cycle]

    def number(self, block: int) -> int:
        """The game number of a block's games, different for every block.

        STRETCH blocks of the same dealing have consecutive numbers.
        """
        turn, dealing = divmod(block, self.cycle)
        group, place = divmod(turn, STRETCH)
        return (group * self.cycle + dealing) * STRETCH + place

    def seating(self, table: int, rotation: int, dealing: Dealing) -> tuple[int, ...]:
        """The policy of each seat: the table in the order of the dealing, rotated by `rotation` seats."""
        members = [self.tables[table][place] for place in dealing.order]
        return tuple(members[(seat - rotation) % self.seats] for seat in range(self.seats))

    def replay(self, table: int, rotation: int, dealing: Dealing) -> int:
        """The number of earlier rotations in the block with the same seating, as with two alternating policies.

        The same game would be played again, so it gets another number (see `seeded_number`).
        """
        if self.policies >= self.seats:
            return 0
        now = self.seating(table, rotation, dealing)
        return sum(self.seating(table, earlier, dealing) == now for earlier in range(rotation))

    def seeded_number(self, number: int, replay: int) -> int:
        """The game number used by the engine; the numbers of replays are larger than those of all blocks."""
        return number + replay * MAX_GAMES

    def stretches(self, dealing: int, first: int, blocks: int) -> Iterator[tuple[list[int], int]]:
        """The blocks with a dealing among `blocks` blocks starting at `first`, grouped by consecutive game numbers.

        `dealing` is an index into `dealings`. Yields the blocks of each group and the number of its first block.
        """
        stretch: list[int] = []
        for block in range(first + (dealing - first) % self.cycle, first + blocks, self.cycle):
            if stretch and self.number(block) != self.number(stretch[-1]) + 1:
                yield stretch, self.number(stretch[0])
                stretch = []
            stretch.append(block)
        if stretch:
            yield stretch, self.number(stretch[0])


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
    from wallsim.runs.experiment_file import load_experiment

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
