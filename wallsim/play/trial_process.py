"""The process in which custom policies are tried or play a chunk again: a wild one ends it, not the command.

It plays the trial games checked, with answers that check their indices. The question that is being asked is noted in
memory that the parent process shares, so that the parent can name it whatever ends this process.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import IO, Any, NamedTuple

import numpy as np

from wallsim.current_folder import SAFE_PATH
from wallsim.engine.arena import Arena, Tables
from wallsim.engine.illegal_answer import Breach, IllegalAnswer, IllegalAnswerError, question_asked
from wallsim.errors import WallsimError
from wallsim.policies.custom.guards import BACKUP

in_own_process = True  # tests of other things than trials save its two seconds
NOTED_TABLE = 7  # of the record `asked`: which of the tables is being played
CPU_SECONDS = 120  # of the trial games; longer is taken for an endless loop
_START = (
    "import sys; sys.path[:] = {path!r}; from wallsim.play.trial_process import main; main({task}, {notes}, {result})"
)
_PERTURBED = "165"  # glibc fills memory that is allocated, so that reading it before writing gives other answers


class Outcome(NamedTuple):
    """What a task came to in the process: what it returned, the illegal answer that ended it, or a refusal by lines."""

    value: Any = None
    illegal: IllegalAnswer | Breach | None = None
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


def tried_there(
    notes: np.ndarray, begin: Callable[[], None], warm: bytes, tables: bytes, games: int, cpu_seconds: int
) -> tuple[str, ...]:
    """In the process: the digests of the trial games of pickled arenas, within so many seconds of CPU time.

    First a game of `warm`, which is pickled, too, loads the engine.
    """
    pickle.loads(warm).play(0, 1)
    arenas: list[Arena] = pickle.loads(tables)
    begin()
    _limit_cpu(cpu_seconds)
    digests: list[str] = []
    for arena in arenas:
        notes[0].asked[NOTED_TABLE] = len(digests)
        digests.append(play_trial(arena.noting(notes), games))
    return tuple(digests)


def replayed_there(
    notes: np.ndarray, begin: Callable[[], None], play: bytes, first: int, games: int
) -> tuple[tuple[str, str], ...]:
    """In the process: play a chunk by a pickled function; see `replayed`."""
    begin()
    return replayed(pickle.loads(play), first, games)


def main(task: int, notes: int, result: int) -> None:
    """Do the task in the file of one descriptor, noting questions and the outcome in two others."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    shared: Any = mmap.mmap(notes, BACKUP.itemsize)
    function, arguments = _read(task)
    try:
        outcome = Outcome(function(np.frombuffer(shared, BACKUP), lambda: _write(result, None), *arguments))
    except IllegalAnswerError as error:
        outcome = Outcome(illegal=error.args[0])
    except WallsimError as error:
        outcome = Outcome(refused=tuple(str(error).splitlines()))
    _write(result, outcome)
    os._exit(0)  # whatever a policy did to the memory of this process


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


def _write(descriptor: int, outcome: Outcome | None) -> None:
    os.pwrite(descriptor, pickle.dumps(outcome), 0)


class Ended(NamedTuple):
    """The end of the process: its outcome, or the signal that ended it and the question it was asking then.

    `started` is False where it could not play at all; `table` is the number of the table that was played last, `error`
    the last line that it printed if it failed by itself.
    """

    outcome: Outcome | None
    signal: int = 0
    started: bool = True
    table: int = 0
    asked: IllegalAnswer | None = None
    error: str = ""


def do_in_process(function: Callable[..., Any], *arguments: Any) -> Ended:
    """Call one of the functions above in another process of this interpreter, whose hashes and free memory are others.

    It is given the notes that this process reads, and what it calls as soon as it has loaded everything.
    """
    if not sys.executable:
        return Ended(None, started=False)
    with ExitStack() as stack:
        task, notes, result, errors = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(4))
        pickle.dump((function, arguments), task)
        task.flush()
        notes.truncate(BACKUP.itemsize)
        handles = {"task": task.fileno(), "notes": notes.fileno(), "result": result.fileno()}
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", _START.format(path=sys.path, **handles)],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
                env={**os.environ, **SAFE_PATH, "PYTHONHASHSEED": _other_seed(), "MALLOC_PERTURB_": _PERTURBED},
                pass_fds=tuple(handles.values()),
            )  # fmt: skip
        except OSError:
            return Ended(None, started=False)
        try:
            status = process.wait()
        finally:
            process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()
        return _ended(status, *(_content(file) for file in (notes, result, errors)))


def _other_seed() -> str:
    # For the hashes of texts: another than that of this process.
    ours = os.environ.get("PYTHONHASHSEED")
    return str(next(seed for seed in (random.SystemRandom().randrange(1, 2**32), 1, 2) if str(seed) != ours))


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _ended(status: int, notes: bytes, result: bytes, errors: bytes) -> Ended:
    asked = np.frombuffer(notes, BACKUP)
    table, lines = int(asked[0].asked[NOTED_TABLE]), errors.decode("utf-8", "replace").strip().splitlines()
    if status == 0:
        return Ended(pickle.loads(result), table=table)
    said = lines[-1] if lines else f"status {status}"
    return Ended(None, max(0, -status), bool(result), table, question_asked(asked, ""), said)


def signal_in_words(number: int) -> str:
    """What a signal says about machine code."""
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if number == signal.SIGXCPU:
        return f"has not answered after {CPU_SECONDS} s of CPU time; allowed are loops that end"
    if number in (signal.SIGSEGV, signal.SIGBUS):
        return f"ends the process ({name}); allowed are indices within an array, and recursion that ends"
    if number == signal.SIGFPE:
        return f"ends the process ({name}); allowed is to divide by numbers other than 0 and -1"
    return f"ends the process ({name}); allowed is to answer"
