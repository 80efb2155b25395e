"""A process that plays games of one installation of wallsim on request, and tells the CPU seconds that they took."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks import timed_games
from benchmarks.installation import Installation
from wallsim.errors import InputError, RunError

_LAST_WORDS = 2000  # characters of a failed process's standard error in the message


class Timer:
    """The script `timed_games.py` in a process of its own, with the sources of one installation on its path.

    It has a session of its own, so that Ctrl-C reaches it only through this process, which ends it.
    """

    def __init__(self, installation: Installation) -> None:
        """Start the process; `engine_version` is that of the installation.

        InputError if the installation lacks what the script needs; RunError if the process ends.
        """
        self._installation = installation
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115  (closed by close)
        self._process = subprocess.Popen(
            [sys.executable, timed_games.__file__],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._messages,
            env=installation.environment(), text=True, encoding="utf-8", start_new_session=True,
        )  # fmt: skip
        try:
            answer = self._answer()
            if Path(answer["package"]) != installation.folder / "wallsim":
                raise InputError(f"{installation.title}: Python imports wallsim from {answer['package']} instead")
            self.engine_version = int(answer["engine"])
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """The timer itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.close()

    def seconds(self, policy: str, first: int, count: int) -> float:
        """CPU seconds of games `first` to `first + count - 1`, four seats of one policy; the first call also compiles.

        InputError if the installation cannot play the policy; RunError if the process ends.
        """
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # the answer says why
            self._process.stdin.write(json.dumps({"policy": policy, "first": first, "count": count}) + "\n")
            self._process.stdin.flush()
        return float(self._answer(f"policies: {policy}: ")["seconds"])

    def close(self) -> None:
        """End the process at once, also while it compiles."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):  # of a request that was never read
                pipe.close()
        self._messages.close()

    def _answer(self, place: str = "") -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            status = self._process.wait()
            self._messages.seek(0)
            said = self._messages.read().decode("utf-8", "replace").strip()[-_LAST_WORDS:]
            raise RunError(f"{self._installation.title}: its process ended with exit status {status}: {said}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise InputError(f"{place}{self._installation.title} cannot play: {answer['error']}")
        return answer
