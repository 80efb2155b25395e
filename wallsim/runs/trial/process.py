"""Starting the process in which custom policies play, and saying what became of it."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from typing import IO, NamedTuple

import numpy as np

from wallsim.current_folder import SAFE_PATH
from wallsim.engine.arena import Arena
from wallsim.engine.illegal_answer import IllegalAnswer, question_asked
from wallsim.policies.custom.guards import BACKUP
from wallsim.runs.trial.child import NOTED_TABLE, Replay, Task, Tried

CPU_SECONDS = 120  # of the trial games; longer is taken for an endless loop
_START = (
    "import sys; sys.path[:] = {path!r}; from wallsim.runs.trial.child import main; main({task}, {notes}, {result})"
)
_PERTURBED = "165"  # glibc fills memory that is allocated, so that reading it before writing gives other answers


class Ended(NamedTuple):
    """The end of the process: its result, or the signal that ended it and the question it was asking then.

    `started` is False where it could not play at all; `table` is the number of the table that was played last, `error`
    the last line that it printed if it failed by itself.
    """

    tried: Tried | None
    signal: int = 0
    started: bool = True
    table: int = 0
    asked: IllegalAnswer | None = None
    error: str = ""


def try_in_process(warm: Arena, tables: Sequence[Arena], games: int) -> Ended:
    """Play trial games of checked arenas in another process of this interpreter, after a game of `warm`."""
    return do_in_process(Task(pickle.dumps(warm), pickle.dumps(list(tables)), games, CPU_SECONDS))


def do_in_process(work: Task | Replay) -> Ended:
    """Do a task in another process of this interpreter, in which hashes and free memory are others."""
    if not sys.executable:
        return Ended(None, started=False)
    with ExitStack() as stack:
        task, notes, result, errors = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(4))
        pickle.dump(work, task)
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
    if status == 0:
        return Ended(pickle.loads(result))
    asked = np.frombuffer(notes, BACKUP)
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return Ended(
        None, max(0, -status), bool(result), int(asked[0].asked[NOTED_TABLE]), question_asked(asked, ""),
        lines[-1] if lines else f"status {status}",
    )  # fmt: skip


def words_of(number: int) -> str:
    """What a signal says about machine code."""
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if number == signal.SIGXCPU:
        return f"has not answered after {CPU_SECONDS} s of CPU time; allowed are loops that end"
    if number in (signal.SIGSEGV, signal.SIGBUS):
        return f"ends the process ({name}); allowed are indices within an array, and recursion that ends"
    if number == signal.SIGFPE:
        return f"ends the process ({name}); allowed is to divide by numbers other than 0 and -1"
    return f"ends the process ({name}); allowed is to answer"
