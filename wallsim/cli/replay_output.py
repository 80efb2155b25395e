"""Verifying folders and replaying parts of them, with the results shown, for the commands `verify` and `study`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from wallsim.cli.option_groups import options_from
from wallsim.cli.output import FAILED, refuse
from wallsim.cli.signals import tidied
from wallsim.cli.terminal_output import echo
from wallsim.errors import RunError, listed
from wallsim.escaping import escaped_line, in_shell

if TYPE_CHECKING:
    from wallsim.cli.options import Folder
    from wallsim.play.replay.audit import Replayed
    from wallsim.studies.study import Study

REPLAY = options_from("wallsim.api.verification:verify", replay="N|all", seed="N")


def refuse_without_replay(asked: dict[str, Any], **given: object) -> None:
    """End the command if options are given that belong to a replay, and none is asked for."""
    for name, value in {"seed": asked.get("seed"), **given}.items():
        if value not in (None, False) and not asked["replay"]:
            refuse(f"--{name.replace('_', '-')}: belongs to --replay N; add it, or leave it out")


def replay_document(result: Replayed) -> dict[str, Any]:
    """The result of a replay for `--json`."""
    return {
        "chunks": result.chunks, "replayed": result.replayed, "games": result.games, "seed": result.seed,
        "equal": result.equal, "by_rows": result.by_rows, "errors": list(result.errors),
        "detection": round(result.detection, 6), "undetected_share": round(result.undetected, 6),
    }  # fmt: skip


def show_damage(folder: Folder, errors: Sequence[str], *, silent: bool = False) -> NoReturn:
    """End the command with status 1, after what is missing or changed and how it is repaired."""
    from wallsim.folder.verification import state_of

    if not silent:
        echo("\n".join(escaped_line(f"{folder}: {error}") for error in listed(errors)), err=True)
        echo(escaped_line(f"{folder}: is damaged; {state_of(folder).mending(errors)}"), err=True)
    raise typer.Exit(FAILED)


def show_replayed(folder: Folder, result: Replayed | None, notes: Sequence[str]) -> None:
    """Print what was replayed and noted; differences go to standard error."""
    if result is not None:
        for error in result.errors:
            echo(escaped_line(f"{folder}: {error}"), err=True)
        for line in result.words():
            echo(escaped_line(f"{folder}: {line}"), err=not result.equal)
    for note in notes:
        echo(escaped_line(f"{folder}: {note}"))


def verify_study(study: Study, folder: Path, asked: dict[str, Any], workers: int | None) -> None:
    """Compare every file of a study's folder with its record, and compute its figures again; status 1 on an error."""
    from wallsim.api.verification import checked_replay
    from wallsim.cli.run_output import observer_of
    from wallsim.folder.file_stores import file_store
    from wallsim.folder.study_folder import is_study, read_record
    from wallsim.folder.verification import verify_results
    from wallsim.studies.audit import audit_study

    refuse_without_replay(asked)
    count = checked_replay(**asked)
    if not is_study(file_store(folder)):
        refuse(
            f"{folder}: contains no study; `wallsim study {in_shell(study.name)} --out {in_shell(folder)}` plays it, "
            "all of it, since published figures cannot be checked without their games"
        )
    try:
        record = read_record(file_store(folder))
    except RunError:  # which is reported with all other damage
        record = None
    if record is not None and record.name != study.name:
        refuse(f"{folder}: is a folder of the study {record.name}, not of {study.name}")
    if errors := verify_results(folder):
        show_damage(folder, errors)
    with tidied():
        result = audit_study(
            study, folder, count, seed=asked.get("seed"), workers=workers, observer=observer_of(quiet=False)
        )
    for error in listed(result.errors):
        echo(escaped_line(f"{folder}: {error}"), err=True)
    show_replayed(folder, result.replayed, result.notes)
    if not result.equal:
        raise typer.Exit(FAILED)
    echo(escaped_line(f"{folder}: no file is missing or changed."))
