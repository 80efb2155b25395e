"""What `.ci/bench scale` measures: the plan, the machine, and a record for each kind of measurement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.folder import Contents, Interruption
from benchmarks.process import Usage
from wallsim.play.parallel import default_workers

FIRST_GAMES = 10_000  # of the smallest run; each further one is ten times as long
_SURE = 0.5  # net CPU seconds of a run whose speed is reported at all
_SURE_CHECK = 0.1  # the same of a verification, and of gathering


class Plan(NamedTuple):
    """What is measured: runs of up to `games` games of each policy in all four seats, each `samples` times.

    Longer runs are measured less often. `workers` is the largest number of threads.
    """

    games: int
    policies: tuple[str, ...]
    samples: int = 3
    workers: int = default_workers()

    @property
    def steps(self) -> list[int]:
        """The numbers of games: powers of ten from FIRST_GAMES, and `games` itself."""
        powers = (FIRST_GAMES * 10**power for power in range(20))
        return [*(games for games in powers if games < self.games), self.games]

    @property
    def threads(self) -> list[int]:
        """The numbers of workers: powers of two, and `workers` itself."""
        return [*(1 << power for power in range(12) if 1 << power < self.workers), self.workers]


class Machine(NamedTuple):
    """The machine of the figures: cores that wallsim may use, processor, system, and the load before it began."""

    cores: int
    processor: str
    system: str
    python: str
    load: float
    engine_version: int


class Samples(NamedTuple):
    """What a command used: the medians of `samples` samples, the largest peak of memory, and the start-up."""

    used: Usage
    samples: int
    start: Usage

    @property
    def net_cpu(self) -> float:
        """CPU seconds without start-up."""
        return self.used.cpu - self.start.cpu

    @property
    def net_wall(self) -> float:
        """Wall seconds without start-up."""
        return self.used.wall - self.start.wall

    def a_cpu_second(self, amount: float) -> float | None:
        """How much of an amount was done per net CPU second; None if it was done too soon to tell."""
        return amount / self.net_cpu if self.net_cpu >= _SURE else None

    def a_second(self, amount: float) -> float | None:
        """How much of an amount was done per net wall second; None if it was done too soon to tell."""
        return amount / self.net_wall if self.net_cpu >= _SURE and self.net_wall > 0 else None


@dataclass(frozen=True)
class Played:
    """A run: `chunk` is the games of a chunk, None for the default division."""

    policy: str
    games: int
    chunk: int | None
    workers: int
    taken: Samples
    contents: Contents


@dataclass(frozen=True)
class Sliced:
    """A run in slices at the same time, one worker each, and the `wallsim repair` that gathers them afterwards.

    `same`: its tables have the bytes of the run without slices.
    """

    policy: str
    games: int
    slices: int
    taken: Samples
    gathered: Samples
    same: bool

    @property
    def gathering(self) -> float | None:
        """Games that are gathered per net CPU second; None if it was too short to tell."""
        return self.games / self.gathered.net_cpu if self.gathered.net_cpu >= _SURE_CHECK else None


@dataclass(frozen=True)
class Crash:
    """A run that was killed with signal 9 when half of its games were finished, and resumed by the same command.

    `undisturbed` is the same run, measured just before; `same`: the tables of both have the same bytes.
    """

    policy: str
    games: int
    workers: int
    undisturbed: Usage
    killed: Usage
    resumed: Usage
    start: Usage
    interruption: Interruption
    same: bool

    @property
    def lost_cpu(self) -> float:
        """CPU seconds more than without the crash."""
        return self.killed.cpu + self.resumed.cpu - self.undisturbed.cpu

    @property
    def lost_wall(self) -> float:
        """Wall seconds more than without the crash."""
        return self.killed.wall + self.resumed.wall - self.undisturbed.wall


@dataclass(frozen=True)
class Checked:
    """`wallsim verify` of a run; `digests` is the bytes per CPU second that are read and hashed alone."""

    policy: str
    games: int
    contents: Contents
    taken: Samples
    digests: float

    @property
    def speed(self) -> float | None:
        """Bytes of tables per net CPU second of the command; None if it was too short to tell."""
        return self.contents.bytes / self.taken.net_cpu if self.taken.net_cpu >= _SURE_CHECK else None


@dataclass(frozen=True)
class TableBytes:
    """The bytes per game of each table, in one chunk of `games` games."""

    policy: str
    games: int
    tables: dict[str, float]


@dataclass(frozen=True)
class Scale:
    """All measurements; `single` has the contents of a run of one game by policy."""

    machine: Machine
    plan: Plan
    games: list[Played]
    chunks: list[Played]
    workers: list[Played]
    slices: list[Sliced]
    crashes: list[Crash]
    checks: list[Checked]
    tables: list[TableBytes]
    single: dict[str, Contents]

    def largest(self, policy: str) -> Played:
        """The run with the most games of a policy."""
        return max((row for row in self.games if row.policy == policy), key=lambda row: row.games)
