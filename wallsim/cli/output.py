"""The output of commands: text, tables, JSON, error messages and exit statuses."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError
from wallsim.escaping import escaped, escaped_line
from wallsim.spreadsheet import spreadsheet

if TYPE_CHECKING:
    from rich.console import Console

    from wallsim.policies.policy import Policy
    from wallsim.rules.tower import TowerModel

BAD_INPUT, FAILED, UNFINISHED = 2, 1, 3


def write_output(text: str, out: Path | None) -> None:
    """Write a text to a file, atomically, or to standard output; a device or a pipe is never replaced.

    Characters that act on a terminal become escapes, in a file too, since files are shown on terminals; JSON stays the
    same JSON. A CSV file is written for spreadsheets. The name of a written file is printed on stderr.
    """
    text = escaped(text)
    if out is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        if out.exists() and not out.is_file():
            out.write_text(text, encoding="utf-8")
        else:
            from wallsim.folder.commit import write_whole

            data = spreadsheet(text) if out.suffix == ".csv" else text.encode()
            write_whole(Path(os.path.realpath(out)), data)
            echo(f"Wrote {out}.", err=True)
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        refuse(f"--out: {out} cannot be written: {error.strerror}")


def check_out(out: Path | None, *endings: str, or_unknown: bool = False) -> None:
    """InputError if the name of an output file ends otherwise, as `check_ending`; devices and pipes have any name."""
    if out is None or (out.exists() and not out.is_file() and not out.is_dir()):
        return
    from wallsim.report.file_endings import check_ending

    check_ending(out, "--out", endings, or_unknown=or_unknown)


def print_document(document: Mapping[str, Any]) -> None:
    """Print the results of a command as one JSON document, for `--json`."""
    from wallsim.report.tables.columns import json_text

    write_output(json_text(dict(document)), None)


def print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a plain table."""
    from wallsim.report.tables.console import print_table

    print_table(screen(), headings, rows)


def screen(*, to_stderr: bool = False) -> Console:
    """The console on which tables are printed; the libraries that draw them are imported when it is asked for."""
    from wallsim.report.tables.console import make_console

    return make_console(to_stderr=to_stderr)


def counted(things: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """Progress on standard error: a function to call with the number of `things` done and their total."""
    from wallsim.report import progress

    return progress.counted(screen(to_stderr=True), things)


def show_page(page: str, file: Path, option: str) -> None:
    """Write a page of HTML into a file, the value of an option, and say where."""
    from wallsim.report.html.sheets import write_page

    write_page(page, file, option)
    echo(escaped_line(f"Open {file}"))


def refuse(message: str) -> NoReturn:
    """End the command with a message about invalid input."""
    echo(message, err=True)
    raise typer.Exit(BAD_INPUT)


def whole_number(flag: str, text: str, minimum: int, maximum: int) -> int:
    """The value of an option as a whole number in a range; InputError otherwise."""
    from wallsim.experiment.keys import number_key, read_number

    return int(read_number(flag, number_key(minimum, maximum, None), text))


def workers_of(text: str | None) -> int:
    """The value of --workers, by default one per core; for an invalid value the command ends."""
    from wallsim.play.parallel import MAX_WORKERS, default_workers

    return default_workers() if text is None else whole_number("--workers", text, 1, MAX_WORKERS)


def refuse_to_replace(path: Path, headline: str) -> None:
    """End the command if the file cannot be written, or exists and does not begin with `headline`.

    With an empty headline no file is replaced. The folder is created, so that the later writing does not fail.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(path.parent, os.W_OK | os.X_OK):
        refuse(f"--out: {path} cannot be written: the folder is not writable")
    if not path.is_file():  # writing to a folder fails later; devices and pipes are never replaced
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        begins = file.read(len(headline))
    if not headline or begins != headline:
        refuse(f"--out: {path} already exists and was not written by this command; choose another file (--out)")


def policy_of(argument: str, name: str) -> Policy:
    """The policy with a name or a file; InputError for an invalid one, after the argument of that name, if any."""
    from wallsim.policies.catalogue import PolicyError, load_policy, refuse_former_name

    try:
        refuse_former_name([name])
        return load_policy(name)
    except PolicyError as error:
        place = f"{argument}: " if argument else ""
        raise InputError(f"{place}{str(error).removeprefix('policies: ')}") from None


def tower_of(name: str) -> TowerModel:
    """The tower with a name or a path; for an invalid one the command ends."""
    from wallsim.rules.tower import TowerError, load_tower

    try:
        return load_tower(name)
    except TowerError as error:
        refuse(f"--tower: {str(error).removeprefix('tower: ')}")
