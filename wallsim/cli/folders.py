"""Commands for folders of results: verify, repair, merge, and list them."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import CLUSTER, AsJson, Cluster, Place, Quiet, RunFolder, TrustCode, Workers
from wallsim.cli.output import FAILED, UNFINISHED, print_document, print_rows, workers_of
from wallsim.cli.replay_output import REPLAY, refuse_without_replay, replay_document, show_damage, show_replayed
from wallsim.cli.run_output import observer_of, show_results
from wallsim.cli.signals import stoppable, tidied
from wallsim.cli.terminal_output import echo
from wallsim.errors import listed
from wallsim.escaping import escaped_line, in_shell

if TYPE_CHECKING:
    from wallsim.folder.listing import Listed
    from wallsim.play.repair import Restored

_HEADINGS = ("folder", "kind", "state", "done", "MB", "go on with")


@app.command()
@grouped
def verify(
    folder: RunFolder, asked: dict[str, Any] = REPLAY, trust_code: TrustCode = False, workers: Workers = None,
    quiet: Quiet = False, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Check that no file of a folder is damaged. Missing and changed files are errors.

    With --replay, chunks drawn at random are also played again and compared with the files byte for byte, which
    detects files that were forged consistently.

    Exit status 0: finished and undamaged; 1: damaged; 2: invalid input; 3: undamaged, but not finished.
    """
    refuse_without_replay(asked, trust_code=trust_code, workers=workers)
    from wallsim.api.verification import verify as checked
    from wallsim.folder.file_stores import file_store
    from wallsim.folder.scenarios import holds_scenarios
    from wallsim.folder.study_folder import is_study
    from wallsim.folder.verification import state_of

    threads = None if workers is None else workers_of(workers)
    with tidied() if asked["replay"] else nullcontext():
        found = checked(folder, **asked, workers=threads, trust_code=trust_code, progress=not quiet)
    if as_json:
        faults = list(found.errors)
        document = {"folder": str(folder), "unchanged": not faults, "finished": found.finished, "faults": faults}
        if found.replayed is not None:
            document |= {"unchanged": found.unchanged, "replay": replay_document(found.replayed)}
            document |= {"errors": [], "notes": list(found.notes)} if is_study(file_store(folder)) else {}
        print_document(document)
    if found.errors:
        show_damage(folder, found.errors, silent=as_json)
    if not as_json:
        show_replayed(folder, found.replayed, found.notes)
    if not found.unchanged:
        raise typer.Exit(FAILED)
    if not as_json:
        held = " of its scenarios" if holds_scenarios(folder) else ""
        echo(f"{folder}: no file{held} is missing or changed.")
        if not found.finished:
            echo(f"{folder}: {state_of(folder).words}")
    if not found.finished:
        raise typer.Exit(UNFINISHED)


@app.command()
@grouped
def repair(
    folder: RunFolder, trust_code: TrustCode = False, cluster: Cluster = CLUSTER, quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Play missing or damaged games of a folder again. An interrupted run is resumed, and slices are gathered.

    Only games that are missing or damaged are played. The results are those of an undisturbed run, byte for byte.
    """
    from wallsim.play.repair import Restored
    from wallsim.play.repair import repair as repair_results

    with stoppable(folder, "games", cluster.dask, cluster.check_workers):
        finished = repair_results(folder, workers=cluster.threads, observer=observer_of(quiet), trust_code=trust_code)
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
@grouped
def merge(folder: Place, sources: list[Place], *, as_json: AsJson = False) -> None:
    """Copy finished chunks of a run from other folders. This is for machines without a shared disk.

    Each file is checked by its digest. Afterwards `wallsim repair DIR` plays what is missing and writes the manifest.

    Options
    -------
    folder DIR: The folder to merge into; created if it is missing.
    sources FROM...: Folders of the same run.
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
@grouped
def runs(folders: list[Place] | None = None, *, as_json: AsJson = False) -> None:
    """List folders with their state, progress and size. Each has the command that continues it.

    Options
    -------
    folders DIR...: Folders to list.  [default: results]
    """
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
