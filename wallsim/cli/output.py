"""What commands hand out: text, tables, refusals, and the exit statuses they end with."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from wallsim.cli.streams import echo

if TYPE_CHECKING:
    from wallsim.rules.tower import TowerModel

BAD_INPUT, FAILED = 2, 1


def hand_out(text: str, out: Path | None) -> None:
    """Write a text to a file, whole or not at all, or to standard output; a device or a pipe is never replaced.

    A file that was written is named on stderr.
    """
    try:
        if out is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        elif out.exists() and not out.is_file():
            out.write_text(text, encoding="utf-8")
        else:
            from wallsim.runs.folder.commit import write_whole

            write_whole(Path(os.path.realpath(out)), text.encode())
            echo(f"Wrote {out}.", err=True)
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        if out is None:  # else the interpreter tries once more when it ends, and complains
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        refuse(f"--out: {out or 'standard output'} cannot be written: {error.strerror}")


def print_document(document: Mapping[str, Any]) -> None:
    """Print a command's results as the one JSON document that `--json` asks for."""
    from wallsim.report.documents import json_text

    hand_out(json_text(dict(document)), None)


def print_rows(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a plain table."""
    from wallsim.report.tables.console import make_console, print_table

    print_table(make_console(), headings, rows)


def refuse(message: str) -> NoReturn:
    """End a command because of bad input."""
    echo(message, err=True)
    raise typer.Exit(BAD_INPUT)


def whole_number(flag: str, text: str, least: int, most: int) -> int:
    """The whole number that a flag says, or the end of the command."""
    from wallsim.runs.flags import number, short

    found = number(text)
    if not isinstance(found, int) or not least <= found <= most:
        refuse(f'{flag}: "{short(text)}" is not a whole number from {least} to {most}')
    return found


def workers_of(text: str | None) -> int:
    """The number of workers that --workers says, by default one per core, or the end of the command."""
    from wallsim.runs.workers import MAX_WORKERS, default_workers

    return default_workers() if text is None else whole_number("--workers", text, 1, MAX_WORKERS)


def refuse_to_replace(path: Path, headline: str) -> None:
    """End the command if a file is there that does not begin as this command's files do, or cannot be written.

    With no headline no file is replaced at all. The folder is made, so that work done for the file is not lost.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(path.parent, os.W_OK | os.X_OK):
        refuse(f"--out: {path} cannot be written: the folder allows no new file")
    if not path.is_file():  # a folder is refused by whoever writes; devices and pipes are never replaced
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        begins = file.read(len(headline))
    if not headline or begins != headline:
        refuse(f"--out: {path} is there and not a file that this command wrote; name another file (--out)")


def tower_of(name: str) -> TowerModel:
    """The tower that a flag names, or the end of the command."""
    from wallsim.rules.tower import TowerError, load_tower

    try:
        return load_tower(name)
    except TowerError as error:
        refuse(f"--tower: {str(error).removeprefix('tower: ')}")
