"""Commands of wallsim in processes of their own, and the time and memory that each of them used."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from wallsim.current_folder import SAFE_PATH
from wallsim.errors import RunError

_MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes of one unit of ru_maxrss
_GLANCE = 0.01  # seconds between two looks at a process that is to be killed
_LAST_WORDS = 2000  # characters of a failed command's standard error in the message


class Usage(NamedTuple):
    """What a command used: wall seconds, CPU seconds (user and system), and its peak memory in bytes.

    Of several commands at the same time: wall seconds until all had ended, CPU seconds of all, the largest peak.
    """

    wall: float
    cpu: float
    memory: int


class Processes:
    """Starts `python -m wallsim` with some words, waits for it, and asks the system what it used.

    The peak memory of a process is at least that of the process that started it, so that one must be small.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """`environment` has variables that the processes get beside those of this one."""
        self._environment = environment or {}

    def run(self, words: Sequence[str]) -> Usage:
        """Run one command to its end; RunError if it fails."""
        return self.together([words])

    def together(self, commands: Sequence[Sequence[str]]) -> Usage:
        """Run several commands at the same time; RunError if one fails, and the others are killed."""
        began = time.perf_counter()
        processes: list[_Process] = []
        try:
            for words in commands:
                processes.append(_Process(words, self._environment))
            used = [process.wait() for process in processes]
        finally:
            for process in processes:
                process.kill()
        return Usage(time.perf_counter() - began, sum(cpu for cpu, _ in used), max(memory for _, memory in used))

    def killed(self, words: Sequence[str], when: Callable[[], bool]) -> Usage | None:
        """Kill a command with signal 9 as soon as `when` says so; None if it ended before.

        RunError if it fails before.
        """
        began = time.perf_counter()
        process = _Process(words, self._environment)
        try:
            while not when():
                if process.has_ended():
                    process.wait()
                    return None
                time.sleep(_GLANCE)
        finally:
            process.kill()
        cpu, memory = process.used
        return Usage(time.perf_counter() - began, cpu, memory)


class _Process:
    # One command: its output goes nowhere, its messages into a file for the case that it fails.
    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self._words, self._messages = words, tempfile.TemporaryFile()  # noqa: SIM115  (closed by kill)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "wallsim", *words], stdout=subprocess.DEVNULL, stderr=self._messages,
            env={**os.environ, **environment, **SAFE_PATH},
        )  # fmt: skip
        self.used = (0.0, 0)  # CPU seconds and bytes of peak memory, once it has ended

    def has_ended(self) -> bool:
        return self._reaped(os.WNOHANG)

    def wait(self) -> tuple[float, int]:
        self._reaped(0)
        if self._process.returncode:
            self._messages.seek(0)
            said = self._messages.read().decode("utf-8", "replace").strip()[-_LAST_WORDS:]
            command = " ".join(("wallsim", *self._words))
            raise RunError(f"`{command}` ended with exit status {self._process.returncode}: {said}")
        return self.used

    def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
            self._reaped(0)
        self._messages.close()

    def _reaped(self, options: int) -> bool:
        # Not by the methods of Popen, which do not tell what the process used.
        if self._process.returncode is None:
            number, status, facts = os.wait4(self._process.pid, options)
            if number:
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self.used = (facts.ru_utime + facts.ru_stime, facts.ru_maxrss * _MEMORY_UNIT)
        return self._process.returncode is not None
