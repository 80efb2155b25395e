"""The process in which custom policies are tried or play a chunk again: a wild one ends it, not the command.

It plays the trial games checked, with answers that check their indices. The question that is being asked is noted in
memory that the parent process shares, so that the parent can name it whatever ends this process.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import pickle
import resource
import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from wallsim.engine.arena import Arena, Tables
from wallsim.engine.illegal_answer import Breach, IllegalAnswer, IllegalAnswerError
from wallsim.errors import WallsimError
from wallsim.policies.custom.guards import BACKUP

NOTED_TABLE = 7  # of the record `asked`: which of the tables is being played


class Task(NamedTuple):
    """Tables to try: a game of `warm` loads the engine, then `games` games of each of `tables` are played."""

    warm: bytes  # a pickled arena
    tables: bytes  # pickled checked arenas
    games: int
    cpu_seconds: int  # after which the process ends


class Replay(NamedTuple):
    """A chunk to play again: a pickled function of its first game, its number of games and a watcher, and these."""

    play: bytes
    first: int
    games: int


class Tried(NamedTuple):
    """The outcome: digests of the tables' rows, or of a chunk's files by table; or the table that failed and how."""

    digests: tuple[Any, ...] = ()
    failed: int = -1
    error: IllegalAnswer | Breach | None = None
    refused: tuple[str, ...] = ()


def rows_digest(*tables: Tables) -> str:
    """The sha256 of the rows of games, seats and seasons, in their order."""
    digest = hashlib.sha256()
    for name in ("games", "seats", "seasons"):
        for rows in tables:
            digest.update(getattr(rows, name)[:, 1:].tobytes())  # column 0 is filled in later
    return digest.hexdigest()


def play_trial(arena: Arena, games: int) -> str:
    """Play the trial games and return the digest of their rows. IllegalAnswerError for an illegal answer.

    They are played together and then one by one from the last, since a policy must not remember another game.
    """
    together = rows_digest(arena.play(0, games, seasons=True))
    alone = [arena.play(game, 1, seasons=True) for game in reversed(range(games))]
    if rows_digest(*reversed(alone)) != together:
        raise IllegalAnswerError(
            Breach(
                "plays the same game differently after another; answers may depend on the arguments and the seat's own "
                "stream"
            )
        )
    return together


def replayed(play: Callable[..., Any], first: int, games: int) -> tuple[tuple[str, str], ...]:
    """Play a chunk, and return the sha256 of its file for each table."""
    return tuple((part.table, hashlib.sha256(part.data).hexdigest()) for part in play(first, games, _ignore).parts)


def _ignore(games: int) -> None:
    """Nobody watches the batches of a chunk that is played again."""


def main(task: int, notes: int, result: int) -> None:
    """Do the task in the file of one descriptor, noting questions and the outcome in two others."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    shared: Any = mmap.mmap(notes, BACKUP.itemsize)
    outcome = _tried(_read(task), np.frombuffer(shared, BACKUP), result)
    _write(result, outcome)
    os._exit(0)  # whatever a policy did to the memory of this process


def _tried(task: Task | Replay, notes: np.ndarray, result: int) -> Tried:
    digests: list[str] = []
    try:
        if isinstance(task, Replay):
            _write(result, None)
            return Tried(replayed(pickle.loads(task.play), task.first, task.games))
        pickle.loads(task.warm).play(0, 1)
        tables: list[Arena] = pickle.loads(task.tables)
        _write(result, None)
        _limit_cpu(task.cpu_seconds)
        for arena in tables:
            notes[0].asked[NOTED_TABLE] = len(digests)
            digests.append(play_trial(arena.noting(notes), task.games))
    except IllegalAnswerError as error:
        return Tried(failed=len(digests), error=error.args[0])
    except WallsimError as error:
        return Tried(failed=len(digests), refused=tuple(str(error).splitlines()))
    return Tried(tuple(digests))


def _limit_cpu(seconds: int) -> None:
    """Let the system end this process after so many more seconds of CPU time."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    limit = int(used) + seconds
    if most == resource.RLIM_INFINITY or limit < most:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, most))


def _end_with_parent() -> None:
    sys.stdin.buffer.read()  # nothing comes; it ends when the parent does
    os._exit(1)


def _read(descriptor: int) -> Any:
    with os.fdopen(descriptor, "rb") as file:
        file.seek(0)
        return pickle.load(file)


def _write(descriptor: int, outcome: Tried | None) -> None:
    os.pwrite(descriptor, pickle.dumps(outcome), 0)
