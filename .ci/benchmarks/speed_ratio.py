"""Comparing the speed of two installations: the same games in turns, in CPU time, with intervals of the ratios."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

from benchmarks.installation import Installation
from benchmarks.timer import Timer
from wallsim.play.compile_progress import COMPILE_TIME
from wallsim.stats.intervals import Confidence, Interval
from wallsim.stats.ratios import geometric_mean

PIECES = 10  # of each installation in a turn
_PIECE_SECONDS = 0.1  # CPU seconds of games that one installation plays without a break
_TRIAL_SECONDS = 0.1  # CPU seconds of games from which the number of games of a piece is estimated
_WARM_UP = 10  # games that a process plays before those that are timed
_MOST_GAMES = 1_000_000  # of a piece
_ORDERS = (0, 1), (1, 0)  # of the installations in even and in odd pieces and turns: a steady drift cancels


class PlaysGames(Protocol):
    """What plays games and times them, such as a `Timer`."""

    engine_version: int

    def seconds(self, policy: str, first: int, count: int) -> float:
        """CPU seconds of games `first` to `first + count - 1`, four seats of one policy."""


@dataclass
class SpeedRatio:
    """The speeds of one policy with the running installation and with the other one, by turns.

    `games`: per turn and installation; `speeds` and `other_speeds`: games per CPU second of each turn.
    """

    policy: str
    games: int
    speeds: list[float] = field(default_factory=list)
    other_speeds: list[float] = field(default_factory=list)

    @property
    def speed(self) -> float:
        """Games per CPU second of the running installation, the median of the turns."""
        return median(self.speeds)

    @property
    def other_speed(self) -> float:
        """Games per CPU second of the other installation, the median of the turns."""
        return median(self.other_speeds)

    @property
    def ratios(self) -> list[float]:
        """The speed of the running installation divided by the other's, in each turn."""
        return [speed / other for speed, other in zip(self.speeds, self.other_speeds, strict=True)]

    def estimate(self) -> tuple[float, Interval]:
        """The geometric mean of the ratios, with its 95 % interval."""
        return geometric_mean(self.ratios, Confidence())


@dataclass(frozen=True)
class Comparison:
    """Two installations, the engine version of each, and the ratios of their speeds by policy."""

    running: Installation
    other: Installation
    engine_version: int
    other_engine_version: int
    turns: int
    ratios: tuple[SpeedRatio, ...]


def compare_speeds(
    running: Installation,
    other: Installation,
    policies: Sequence[str],
    turns: int,
    tell: Callable[[str], None] = lambda words: None,
    start: Callable[[Installation], AbstractContextManager[PlaysGames]] = Timer,
) -> Comparison:
    """Play the same games with both installations, `turns` times; `tell` receives the progress.

    Each turn starts two new processes, since speed also depends on where the system places a process in memory. In a
    turn the installations play short pieces in alternation. Compiling and warming up are not counted. InputError if
    one of them cannot play a policy; RunError if a process ends.
    """
    tell(f"Compiling both installations; each takes {COMPILE_TIME} of CPU time unless it is cached.")
    with ExitStack() as stack:
        timers = [stack.enter_context(start(each)) for each in (running, other)]
        versions = [timer.engine_version for timer in timers]
        pieces = [_games_of_a_piece(timers, policy) for policy in policies]
    ratios = tuple(SpeedRatio(policy, PIECES * count) for policy, count in zip(policies, pieces, strict=True))
    for turn in range(turns):
        with ExitStack() as stack:
            timers = [stack.enter_context(start(each)) for each in (running, other)]
            for ratio in ratios:
                _play_turn(timers, ratio, turn)
        latest = ", ".join(f"{ratio.policy} {ratio.ratios[-1]:.3f}" for ratio in ratios)
        tell(f"Turn {turn + 1} of {turns}: ratio of speeds {latest}")
    return Comparison(running, other, versions[0], versions[1], turns, ratios)


def _games_of_a_piece(timers: Sequence[PlaysGames], policy: str) -> int:
    for timer in timers:
        timer.seconds(policy, 0, _WARM_UP)
    count = 1
    while (seconds := timers[0].seconds(policy, 0, count)) < _TRIAL_SECONDS and count < _MOST_GAMES:
        count *= 2
    return max(1, min(_MOST_GAMES, round(count * _PIECE_SECONDS / max(seconds, 1e-9))))


def _play_turn(timers: Sequence[PlaysGames], ratio: SpeedRatio, turn: int) -> None:
    # Both installations play the same games, and every turn plays others.
    for timer in timers:
        timer.seconds(ratio.policy, 0, _WARM_UP)
    count, used = ratio.games // PIECES, [0.0, 0.0]
    for piece in range(PIECES):
        first = turn * ratio.games + piece * count
        for place in _ORDERS[(turn + piece) % 2]:
            used[place] += timers[place].seconds(ratio.policy, first, count)
    ratio.speeds.append(ratio.games / used[0])
    ratio.other_speeds.append(ratio.games / used[1])
