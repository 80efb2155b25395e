"""Stopping a command by Ctrl-C or SIGTERM: it prints what was stored and ends with a special exit status."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from wallsim.cli.forced_exit import saying, stop_for, stop_status
from wallsim.cli.output import refuse, whole_number
from wallsim.cli.terminal_output import echo

if TYPE_CHECKING:
    from wallsim.folder.address import Folder


@contextmanager
def stoppable(folder: Folder, unit: str, dask: str | None = None, check_workers: str | None = None) -> Iterator[None]:
    """On Ctrl-C and SIGTERM, end work on a folder of results with a message on stderr and an exit status.

    `unit` is the unit of the folder's journal: "games" or "generations". `dask` and `check_workers` are those of
    `cluster_of`.
    """

    def words() -> str:
        return f"Stopped. {_stored(folder, unit)}"

    with _ended_by_signals(words), cluster_of(dask, check_workers):
        yield


@contextmanager
def cluster_of(dask: str | None, check_workers: str | None = None) -> Iterator[None]:
    """The workers of the Dask scheduler at an address for all that is played meanwhile; threads for None.

    `check_workers` is the value of --check-workers; the command ends if it is invalid, or if there is no scheduler.
    """
    if dask is None:
        if check_workers is not None:
            refuse("--check-workers: needs --dask; threads of this process are not checked")
        yield
        return
    from wallsim.experiment.chunks import MAX_CHUNKS
    from wallsim.play.parallel import dask_cluster
    from wallsim.play.worker_checks import checking_workers

    one_in = None if check_workers is None else whole_number("--check-workers", check_workers, 0, MAX_CHUNKS)
    with checking_workers(one_in), dask_cluster(dask):
        yield


@contextmanager
def tidied() -> Iterator[None]:
    """On Ctrl-C and SIGTERM, end work that keeps nothing, after it has tidied up, with a message and an exit status."""
    with _ended_by_signals(lambda: "Stopped. Nothing was stored."):
        yield


@contextmanager
def _ended_by_signals(words: Callable[[], str]) -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C in this block, and end the command with these words and an exit status after both."""
    before = signal.signal(signal.SIGTERM, stop_for)
    try:
        with saying(words):
            yield
    except typer.Exit:
        raise
    except BaseException as error:
        status = stop_status(error)
        if status is None:
            raise
        echo(words(), err=True)
        raise typer.Exit(status) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _stored(folder: Folder, unit: str) -> str:
    count = _games(folder) if unit == "games" else 0
    if count == 0:
        count, unit = _done(folder, unit)
    if count == 0:
        return f"No {unit} were finished in {folder}; the same command starts again."
    one = unit.removesuffix("s") + " is" if count == 1 else f"{unit} are"
    return f"{count:,} finished {one} stored in {folder}; the same command resumes."


def _games(folder: Folder) -> int:
    from wallsim.errors import InputError, RunError
    from wallsim.folder.file_stores import file_store
    from wallsim.folder.journal import Journal
    from wallsim.folder.layout import scenario_folder

    beginning = scenario_folder(folder, "").name
    try:
        inner = [folder / name for name in file_store(folder).entries() if name.startswith(beginning)]
        return sum(Journal(file_store(place)).done for place in (folder, *inner))
    except (OSError, RunError, InputError):
        return 0


def _done(folder: Folder, unit: str) -> tuple[int, str]:
    # How much of a search, or of any other folder, is done.
    from wallsim.errors import WallsimError
    from wallsim.folder.file_stores import file_store
    from wallsim.folder.verification import known_kind

    try:
        done, _, things = known_kind(folder).progress(file_store(folder))
    except WallsimError:
        return 0, unit
    return done, things if done else unit
