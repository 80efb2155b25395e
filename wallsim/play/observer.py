"""What a run reports while it compiles and plays: the observer, and the progress that it receives."""

from __future__ import annotations

import warnings
from typing import NamedTuple, TypedDict

from wallsim.folder.address import Folder


class CompileProgress(NamedTuple):
    """The progress of compilation.

    `kernels`: kernels compiled so far, here or by the process that is waited for; `new`: kernels compiled here, 0 while
    machine code is only loaded, and 1 or more as soon as something is compiled; `seconds`: wall seconds so far;
    `seconds_last_time`: wall seconds of the last compilation from an empty cache on this machine, if known. There is no
    total: it differs by kind of game.
    """

    kernels: int
    new: int
    seconds: float
    seconds_last_time: float | None
    elsewhere: bool = False


class RunObserver:
    """Receives the progress of a run; this base class ignores it. Worker threads call `played`."""

    def finished_before(self, folder: Folder) -> None:
        """Nothing is played, because the folder contains the finished run."""

    def scenario(self, name: str, number: int, count: int) -> None:
        """The scenario `name` comes next, number `number` of `count`, counted from 1."""

    def looked(self, games: int, words: str) -> None:
        """After `games` games the intervals were computed; `words` say how wide the widest is."""

    def grows(self, before: int, blocks: int) -> None:
        """A tournament that was finished or evaluated with `before` blocks is extended to `blocks`."""

    def compiling(self, progress: CompileProgress) -> None:
        """The engine is being compiled or loaded; called repeatedly with the progress."""

    def compiled(self, seconds: float) -> None:
        """The engine has been compiled in `seconds` of wall time."""

    def begin(self, done: int, games: int, workers: int, note: str) -> None:
        """Playing begins: `done` of `games` are already finished; `note` explains why, or is empty."""

    def played(self, games: int) -> None:
        """`games` more games have been played."""

    def compared(self, chunks: int, workers: int) -> None:
        """So many chunks of so many workers of a cluster were played again here, with the same bytes."""

    def left_out(self, worker: str, chunk: int, withdrawn: int) -> None:
        """A worker of a cluster returned other bytes for `chunk` than this machine plays, and gets no more games.

        `withdrawn` of its chunks that were finished are played again.
        """
        warnings.warn(left_out_warning(worker, chunk, withdrawn), stacklevel=2)

    def end(self) -> None:
        """Playing has ended, finished or not."""


class How(TypedDict, total=False):
    """Arguments of everything that plays, which change no row; see `play_run`."""

    workers: int | None
    observer: RunObserver | None
    check_policies: bool


class Passing(RunObserver):
    """Passes on only some of what it receives, by the names of the methods."""

    def __init__(self, shown: RunObserver, *names: str) -> None:
        """`shown` receives it."""
        for name in names:
            setattr(self, name, getattr(shown, name))


def left_out_warning(worker: str, chunk: int, withdrawn: int) -> str:
    """The warning that a worker is left out."""
    again = f", and {withdrawn:,} of its finished chunks are played again" if withdrawn else ""
    return (
        f"The worker {worker} returned other bytes for chunk {chunk} than this machine plays. It gets no more games"
        f"{again}; compare its installation with this one."
    )
