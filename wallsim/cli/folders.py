"""Commands for folders of results: verify, repair, merge, and list them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.auditing import DrawSeed, ReplayCount, audit, count_of, seed_of
from wallsim.cli.options import AsJson, Dask, Folder, Quiet, RunFolder, TrustCode, Workers
from wallsim.cli.output import FAILED, print_document, print_rows, refuse, workers_of
from wallsim.cli.showing import observer_of, show_run, show_scenarios
from wallsim.cli.stopping import stoppable, tidied
from wallsim.cli.streams import echo
from wallsim.runs.folder.address import folder_of
from wallsim.runs.folder.place import place_of
from wallsim.runs.study_folder import STUDY
from wallsim.visible import visible_line

if TYPE_CHECKING:
    from wallsim.runs.listing import Listed
    from wallsim.runs.replay.audit import Replayed

_HEADINGS = ("folder", "kind", "state", "games", "MB", "go on with")


@app.command()
def verify(
    folder: RunFolder, replay: ReplayCount = None, seed: DrawSeed = None, trust_code: TrustCode = False,
    workers: Workers = None, quiet: Quiet = False, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Check that no file of a run, a tournament, of scenarios or of a study is missing or changed.

    With --replay, chunks drawn at random are also played again and compared with the files byte for byte, which
    detects files that were forged consistently.
    """
    count, draw = None if replay is None else count_of(replay), seed_of(seed, replay)
    if replay is None and (workers is not None or trust_code):
        refuse(f"{'--trust-code' if trust_code else '--workers'}: belongs to --replay N; add it, or leave it out")
    from wallsim.runs.results import state_of, verify_results
    from wallsim.runs.scenarios.folder import holds_scenarios

    faults = verify_results(folder)
    state = state_of(folder)
    document = {"folder": str(folder), "unchanged": not faults, "finished": state.finished, "faults": faults}
    if as_json:
        if faults or replay is None:
            print_document(document)
    elif faults:
        echo("\n".join(visible_line(f"{folder}: {fault}") for fault in faults), err=True)
        echo(f"{folder}: is damaged; {state.mending}", err=True)
    else:
        held = " of its scenarios" if holds_scenarios(folder) else ""
        echo(f"{folder}: no file{held} is missing or changed.")
        if not state.finished:
            echo(f"{folder}: {state.words}; {state.mending}")
    if faults:
        raise typer.Exit(FAILED)
    if replay is not None:
        threads = workers_of(workers)
        if STUDY.recognises(place_of(folder)):
            from wallsim.cli.study import audit_study

            audit_study(folder, count, draw, threads, trust_code, quiet, as_json, document)
            return
        from wallsim.runs.replay.audit import replay as play_again

        def play() -> Replayed:
            observer = observer_of(quiet)
            return play_again(folder, count, seed=draw, workers=threads, trust_code=trust_code, observer=observer)

        with tidied():
            audit(folder, play, as_json, document)


@app.command()
def repair(
    folder: RunFolder, trust_code: TrustCode = False, workers: Workers = None, dask: Dask = None,
    quiet: Quiet = False, as_json: AsJson = False,
) -> None:  # fmt: skip
    """Play what a run or scenarios lack, and restore what is damaged; also resumes them and gathers slices.

    Only games that are missing or damaged are played. The results are those of an undisturbed run, byte for byte.
    """
    from wallsim.runs.folder.results import Run
    from wallsim.runs.repair import repair as mend

    with stoppable(folder, "games", dask):
        finished = mend(folder, workers=workers_of(workers), observer=observer_of(quiet), trust_code=trust_code)
    if isinstance(finished, Run):
        show_run(finished, None, as_json)
    else:
        show_scenarios(finished, as_json)


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
    """Copy finished chunks of a run from other folders, for machines without a shared disk.

    Each file is checked by its digest. Afterwards `wallsim repair DIR` plays what is missing and writes the manifest.
    """
    from shlex import quote

    from wallsim.runs.merge import merge as gather

    with stoppable(folder, "games"):
        merged = gather(folder, sources)
    if as_json:
        print_document({"folder": str(folder), **merged._asdict()})
        return
    for name in merged.damaged:
        echo(f"{name}: is damaged and was left out.", err=True)
    echo(f"Copied {merged.copied:,} games; {folder} has {merged.finished:,} of {merged.games:,}.")
    echo(f"`wallsim repair {quote(str(folder))}` plays what is missing and writes the manifest.")


@app.command()
def runs(
    folders: Annotated[
        list[Folder] | None,
        typer.Argument(metavar="DIR...", parser=folder_of, help="Folders to look in.  [default: results]"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the runs, tournaments and scenarios below some folders: state, size, and the command to go on with each."""
    from wallsim.runs.listing import list_results

    found = list_results(folders or [Path("results")])
    if as_json:
        print_document({"runs": [{**one._asdict(), "folder": str(one.folder)} for one in found]})
    elif found:
        print_rows(_HEADINGS, [_row(one) for one in found])
    else:
        echo("There are no runs.")


def _row(one: Listed) -> tuple[str, ...]:
    games = f"{one.finished:,}" if one.games in (None, one.finished) else f"{one.finished:,} of {one.games:,}"
    return str(one.folder), one.kind, one.state, games, f"{one.bytes / 1e6:,.1f}", one.command
