"""The command that plays a tournament of policies and prints their ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.options import (
    AsJson,
    BoardFolder,
    CheckPolicies,
    CheckWorkers,
    Dask,
    Edition,
    Expansions,
    Folder,
    OutFolder,
    Players,
    Quiet,
    Seed,
    Setup,
    Switches,
    Tower,
    Until,
    Workers,
)
from wallsim.cli.output import refuse, whole_number, workers_of, write_output
from wallsim.cli.showing import observer_of
from wallsim.cli.stopping import stoppable
from wallsim.cli.streams import echo
from wallsim.cli.until import precision_of, print_found
from wallsim.runs.folder.address import Url, folder_of
from wallsim.visible import visible_line

if TYPE_CHECKING:
    from wallsim.analysis.precision.precision import Precision
    from wallsim.runs.tournament.folder import TournamentRun


@app.command()
def tournament(
    policies: Annotated[
        str,
        typer.Argument(
            metavar="POLICY,POLICY,...|FOLDER",
            help="Policies, see `wallsim policies`; or the folder of a finished tournament, to show it again.",
        ),
    ],
    players: Players = None,
    setup: Setup = None,
    edition: Edition = None,
    expansions: Expansions = None,
    blocks: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Number of blocks; in a block every table plays all rotations of its policies.  [default: 1200]",
        ),
    ] = None,
    seed: Seed = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
    until: Until = None,
    workers: Workers = None,
    dask: Dask = None,
    check_workers: CheckWorkers = None,
    check_policies: CheckPolicies = False,
    out: OutFolder = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play policies against each other in a balanced design, rate them, and draw the ladder.

    Each policy has every seat and every line-up equally often, and all games of a block have the same cards and random
    events. The same command resumes an interrupted tournament and shows a finished one again; with more --blocks,
    blocks are added. Intervals are valid for a number of blocks fixed beforehand, not if blocks are added until the
    ladder looks decided; looks.json in the folder records how often the ladder was looked at. With --until, as many
    blocks are played as an interval of all policies needs, at most --blocks. The folder gets the games
    in `results`, and ratings.json, ratings.parquet, ladder.png and payoffs.png.
    """
    precision = precision_of(until)
    flags = {"players": players, "setup": setup, "edition": edition, "expansions": expansions, "seed": seed,
             "tower": tower, "board": board, "rules": switch}  # fmt: skip
    if not policies.strip():
        refuse("POLICIES: is empty; give two or more policies, separated by commas, or the folder of a tournament")
    shown = _folder(policies)
    if shown is not None:
        named = {
            **flags,
            "blocks": blocks,
            "until": until,
            "workers": workers,
            "dask": dask,
            "check-workers": check_workers,
            "check-policies": check_policies or None,
            "out": out,
        }
        conflicts = ", ".join(
            f"--{'switch' if name == 'rules' else name}" for name, value in named.items() if value is not None
        )
        if conflicts:
            refuse(f"{conflicts}: cannot be combined with the folder {shown}, which determines it")
        from wallsim.runs.tournament.folder import open_tournament

        finished = open_tournament(shown)
    else:
        finished = _play(policies, flags, blocks, precision, workers, dask, check_workers, out, check_policies, quiet)
    from wallsim.analysis.tournament.findings import judge
    from wallsim.report.pages.tournament_files import findings_json, write_findings
    from wallsim.report.tables.console import make_console
    from wallsim.report.tables.tournament import print_tournament
    from wallsim.runs.folder.lock import ReadOnlyError
    from wallsim.runs.tournament.looks import looks_of

    findings = judge(finished)
    for error in finished.changed_files():
        echo(visible_line(f"{finished.folder}: {error}; written again"), err=True)
    try:
        looks = finished.note_look()
        written = write_findings(finished, findings)
    except ReadOnlyError as error:
        echo(visible_line(f"{error}; the ladder is shown, and nothing is written"), err=True)
        looks = tuple(sorted({*looks_of(finished.folder, finished.hash), finished.manifest["blocks"]}))
        written = []
    headline = None
    if precision is not None:
        from wallsim.analysis.precision.headline import headline_of_tournament
        from wallsim.report.tables.precision import headline_document

        headline = headline_of_tournament(finished, precision)
        print_found(headline, as_json)
    if as_json:
        more = None if headline is None else {"until": headline_document(headline)}
        write_output(findings_json(finished, findings, more) + "\n", None)
    else:
        print_tournament(make_console(), finished, findings, looks, written)


def _play(
    policies: str,
    flags: dict[str, Any],
    blocks: str | None,
    precision: Precision | None,
    workers: str | None,
    dask: str | None,
    check_workers: str | None,
    out: Folder | None,
    check: bool,
    quiet: bool,
) -> TournamentRun:
    from wallsim.runs.components import identity_hash
    from wallsim.runs.flags import experiment_of
    from wallsim.runs.tournament.design import MAX_GAMES
    from wallsim.runs.tournament.play import play_tournament
    from wallsim.runs.tournament.tournament import DEFAULT_BLOCKS, make_tournament

    count = DEFAULT_BLOCKS if blocks is None else whole_number("--blocks", blocks, 1, MAX_GAMES)
    threads = workers_of(workers)
    names = [name.strip() for name in policies.split(",")]
    tournament = make_tournament(experiment_of(None, flags), names, count)
    folder = out or Path("results") / f"tournament-{identity_hash(tournament.identity())[:8]}"
    with stoppable(folder, "games", dask, check_workers):
        observer = observer_of(quiet)
        if precision is not None:
            from wallsim.analysis.precision.headline import headline_of_tournament
            from wallsim.runs.growing import grow_tournament

            return grow_tournament(
                tournament, folder, lambda found: headline_of_tournament(found, precision).look(), workers=threads,
                observer=observer, check_policies=check,
            )  # fmt: skip
        return play_tournament(tournament, folder, workers=threads, observer=observer, check_policies=check)


def _folder(text: str) -> Folder | None:
    # The path of an existing folder, or an address; any other text is a list of policies.
    found = folder_of(text)
    try:
        return found if isinstance(found, Url) or found.is_dir() else None
    except (OSError, ValueError):
        return None
