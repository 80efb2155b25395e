"""Commands of wallsim in forks of one process with everything loaded and nothing compiled: each ends where it compiles.

`python -m tests.cli.forked_commands` reads lists of words from its standard input, and answers with a line for each.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
COMPILES = 77  # the status of a command that compiles
PATIENCE = 20.0  # seconds until a command is killed that neither ends nor compiles
_ANNOUNCEMENT = b"compil"  # is in what a command must have said by then
_SECONDS = 3.0  # for saying it


class Ended(NamedTuple):
    """How a command ended: its status, negative for a signal, and everything that it printed."""

    status: int
    said: str


def first_kernels(folder, commands):
    """The end of each command, which is run in `folder`, with an empty cache of machine code."""
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "WALLSIM_CACHE_DIR": str(folder / "cache"), "COLUMNS": "400",
        "POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "Agg",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.forked_commands"], input=json.dumps(commands), cwd=folder, env=environment,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [Ended(*json.loads(line)) for line in done.stdout.splitlines()]


def serve():
    """Load everything, then run one command after the other."""
    import matplotlib.pyplot  # noqa: F401
    import polars  # noqa: F401

    import wallsim.analysis.advice.advice
    import wallsim.api.review
    import wallsim.play.tournament.play
    import wallsim.report.pages.policy
    import wallsim.report.progress
    import wallsim.searches.tuning.session
    import wallsim.studies.running  # noqa: F401

    for words in json.load(sys.stdin):
        shutil.rmtree("new", ignore_errors=True)  # where commands write
        output = Path("output.txt")
        output.unlink(missing_ok=True)
        output.touch()
        process = os.fork()
        if process == 0:
            _be_child(words, output)
        print(json.dumps([_status(process), output.read_text("utf-8", "replace")]), flush=True)


def _status(process):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(process, 9)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _be_child(words, output):
    status = 1
    try:
        handle = os.open(output, os.O_WRONLY | os.O_APPEND)
        for target in (1, 2):
            os.dup2(handle, target)
        _end_at_first_kernel(output)
        sys.argv = ["wallsim", *words]
        from wallsim.__main__ import main

        main()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _end_at_first_kernel(output):
    from wallsim.compile_cache.folder import Turn

    lacks = Turn.lacks

    def lacks_and_ends(turn):
        lacks(turn)
        until = time.monotonic() + _SECONDS
        while _ANNOUNCEMENT not in output.read_bytes().lower() and time.monotonic() < until:
            time.sleep(0.01)
        os._exit(COMPILES)

    Turn.lacks = lacks_and_ends
    assert threading.active_count() == 1


if __name__ == "__main__":
    serve()
