"""The message after the machine code of a custom policy has ended the process, which a shell prints.

A shell waits at a pipe for the end of the process. Python's own handler of fatal signals writes the signal there first,
where it can; a stack that overflows in a thread leaves nothing but the end of the pipe.
"""

from __future__ import annotations

import atexit
import faulthandler
import subprocess
from contextlib import suppress

from wallsim.policies.custom import load_observers

_ENDED = "ended"
_WAIT = r"""
names= what=
while IFS= read -r line; do
    case "$line" in
        ended) exit 0 ;;
        "policy "*) names="$names${names:+, }${line#policy }" ;;
        "Fatal Python error: "*) what=${line#Fatal Python error: }; break ;;
    esac
done
printf 'wallsim ended unexpectedly (%s) with custom policies in use: %s. ' "${what:-it was killed, or a stack overflowed}" "$names" >&2
printf 'Finished chunks are stored. `wallsim run` with these policies and --check-policies checks every index and names the question.\n' >&2
"""  # noqa: E501
_waiting: list[subprocess.Popen[bytes]] = []
_names: set[str] = set()


def announce_sudden_ends() -> None:
    """From the first custom policy that is loaded on, let a sudden end of this process be explained on stderr."""
    load_observers.listeners.append(_note)


def ends_well() -> None:
    """The process is about to end by itself."""
    while _waiting:
        _tell(_waiting[0], _ENDED)
        with suppress(subprocess.TimeoutExpired):
            _waiting.pop().wait(1.0)


def _note(name: str) -> None:
    if not _waiting:
        try:
            waiting = subprocess.Popen(
                ["/bin/sh", "-c", _WAIT], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, bufsize=0
            )
        except OSError:
            return
        _waiting.append(waiting)
        atexit.register(ends_well)
        if waiting.stdin is not None and not faulthandler.is_enabled():
            faulthandler.enable(waiting.stdin, all_threads=False)
    if name not in _names:
        _names.add(name)
        _tell(_waiting[0], f"policy {name}")


def _tell(waiting: subprocess.Popen[bytes], line: str) -> None:
    with suppress(OSError, ValueError):
        if waiting.stdin is not None:
            waiting.stdin.write(f"{line}\n".encode())
