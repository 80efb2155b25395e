"""Local Dask clusters of several worker processes, and functions that are sent to them."""

import io
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import distributed
import polars as pl

from wallsim.errors import InputError
from wallsim.play import chunk_play
from wallsim.play.observer import RunObserver

WORKERS = 2


@contextmanager
def local_cluster():
    """A scheduler and two worker processes of a thread each, without a dashboard."""
    with distributed.LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


class AfterChunks(RunObserver):
    """Calls `action` once, when so many chunks have come back."""

    def __init__(self, chunks, action):
        self.left, self.action = chunks, action

    def played(self, games):
        self.left -= 1
        if self.left == 0:
            self.action()


def squared(number):
    """A task."""
    return number * number


def slow_at_first(number):
    """A task whose first ones take longest, so that later ones end before."""
    time.sleep(0.4 if number == 0 else 0.0)
    return number


def process_of(number):
    """A task that says where it was done."""
    return os.getpid()


def refusing(number):
    """A task that raises an error of the package."""
    raise InputError(["one", f"number {number}"])


def dividing(number):
    """A task that raises an error of Python."""
    return 1 // number


def dying(number):
    """A task that kills its worker."""
    os.kill(os.getpid(), signal.SIGKILL)


# ------------------------------------------------------------------------------- other code, in a worker's process


def tell_the_truth():
    """Let this process play as it should."""
    chunk_play.play_chunk = _PLAY_CHUNK


_PLAY_CHUNK = chunk_play.play_chunk


def lie():
    """Let this process play chunks with one wrong value in each table."""

    def lying(context, first, games, played_some):
        return changed_chunk(
            _PLAY_CHUNK(context, first, games, played_some),
            lambda frame: frame.with_columns(pl.col("game").replace({frame["game"].max(): -1})),
        )

    chunk_play.play_chunk = lying


def changed_chunk(played, change):
    """A chunk with a change of each of its tables; metadata and numbers of rows stay as they were."""
    parts = []
    for part in played.parts:
        about = pl.read_parquet_metadata(io.BytesIO(part.data))
        about.pop("ARROW:schema", None)
        frame = change(pl.read_parquet(io.BytesIO(part.data)))
        parts.append(part._replace(data=chunk_play.parquet(frame, about)))
    return played._replace(parts=tuple(parts))


class Started:
    """A scheduler and two workers started as people start them; gives the address and the scheduler's process."""

    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        own = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        worker = [self.address, "--nthreads", "1", "--no-dashboard"]
        commands = [["scheduler", *own], *([["worker", *worker]] * WORKERS)]
        self.started = [
            subprocess.Popen([sys.executable, "-m", "dask", *words], stderr=subprocess.DEVNULL) for words in commands
        ]
        with distributed.Client(self.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(WORKERS, timeout=60)
        return self.address, self.started[0]

    def __exit__(self, *_):
        for process in self.started:
            process.terminate()
        for process in self.started:
            process.wait(30)
