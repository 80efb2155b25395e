"""The balanced design of a tournament, and the table of its results.

The design says which policies play together, in which seats, line-ups and game numbers. In a block every table plays
every rotation of its policies over the seats. Blocks differ in the circular order of the policies and in the assignment
of line-ups; consecutive blocks go through all combinations of both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from wallsim.engine.columns import SEAT_COLUMNS, Column
from wallsim.errors import InputError
from wallsim.folder.schema import NOTES, Vocabulary, codebook_table, described

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MAX_GAMES_PER_BLOCK = 5_000
LEAST_TABLES, LEAST_MEETINGS = 200, 2  # of an incomplete block, about; and of two policies in it, in the mean
MAX_GAMES = 10**9  # maximum of a tournament
STRETCH = 20  # consecutive game numbers with the same dealing, which are played in one call
KIND = "tournament"  # the value of `kind` in a tournament's identity
RESULTS = "results"
ROW = "one row per game and seat"
CODEBOOK_HEADLINE = "# Codebook of a tournament\n"
# Columns of the table `seats` that are stored for every game and seat.
_SAME = ("rank", "win", "vp", "vp_year1", "counties", "palaces", "churches", "trading_posts", "attacks_on_players")
_SEAT = {column.name: column for column in SEAT_COLUMNS}
STORED = tuple(list(_SEAT).index(name) for name in _SAME)  # their column numbers in the engine's matrix
COLUMNS = (
    Column("block", "int32", "", "block, the unit of all estimates"),
    Column("game", "int64", "", "game, counted through the tournament"),
    Column("number", "int64", "", "number of the game within the seed; the same for all games of a block but replays"),
    Column("company", "int16", "", "which policies met"),
    *(_SEAT[name] for name in ("seat", "lineup", "policy", *_SAME)),
    Column("margin", "int16", "victory points", "victory points above the best other seat, negative behind it"),
)
RATED = ("block", "game", "number", "seat", "lineup", "policy", "rank", "win", "vp")  # the columns used for ratings


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

    A block is complete if every set of policies that fills a table plays. Where these would be too many, all blocks are
    the same incomplete one: every policy sits at equally many tables, and any two meet at about as many.
    """

    policies: int
    seats: int

    def __post_init__(self) -> None:
        """InputError for fewer than two policies, or more tables than can be played."""
        if self.policies < 2:
            raise InputError(f"policies: {self.policies} is too few for a tournament; at least two are needed")
        size = self.policies * self._turns * self.seats
        if not self.complete and size > MAX_GAMES_PER_BLOCK:
            raise InputError(
                f"policies: {self.policies} policies at {self.seats} seats make {size:,} games per block; "
                f"allowed are at most {MAX_GAMES_PER_BLOCK:,}: use fewer policies, or play several tournaments"
            )

    @property
    def complete(self) -> bool:
        """Whether every set of policies plays: where that makes few enough games."""
        return comb(self.policies, self.seats) * self.seats <= MAX_GAMES_PER_BLOCK

    @property
    def _turns(self) -> int:
        """The number of tables, turned through all policies each, that make an incomplete block."""
        others = -(-(self.policies - 1) // (self.seats * (self.seats - 1)))
        return max(LEAST_TABLES // self.policies, LEAST_MEETINGS * others)

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], ...]:
        """The policies of each table: every set of as many policies as there are seats, or in an incomplete block some.

        With fewer policies than seats, every table has all of them; the policies with one seat more than the others
        differ between the tables, so that over all tables each policy has equally many seats.
        """
        if not self.complete:
            return tuple(self._turned())
        if self.policies >= self.seats:
            return tuple(combinations(range(self.policies), self.seats))
        often, extra = divmod(self.seats, self.policies)
        return tuple(
            tuple(policy for policy in range(self.policies) for _ in range(often + (policy in more)))
            for more in combinations(range(self.policies), extra)
        )

    def _turned(self) -> Iterator[tuple[int, ...]]:
        """The tables of an incomplete block: some tables, each turned by every number of policies.

        By its turns every policy has every place of a table once, so all sit equally often. Two policies meet as often
        as the tables have two members that are as far apart as they. So members are chosen one by one, each where its
        distances to those before have occurred least (a cyclic design: Bose 1939).
        """
        often, there = Counter[int](), set[tuple[int, ...]]()
        for _ in range(self._turns):
            members: tuple[int, ...] = (0,)
            while len(members) < self.seats:

                def met(other: int, members: tuple[int, ...] = members) -> int:
                    """By how much the sum of squares of `often` grows with another member."""
                    more = Counter(self._distances(members, other))
                    return sum((often[away] + count) ** 2 - often[away] ** 2 for away, count in more.items())

                others = sorted(set(range(self.policies)) - set(members), key=met)
                if len(members) == self.seats - 1:  # each table must be new, and differ from all that it is turned to
                    turned = {other: self._all_turns((*members, other)) for other in others}
                    others = [
                        each for each in others if len(turned[each]) == self.policies and not turned[each] & there
                    ]
                    there |= turned[others[0]]
                often.update(self._distances(members, others[0]))
                members += (others[0],)
            yield from sorted(self._all_turns(members))

    def _distances(self, members: tuple[int, ...], other: int) -> list[int]:
        return [away % self.policies for one in members for away in (one - other, other - one)]

    def _all_turns(self, members: tuple[int, ...]) -> set[tuple[int, ...]]:
        turns = range(self.policies)
        return {tuple(sorted((member + turn) % self.policies for member in members)) for turn in turns}

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


def results_schema(words: Vocabulary) -> dict[str, Any]:
    """The polars type of each column, by name, in order."""
    return {column.name: words.dtype(column.kind) for column in COLUMNS}


def results_frame(values: dict[str, np.ndarray], stored: np.ndarray, words: Vocabulary) -> pl.DataFrame:
    """The rows of some games as a frame.

    `stored` is int16 [blocks, games, seats, columns of STORED]. `values` has the other columns by name, as arrays that
    broadcast to [blocks, games, seats]; line-ups and policies are codes, -1 for none.
    """
    import numpy as np
    import polars as pl

    from wallsim.folder.chunk_tables import SHARES, as_enum

    data = values | {name: stored[..., place] for place, name in enumerate(_SAME)}
    data["win"] = SHARES[data["win"]]
    data["margin"] = data["vp"] - _best_other(data["vp"])
    columns = []
    for name, kind in results_schema(words).items():
        flat = pl.Series(name, np.broadcast_to(data[name], stored.shape[:3]).ravel())
        if isinstance(kind, pl.Enum):
            columns.append(as_enum(flat.cast(pl.UInt8, strict=False), kind))  # -1 becomes null
        else:
            columns.append(flat.cast(kind))
    return pl.DataFrame(columns)


def results_codebook(words: Vocabulary) -> str:
    """The codebook of a tournament as Markdown."""
    rows = described(COLUMNS, words)
    return "\n".join([CODEBOOK_HEADLINE, NOTES, *codebook_table(RESULTS, ROW, rows)])


def _best_other(points: np.ndarray) -> np.ndarray:
    import numpy as np

    # The best of the other seats is the second best for the leading seat, and the best for all others.
    ordered = np.sort(points, axis=-1)
    best, second = ordered[..., -1:], ordered[..., -2:-1]
    leads = np.arange(points.shape[-1]) == np.argmax(points, axis=-1)[..., None]
    return np.where(leads, second, best)
