"""Commands for folders of results: verify, repair, merge, and list them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.options import AsJson, CheckWorkers, Dask, Folder, Quiet, RunFolder, TrustCode, Workers
from wallsim.cli.output import FAILED, UNFINISHED, print_document, print_rows, refuse, workers_of
from wallsim.cli.replay_output import DrawSeed, ReplayCount, audit, audit_study, count_of, seed_of
from wallsim.cli.run_output import observer_of, show_results
from wallsim.cli.signals import stoppable, tidied
from wallsim.cli.terminal_output import echo
from wallsim.errors import listed
from wallsim.escaping import escaped_line, in_shell
from wallsim.folder.address import folder_of
from wallsim.folder.file_stores import file_store
from wallsim.folder.study_folder import is_study

if TYPE_CHECKING:
    from wallsim.folder.listing import Listed
    from wallsim.play.repair import Restored
    from wallsim.play.replay.audit import Replayed

_HEADINGS = ("folder", "kind", "state", "done", "MB", "go on with")


@app.command()
def verify(
    folder: RunFolder, replay: ReplayCount = None, seed: DrawSeed = None, trust_code: TrustCode = False,
    workers: Workers = None, quiet: Quiet = False, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Check that no file of a folder is damaged. Missing and changed files are errors.

    With --replay, chunks drawn at random are also played again and compared with the files byte for byte, which
    detects files that were forged consistently.

    Exit status 0: finished and undamaged; 1: damaged; 2: invalid input; 3: undamaged, but not finished.
    """
    count, draw = None if replay is None else count_of(replay), seed_of(seed, replay)
    if replay is None and (workers is not None or trust_code):
        refuse(f"{'--trust-code' if trust_code else '--workers'}: belongs to --replay N; add it, or leave it out")
    from wallsim.folder.scenarios import holds_scenarios
    from wallsim.folder.verification import state_of, verify_results

    errors = verify_results(folder)
    state = state_of(folder)
    held = " of its scenarios" if holds_scenarios(folder) else ""
    document = {"folder": str(folder), "unchanged": not errors, "finished": state.finished, "faults": errors}
    if as_json:
        if errors or replay is None:
            print_document(document)
    elif errors:
        echo("\n".join(escaped_line(f"{folder}: {error}") for error in listed(errors)), err=True)
        echo(f"{folder}: is damaged; {state.mending(errors)}", err=True)
    if errors:
        raise typer.Exit(FAILED)
    if replay is not None:  # which ends the command if a file was forged: until then nothing is said to be right
        _replay(folder, count, draw, workers_of(workers), trust_code, quiet, as_json, document)
    if not as_json:
        echo(f"{folder}: no file{held} is missing or changed.")
        if not state.finished:
            echo(f"{folder}: {state.words}")
    if not state.finished:
        raise typer.Exit(UNFINISHED)


def _replay(
    folder: Folder, count: int | None, seed: int | None, workers: int, trust_code: bool, quiet: bool, as_json: bool,
    document: dict[str, Any],
) -> None:  # fmt: skip
    if is_study(file_store(folder)):
        audit_study(folder, (count, seed), workers, trust_code, quiet, as_json, document)
        return
    from wallsim.play.replay.audit import replay as play_again

    def play() -> Replayed:
        observer = observer_of(quiet)
        return play_again(folder, count, seed=seed, workers=workers, trust_code=trust_code, observer=observer)

    with tidied():
        audit(folder, play, as_json, document)


@app.command()
def repair(
    folder: RunFolder, trust_code: TrustCode = False, workers: Workers = None, dask: Dask = None,
    check_workers: CheckWorkers = None, quiet: Quiet = False, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Play missing or damaged games of a folder again. An interrupted run is resumed, and slices are gathered.

    Only games that are missing or damaged are played. The results are those of an undisturbed run, byte for byte.
    """
    from wallsim.play.repair import Restored
    from wallsim.play.repair import repair as repair_results

    with stoppable(folder, "games", dask, check_workers):
        finished = repair_results(
            folder, workers=workers_of(workers), observer=observer_of(quiet), trust_code=trust_code
        )
    if isinstance(finished, Restored):
        _show_restored(finished, as_json)
    else:
        show_results(finished, None, as_json)


def _show_restored(restored: Restored, as_json: bool) -> None:
    if as_json:
        print_document({"folder": str(restored.folder), "kind": restored.what, "restored": list(restored.files)})
        return
    files = f"restored {', '.join(restored.files)}" if restored.files else "nothing had to be restored"
    echo(escaped_line(f"{restored.folder}: {files}."))


@app.command()
def merge(
    folder: Annotated[
        Folder,
        typer.Argument(metavar="DIR", parser=folder_of, help="The folder to merge into; created if it is missing."),
    ],
    sources: Annotated[
        list[Folder], typer.Argument(metavar="FROM...", parser=folder_of, help="Folders of the same run.")
    ],
    as_json: AsJson = False,
) -> None:
    """Copy finished chunks of a run from other folders. This is for machines without a shared disk.

    Each file is checked by its digest. Afterwards `wallsim repair DIR` plays what is missing and writes the manifest.
    """

    from wallsim.folder.merge import merge as gather

    with stoppable(folder, "games"):
        merged = gather(folder, sources)
    if as_json:
        print_document({"folder": str(folder), **merged._asdict()})
        return
    for name in merged.damaged:
        echo(f"{name}: is damaged and was left out.", err=True)
    echo(f"Copied {merged.copied:,} games; {folder} has {merged.finished:,} of {merged.games:,}.")
    echo(f"`wallsim repair {in_shell(folder)}` plays what is missing and writes the manifest.")


@app.command()
def runs(
    folders: Annotated[
        list[Folder] | None,
        typer.Argument(metavar="DIR...", parser=folder_of, help="Folders to list.  [default: results]"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List folders with their state, progress and size. Each has the command that continues it."""
    from wallsim.folder.listing import list_results

    result = list_results(folders or [Path("results")])
    if as_json:
        print_document({"runs": [{**one._asdict(), "folder": str(one.folder)} for one in result]})
    elif result:
        print_rows(_HEADINGS, [_row(one) for one in result])
        for line in listed([f"{one.folder}: {one.reason}" for one in result if one.state == "unreadable"]):
            echo(escaped_line(line), err=True)
    else:
        echo("There are no runs.")


def _row(one: Listed) -> tuple[str, ...]:
    done = f"{one.finished:,}" if one.wanted in (None, one.finished) else f"{one.finished:,} of {one.wanted:,}"
    return str(one.folder), one.kind, one.state, f"{done} {one.unit}", f"{one.bytes / 1e6:,.1f}", one.command
