"""Commands about games and runs: play, trace, summarise, verify, explain the columns."""

from __future__ import annotations

import io
import signal
from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import (
    BoardFolder,
    CheckPolicies,
    Edition,
    Expansions,
    File,
    Games,
    Lineups,
    Players,
    Policies,
    RunFolder,
    Seed,
    Setup,
    Switches,
    Tower,
)
from wallsim.cli.output import FAILED, INTERRUPTED, TERMINATED, Terminated, hand_out, refuse, terminate, whole_number


@app.command()
def run(
    file: File = None,
    players: Players = None,
    setup: Setup = None,
    lineups: Lineups = None,
    edition: Edition = None,
    expansions: Expansions = None,
    policies: Policies = None,
    games: Games = None,
    seed: Seed = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
    seasons: Annotated[
        bool | None, typer.Option("--seasons", help="Also write one row per game, season and seat.")
    ] = None,
    battles: Annotated[bool | None, typer.Option("--battles", help="Also write one row per battle.")] = None,
    counties: Annotated[
        bool | None, typer.Option("--counties", help="Also write one row per game, seat and county that it ever held.")
    ] = None,
    workers: Annotated[
        str | None,
        typer.Option(metavar="N", help="Threads; they never change a result.  [default: every core]"),
    ] = None,
    check_policies: CheckPolicies = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Run folder.  [default: one under results/]")] = None,
) -> None:
    """Play many games into a folder, or go on with it.

    An interrupted run resumes with the same command; a finished one only prints its summary again.

    What is played comes from EXPERIMENT.toml or from flags, not from both: only --games, --seed, --workers
    and --out may go with a file, and then replace what it says.
    """
    from wallsim.runs.flags import experiment_of

    experiment = experiment_of(
        file,
        {"players": players, "setup": setup, "lineups": lineups, "edition": edition, "expansions": expansions,
         "policies": policies, "games": games, "seed": seed, "tower": tower, "board": board, "rules": switch,
         "seasons": seasons, "battles": battles, "counties": counties},
    )  # fmt: skip
    from wallsim.analysis.games.summary import summarise
    from wallsim.report.progress import watch_on
    from wallsim.report.tables.console import make_console, print_summary
    from wallsim.runs.play import MAX_WORKERS, default_workers, play_run

    threads = default_workers() if workers is None else whole_number("--workers", workers, 1, MAX_WORKERS)
    folder = out or Path("results") / f"{(experiment.name or 'run').replace(' ', '_')}-{experiment.hash()[:8]}"
    signal.signal(signal.SIGTERM, terminate)
    try:
        watch = watch_on(make_console(to_stderr=True))
        finished = play_run(experiment, folder, workers=threads, watch=watch, check_policies=check_policies)
    except KeyboardInterrupt as stop:
        typer.echo(f"Stopped. What was finished is kept in {folder}; the same command resumes.", err=True)
        raise typer.Exit(TERMINATED if isinstance(stop, Terminated) else INTERRUPTED) from None
    print_summary(make_console(), finished, summarise(finished))


@app.command()
def trace(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="EXPERIMENT.toml|FOLDER", help="An experiment file or a run folder, instead of flags."),
    ] = None,
    game: Annotated[str, typer.Option(metavar="N", help="Number of the game within the run, from 0.")] = "0",
    text: Annotated[bool, typer.Option("--text", help="Tell the game in sentences instead of JSON Lines.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write.  [default: standard output]")
    ] = None,
    players: Players = None,
    setup: Setup = None,
    lineups: Lineups = None,
    edition: Edition = None,
    expansions: Expansions = None,
    policies: Policies = None,
    seed: Seed = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
) -> None:
    """Tell all that happens in one game of a run."""
    from wallsim.runs.flags import experiment_of, number, short

    experiment = experiment_of(
        file,
        {"players": players, "setup": setup, "lineups": lineups, "edition": edition, "expansions": expansions,
         "policies": policies, "seed": seed, "tower": tower, "board": board, "rules": switch},
    )  # fmt: skip
    from wallsim.engine.illegal_answer import IllegalAnswerError
    from wallsim.runs.experiment import MAX_GAMES
    from wallsim.trace.json_lines import Match, trace_lines, write_trace
    from wallsim.trace.story.game import story

    wanted, last = number(game), (experiment.games if file is not None else MAX_GAMES) - 1
    if not isinstance(wanted, int) or not 0 <= wanted <= last:
        refuse(f"--game: {short(game)} is not a whole number from 0 to {last}")
    parts = experiment.components()
    try:
        log = parts.arena(experiment.seed, checked=True).trace(wanted)
    except IllegalAnswerError as error:
        raise parts.illegal_answer(error) from None
    match = Match(parts.board, parts.ruleset, parts.tower, experiment.seed, parts.names(), wanted)
    stream = io.StringIO()
    if text:
        stream.writelines(f"{line}\n" for line in story(match, trace_lines(match, log)))
    else:
        write_trace(stream, match, log)
    hand_out(stream.getvalue(), out)


@app.command()
def summary(folder: RunFolder) -> None:
    """Print again what a finished run found."""
    from wallsim.analysis.games.summary import summarise
    from wallsim.report.tables.console import make_console, print_summary
    from wallsim.runs.folder.results import open_run

    finished = open_run(folder)
    print_summary(make_console(), finished, summarise(finished))


@app.command()
def verify(folder: RunFolder) -> None:
    """Check that no byte of a run or a tournament has changed."""
    from wallsim.runs.folder import results
    from wallsim.runs.tournament.folder import is_tournament, verify_tournament

    faults = (verify_tournament if is_tournament(folder) else results.verify)(folder)
    if faults:
        typer.echo("\n".join(f"{folder}: {fault}" for fault in faults), err=True)
        raise typer.Exit(FAILED)
    typer.echo(f"{folder}: every file is as it was written.")


@app.command()
def codebook(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="A run folder, to print its own.  [default: none]")
    ] = None,
    expansions: Expansions = None,
) -> None:
    """Print every table and column with its meaning, with the columns of the expansions named."""
    from wallsim.runs.flags import experiment_of
    from wallsim.runs.folder.codebook import codebook_text
    from wallsim.runs.folder.results import run_codebook
    from wallsim.runs.folder.schema import vocabulary

    if folder is not None and expansions is not None:
        refuse(f"--expansions: not together with {folder}, which says it")
    if folder is not None:
        typer.echo(run_codebook(folder))
    else:
        typer.echo(codebook_text(vocabulary(experiment_of(None, {"expansions": expansions}).components())))
