"""The balanced design of a tournament: which policies play together, in which seats, line-ups and game numbers.

In a block every table plays every rotation of its policies over the seats. Blocks differ in the circular order of the
policies and in the assignment of line-ups; consecutive blocks go through all combinations of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

from wallsim.errors import InputError

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
