"""Stopping a command by Ctrl-C or SIGTERM: it prints what was kept and ends with a special exit status."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import typer

from wallsim.cli.streams import echo

INTERRUPTED, TERMINATED = 130, 143


class Terminated(KeyboardInterrupt):
    """SIGTERM, treated as Ctrl-C."""


@contextmanager
def stoppable(folder: Path, unit: str) -> Iterator[None]:
    """On Ctrl-C and SIGTERM, end work on a folder of results with a message on stderr and an exit status.

    `unit` is the unit of the folder's journal: "games", "generations" or "positions".
    """
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except KeyboardInterrupt as stop:
        echo(f"Stopped. {_kept(folder, unit)}", err=True)
        raise typer.Exit(TERMINATED if isinstance(stop, Terminated) else INTERRUPTED) from None


def _terminate(*_: object) -> NoReturn:
    raise Terminated


def _kept(folder: Path, unit: str) -> str:
    if unit == "positions":
        from wallsim.runs.learning.store import kept_games

        count, unit = kept_games(folder), "games"
    else:
        count = _generations(folder) if unit == "generations" else _games(folder)
    if count == 0:
        return f"No {unit} were finished, so none are kept in {folder}; the same command starts again."
    one = unit.removesuffix("s") + " is" if count == 1 else f"{unit} are"
    return f"{count:,} finished {one} kept in {folder}; the same command resumes the work."


def _games(folder: Path) -> int:
    from wallsim.errors import RunError
    from wallsim.runs.folder.journal import Journal
    from wallsim.runs.folder.layout import scenario_folder

    pattern = scenario_folder(folder, "*").name
    try:
        return Journal(folder).done + sum(Journal(place).done for place in folder.glob(pattern))
    except (OSError, RunError):
        return 0


def _generations(folder: Path) -> int:
    from wallsim.runs.tuning.journal import kept_generations

    return kept_generations(folder)
