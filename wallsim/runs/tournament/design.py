"""The design of a tournament: which policies meet, in which seats and line-ups, in which order, and in which game.

A block lets every table play every rotation of itself over the seats. Blocks differ in the circular order of the
tables' members and in how the line-ups are dealt, and go through all of both in turn.
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
MAX_GAMES = 10**9  # of a tournament
STRETCH = 20  # neighbouring numbers of games that are dealt alike: they are played in one go


class Dealing(NamedTuple):
    """What changes from block to block: the circular order of a table's members, and the shift of the line-ups."""

    order: tuple[int, ...]
    shift: int


@dataclass(frozen=True)
class Design:
    """A balanced design for `policies` policies, numbered from 0, at a table of `seats` seats.

    In every block each member of a table has every seat, and so every line-up, once. Over `cycle` blocks it has
    every seat together with every line-up equally often, and every order of its fellows around it. All games of a
    block share their number, hence their cards and chance, as far as the moves let them.
    """

    policies: int
    seats: int

    def __post_init__(self) -> None:
        """InputError for fewer than two policies, or more tables than can be played."""
        if self.policies < 2:
            raise InputError(f"policies: {self.policies} is too few for a tournament; allowed are two or more")
        size = (comb(self.policies, self.seats) or comb(self.policies, self.seats % self.policies)) * self.seats
        if size > MAX_GAMES_PER_BLOCK:
            raise InputError(
                f"policies: {self.policies} policies at {self.seats} seats make {size:,} games per block; "
                f"allowed are at most {MAX_GAMES_PER_BLOCK:,}: name fewer policies, or play in groups"
            )

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """Who meets: every set of as many policies as seats.

        Where the policies are fewer, all sit in every table, and those that sit once more than the others change
        from table to table, so that over all tables each policy sits equally often.
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
        """How many games a block has: every table in every rotation."""
        return len(self.tables) * self.seats

    @cached_property
    def dealings(self) -> tuple[Dealing, ...]:
        """All orders with all shifts, the shift changing first."""
        others = permutations(range(1, self.seats))
        return tuple(Dealing((0, *order), shift) for order in others for shift in range(self.seats))

    @property
    def cycle(self) -> int:
        """After how many blocks every dealing has been used equally often: the factorial of the seats."""
        return len(self.dealings)

    def dealing(self, block: int) -> Dealing:
        """How the members of tables and the line-ups are dealt in a block."""
        return self.dealings[block % self.cycle]

    def number(self, block: int) -> int:
        """The number of a block's games within the seed, another for every block.

        Numbers are given out so that STRETCH blocks of one dealing have neighbouring ones.
        """
        turn, dealing = divmod(block, self.cycle)
        group, place = divmod(turn, STRETCH)
        return (group * self.cycle + dealing) * STRETCH + place

    def seating(self, table: int, rotation: int, dealing: Dealing) -> tuple[int, ...]:
        """The policy of each seat: the table in the dealing's order, moved on by `rotation` seats."""
        members = [self.tables[table][place] for place in dealing.order]
        return tuple(members[(seat - rotation) % self.seats] for seat in range(self.seats))

    def replay(self, table: int, rotation: int, dealing: Dealing) -> int:
        """How many earlier rotations of the block seat everybody alike, as two policies in turn at four seats do.

        The same game would be played again; so it gets another number (see `seeded_number`).
        """
        if self.policies >= self.seats:
            return 0
        now = self.seating(table, rotation, dealing)
        return sum(self.seating(table, earlier, dealing) == now for earlier in range(rotation))

    def seeded_number(self, number: int, replay: int) -> int:
        """The number under which the engine plays a block's game; replays lie beyond all numbers of blocks."""
        return number + replay * MAX_GAMES

    def stretches(self, dealing: int, first: int, blocks: int) -> Iterator[tuple[list[int], int]]:
        """Those of `blocks` blocks from `first` on that use a dealing, in stretches of neighbouring numbers.

        `dealing` is a place in `dealings`. Gives the blocks of each stretch and the number of the first.
        """
        stretch: list[int] = []
        for block in range(first + (dealing - first) % self.cycle, first + blocks, self.cycle):
            if stretch and self.number(block) != self.number(stretch[-1]) + 1:
                yield stretch, self.number(stretch[0])
                stretch = []
            stretch.append(block)
        if stretch:
            yield stretch, self.number(stretch[0])
