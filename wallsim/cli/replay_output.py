"""Verifying folders and replaying parts of them, with the results shown, for the commands `verify` and `study`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.output import FAILED, print_document, refuse, whole_number
from wallsim.cli.signals import tidied
from wallsim.cli.terminal_output import echo
from wallsim.errors import InputError, RunError, listed
from wallsim.escaping import escaped_line, in_shell

if TYPE_CHECKING:
    from wallsim.cli.options import Folder
    from wallsim.play.replay.audit import Replayed
    from wallsim.studies.study import Study


ALL = "all"
Drawn = tuple[int | None, int | None]  # how many chunks are played again, None for all, and the seed of their draw
_MOST = 10**9

ReplayCount = Annotated[
    str | None,
    typer.Option(
        "--replay", metavar="N|all", help="Also play N chunks drawn at random again, or all, and compare every byte."
    ),
]
DrawSeed = Annotated[
    str | None,
    typer.Option("--seed", metavar="N", help="With --replay: repeats a draw.  [default: a random one, printed]"),
]


def count_of(replay: str) -> int | None:
    """The value of --replay, None for all; for an invalid value the command ends."""
    return None if replay == ALL else whole_number("--replay", replay, 1, _MOST)


def seed_of(seed: str | None, replay: str | None) -> int | None:
    """The value of --seed, which goes with --replay; for an invalid value the command ends."""
    from wallsim.experiment.keys import MAX_SEED

    if seed is None:
        return None
    if replay is None:
        refuse("--seed: belongs to --replay N; add it, or leave --seed out")
    return whole_number("--seed", seed, 0, MAX_SEED)


def replay_document(result: Replayed) -> dict[str, Any]:
    """The result of a replay for `--json`."""
    return {
        "chunks": result.chunks, "replayed": result.replayed, "games": result.games, "seed": result.seed,
        "equal": result.equal, "by_rows": result.by_rows, "errors": list(result.errors),
        "detection": round(result.detection, 6), "undetected_share": round(result.undetected, 6),
    }  # fmt: skip


def show_replayed(folder: Folder, result: Replayed) -> None:
    """Print what was replayed; differences go to standard error."""
    for error in result.errors:
        echo(escaped_line(f"{folder}: {error}"), err=True)
    for line in result.words():
        echo(escaped_line(f"{folder}: {line}"), err=not result.equal)


def audit(folder: Folder, play: Callable[[], Replayed], as_json: bool, document: dict[str, Any]) -> None:
    """Replay and show the result; the command ends with status 1 if something differs."""
    result = play()
    if as_json:
        print_document({**document, "unchanged": result.equal, "replay": replay_document(result)})
    else:
        show_replayed(folder, result)
    if not result.equal:
        raise typer.Exit(FAILED)


def verify_study(study: Study, folder: Path, replay: str | None, seed: str | None, workers: int | None) -> None:
    """Compare every file of a study's folder with its record, and compute its figures again; status 1 on an error."""
    from wallsim.folder.file_stores import file_store
    from wallsim.folder.study_folder import is_study, read_record
    from wallsim.folder.verification import state_of, verify_results

    count, draw = 0 if replay is None else count_of(replay), seed_of(seed, replay)
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
    errors = verify_results(folder)
    if errors:
        echo("\n".join(escaped_line(f"{folder}: {error}") for error in listed(errors)), err=True)
        echo(escaped_line(f"{folder}: is damaged; {state_of(folder).mending(errors)}"), err=True)
        raise typer.Exit(FAILED)
    audit_study(folder, (count, draw), workers, trust_code=False, quiet=False, as_json=False, document={}, study=study)
    echo(escaped_line(f"{folder}: no file is missing or changed."))


def audit_study(
    folder: Folder, drawn: Drawn, workers: int | None, trust_code: bool, quiet: bool, as_json: bool,
    document: dict[str, Any], study: Study | None = None,
) -> None:  # fmt: skip
    """Replay a study's folder whose files are unchanged, and print the result; status 1 if anything differs."""
    from wallsim.cli.run_output import observer_of
    from wallsim.studies.audit import audit_study as replay

    study = _study_of(folder) if study is None else study
    with tidied():
        result = replay(
            study,
            Path(folder),
            drawn[0],
            seed=drawn[1],
            workers=workers,
            trust_code=trust_code,
            observer=observer_of(quiet),
        )
    if as_json:
        replayed = None if result.replayed is None else replay_document(result.replayed)
        more = {"replay": replayed, "errors": list(result.errors), "notes": list(result.notes)}
        print_document({**document, "unchanged": result.equal, **more})
    else:
        for error in listed(result.errors):
            echo(escaped_line(f"{folder}: {error}"), err=True)
        if result.replayed is not None:
            show_replayed(folder, result.replayed)
        for note in result.notes:
            echo(escaped_line(f"{folder}: {note}"))
    if not result.equal:
        raise typer.Exit(FAILED)


def _study_of(folder: Folder) -> Study:
    from wallsim.folder.file_stores import file_store
    from wallsim.folder.study_folder import read_record
    from wallsim.studies.catalogue import load_study

    record = read_record(file_store(folder))
    if record is None:
        refuse(
            f"{folder}: does not state which study it contains; use `wallsim study NAME --verify --out "
            f"{in_shell(folder)}`"
        )
    try:
        return load_study(record.name)
    except InputError as error:
        refuse(f"{folder}: {error}; a study in a folder is verified by `wallsim study FOLDER --verify --trust-code`")
