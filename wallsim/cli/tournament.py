"""The command that plays a tournament of policies and prints their ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import (
    PLAYING,
    AsJson,
    CheckPolicies,
    Folder,
    OutFolder,
    Playing,
    Quiet,
    Until,
    experiment_options,
)
from wallsim.cli.output import screen, whole_number, write_output
from wallsim.cli.run_output import observer_of, warn_of_lineups
from wallsim.cli.signals import stoppable
from wallsim.cli.terminal_output import echo
from wallsim.cli.until import precision_of, print_precision
from wallsim.errors import InputError
from wallsim.escaping import escaped_line
from wallsim.folder.address import Url, folder_of

if TYPE_CHECKING:
    from wallsim.analysis.precision import Precision
    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.tournament import TournamentRun

_KEYS = ("players", "setup", "edition", "expansions", "seed", "tower", "board", "rules")  # of an experiment


@app.command()
@grouped
def tournament(
    policies: Annotated[
        str,
        typer.Argument(
            metavar="POLICY,POLICY,...|FOLDER",
            help="Policies, see `wallsim policies`; or the folder of a finished tournament, to show it again.",
        ),
    ],
    experiment: Annotated[
        Folder | None,
        typer.Option(
            metavar="FILE.toml|FOLDER",
            parser=folder_of,
            help="An experiment file, or a folder of a run or scenarios, instead of the options below but --seed; its "
            "policies, games and tables are not used.",
        ),
    ] = None,
    scenario: Annotated[
        str | None, typer.Option(metavar="NAME", help="The scenario of --experiment, where it has several.")
    ] = None,
    keys: dict[str, Any] = experiment_options(*_KEYS),
    blocks: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Number of blocks; in a block every table plays all rotations of its policies.  [default: 1200]",
        ),
    ] = None,
    until: Until = None,
    playing: Playing = PLAYING,
    check_policies: CheckPolicies = False,
    out: OutFolder = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Rate policies by games against each other. The design is balanced; the command draws the ladder.

    Each policy has every seat and every line-up equally often, and all games of a block have the same cards and random
    events. The same command resumes an interrupted tournament and shows a finished one again; with more --blocks,
    blocks are added. Intervals are valid for a number of blocks fixed beforehand, not if blocks are added until the
    ladder looks decided; looks.json in the folder records every interim analysis. With --until, as many
    blocks are played as an interval of all policies needs, at most --blocks. The folder gets the games
    in `results`, and ratings.json, ratings.parquet, ladder.png and payoffs.png.
    """
    precision = precision_of(until)
    if not policies.strip():
        raise InputError(
            "policies: is empty; give two or more policies, separated by commas, or the folder of a tournament"
        )
    shown = _folder(policies)
    if shown is not None:
        named = {
            **keys, **vars(playing), "experiment": experiment, "scenario": scenario, "blocks": blocks, "until": until,
            "check_policies": check_policies or None, "out": out,
        }  # fmt: skip
        conflicts = ", ".join(name for name, value in named.items() if value is not None)
        if conflicts:
            raise InputError(f"{conflicts}: cannot be combined with the folder {shown}, which determines it")
        from wallsim.folder.tournament import TournamentRun

        finished = TournamentRun.open(shown)
    else:
        from wallsim.play.flags import table_of

        table = table_of(experiment, scenario, keys)
        finished = _play(policies, table, blocks, precision, playing, out, check_policies, quiet)
    from wallsim.analysis.tournament.results import judge
    from wallsim.folder.interim_analyses import looks_of
    from wallsim.folder.lock import ReadOnlyError
    from wallsim.report.figures.style import PictureError
    from wallsim.report.pages.tournament_files import findings_json, write_findings
    from wallsim.report.tables.tournament import print_tournament

    findings = judge(finished)
    for error in finished.changed_files():
        echo(escaped_line(f"{finished.folder}: {error}; written again"), err=True)
    try:
        looks, failed = finished.note_look(), None
        written = write_findings(finished, findings)
    except PictureError as error:  # the ladder is shown first
        failed, written = error, []
    except ReadOnlyError as error:
        echo(escaped_line(f"{error}; the ladder is shown, and nothing is written"), err=True)
        looks = tuple(sorted({*looks_of(finished.folder, finished.hash), finished.manifest["blocks"]}))
        written = []
    headline = None
    if precision is not None:
        from wallsim.analysis.precision import headline_of_tournament
        from wallsim.report.tables.precision import headline_document

        headline = headline_of_tournament(finished, precision)
        print_precision(headline, as_json, [finished])
    if as_json:
        more = None if headline is None else {"until": headline_document(headline)}
        write_output(findings_json(finished, findings, more) + "\n", None)
    else:
        print_tournament(screen(), finished, findings, looks, written)
    if failed is not None:
        raise failed


def _play(
    policies: str,
    table: Experiment,
    blocks: str | None,
    precision: Precision | None,
    playing: Playing,
    out: Folder | None,
    check: bool,
    quiet: bool,
) -> TournamentRun:
    from wallsim.experiment.identity import identity_hash
    from wallsim.folder.tournament_design import MAX_GAMES
    from wallsim.play.tournament.play import play_tournament
    from wallsim.play.tournament.tournament import DEFAULT_BLOCKS, Tournament
    from wallsim.policies.catalogue import refuse_former_name

    count = DEFAULT_BLOCKS if blocks is None else whole_number("--blocks", blocks, 1, MAX_GAMES)
    threads = playing.threads
    names = [name.strip() for name in policies.split(",")]
    refuse_former_name(names)
    warn_of_lineups(table)
    tournament = Tournament(names, table, count)
    folder = out or Path("results") / f"tournament-{identity_hash(tournament.identity())[:8]}"
    with stoppable(folder, "games", playing.dask, playing.check_workers):
        observer = observer_of(quiet)
        if precision is not None:
            from wallsim.analysis.precision import headline_of_tournament
            from wallsim.play.extending import grow_tournament

            return grow_tournament(
                tournament, folder, lambda result: headline_of_tournament(result, precision).look(), workers=threads,
                observer=observer, check_policies=check,
            )  # fmt: skip
        return play_tournament(tournament, folder, workers=threads, observer=observer, check_policies=check)


def _folder(text: str) -> Folder | None:
    # The path of an existing folder, or an address; any other text is a list of policies.
    result = folder_of(text)
    try:
        return result if isinstance(result, Url) or result.is_dir() else None
    except (OSError, ValueError):
        return None
