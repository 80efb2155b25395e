"""Commands for games and runs: play, trace, summarise, verify, and explain the columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import (
    AsJson,
    BoardFolder,
    CheckPolicies,
    Edition,
    Expansions,
    File,
    Games,
    Interventions,
    Lineups,
    Players,
    Plot,
    Policies,
    RunFolder,
    Seed,
    Setup,
    Switches,
    Tower,
    Until,
    Workers,
)
from wallsim.cli.output import FAILED, print_document, refuse, workers_of, write_output
from wallsim.cli.showing import show_forecast, show_run, show_scenarios
from wallsim.cli.stopping import stoppable
from wallsim.cli.streams import echo
from wallsim.cli.until import play_until, precision_of

if TYPE_CHECKING:
    from wallsim.runs.experiment import Experiment
    from wallsim.runs.folder.results import Run
    from wallsim.runs.folder.schema import Vocabulary
    from wallsim.runs.scenarios.folder import Scenarios


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
    intervene: Interventions = None,
    seasons: Annotated[
        bool | None,
        typer.Option("--seasons", help="Also write the table `seasons`: one row per game, season and seat."),
    ] = None,
    battles: Annotated[
        bool | None, typer.Option("--battles", help="Also write the table `battles`: one row per battle.")
    ] = None,
    counties: Annotated[
        bool | None,
        typer.Option(
            "--counties", help="Also write the table `counties`: one row per game, seat and county ever held."
        ),
    ] = None,
    until: Until = None,
    workers: Workers = None,
    check_policies: CheckPolicies = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Run folder.  [default: a new one under results/]")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only show what would be played, and about the time and disk it needs."),
    ] = False,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Play many games into a folder, or resume an interrupted run.

    The same command resumes an interrupted run; for a finished run it only prints the summary again.

    The experiment comes from EXPERIMENT.toml or from options, not from both. Only --games, --seed, --workers and --out
    can be combined with a file; they override its values. `wallsim init` writes such a file. The scenarios of a file
    are played one after the other, each into a folder scenario=NAME. With --until, as many games are played as an
    interval needs, at most --games; the same command goes on where it stopped.
    """
    from wallsim.runs.flags import experiments_of

    refuse_pictures(plot)
    precision = precision_of(until)
    experiment = experiments_of(
        file,
        {"players": players, "setup": setup, "lineups": lineups, "edition": edition, "expansions": expansions,
         "policies": policies, "games": games, "seed": seed, "tower": tower, "board": board, "rules": switch,
         "interventions": intervene, "seasons": seasons, "battles": battles, "counties": counties},
    )  # fmt: skip
    threads = workers_of(workers)
    from wallsim.runs.experiment import Experiment

    scenarios = None if isinstance(experiment, Experiment) else experiment
    kind = "scenarios" if scenarios else "run"
    digest = experiment.hash(open_ended=precision is not None)
    folder = out or Path("results") / f"{(experiment.name or kind).replace(' ', '_')}-{digest[:8]}"
    if plot is not None and (dry_run or scenarios):
        other = "--dry-run" if dry_run else f"the scenarios of {file}; `wallsim summary` draws one of them"
        refuse(f"--plot: cannot be combined with {other}")
    from wallsim.report.progress import console_observer
    from wallsim.report.tables.console import make_console

    observer = console_observer(make_console(to_stderr=True))
    if dry_run:
        show_forecast(experiment, threads, folder, observer, as_json)
        return
    if precision is not None:
        play_until(experiment, folder, precision, threads, observer, check_policies, plot, as_json)
        return
    with stoppable(folder, "games"):
        if isinstance(experiment, Experiment):
            from wallsim.runs.play import play_run

            finished: Run | Scenarios = play_run(
                experiment, folder, workers=threads, observer=observer, check_policies=check_policies
            )
        else:
            from wallsim.runs.scenarios.play import play_scenarios

            finished = play_scenarios(
                experiment, folder, workers=threads, observer=observer, check_policies=check_policies
            )
    _show(finished, plot, as_json)


@app.command()
def trace(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="EXPERIMENT.toml|FOLDER", help="An experiment file or a run folder, instead of options."
        ),
    ] = None,
    game: Annotated[str, typer.Option(metavar="N", help="Number of the game in the run, starting at 0.")] = "0",
    text: Annotated[bool, typer.Option("--text", help="Print sentences instead of JSON Lines.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Output file.  [default: standard output]")] = None,
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
    intervene: Interventions = None,
) -> None:
    """Print everything that happens in one game of a run."""
    from wallsim.runs.flags import experiment_of, number, short

    experiment = experiment_of(
        file,
        {"players": players, "setup": setup, "lineups": lineups, "edition": edition, "expansions": expansions,
         "policies": policies, "seed": seed, "tower": tower, "board": board, "rules": switch,
         "interventions": intervene},
    )  # fmt: skip
    from wallsim.runs.experiment import MAX_GAMES

    chosen, last = number(game), (experiment.games if file is not None else MAX_GAMES) - 1
    if not isinstance(chosen, int) or not 0 <= chosen <= last:
        refuse(f"--game: {short(game)} is not a whole number from 0 to {last}")
    from wallsim.api.trace import record_game
    from wallsim.trace.json_lines import json_line

    events = record_game(experiment, chosen)
    write_output(f"{events.story()}\n" if text else "".join(map(json_line, events)), out)


@app.command()
def summary(folder: RunFolder, plot: Plot = None, as_json: AsJson = False) -> None:
    """Print again what a finished run found, or each of several scenarios."""
    from wallsim.runs.folder.results import open_run
    from wallsim.runs.scenarios.folder import Scenarios, holds_scenarios

    refuse_pictures(plot)
    if not holds_scenarios(folder):
        _show(open_run(folder), plot, as_json)
        return
    if plot is not None:
        refuse(f"--plot: {folder} holds scenarios; name the folder of one, {folder}/scenario=NAME")
    _show(Scenarios.open(folder), plot, as_json)


def _show(finished: Run | Scenarios, plot: Path | None, as_json: bool) -> None:
    from wallsim.runs.folder.results import Run

    if isinstance(finished, Run):
        show_run(finished, plot, as_json)
    else:
        show_scenarios(finished, as_json)


def refuse_pictures(plot: Path | None) -> None:
    """End the command before its work if no picture could be written: by the file's name, and by its folder."""
    if plot is not None:
        from wallsim.report.figures.endings import picture_format

        picture_format(plot)
        if not plot.parent.is_dir() or plot.is_dir():
            refuse(f"--plot: {plot} cannot be written: {'it is a' if plot.is_dir() else 'there is no such'} folder")


@app.command()
def verify(folder: RunFolder, as_json: AsJson = False) -> None:
    """Check that no file of a run, a tournament or of scenarios is missing or changed."""
    from wallsim.runs.results import verify_results
    from wallsim.runs.scenarios.folder import holds_scenarios

    faults = verify_results(folder)
    if as_json:
        print_document({"folder": str(folder), "unchanged": not faults, "faults": faults})
    elif faults:
        echo("\n".join(f"{folder}: {fault}" for fault in faults), err=True)
    else:
        held = " of its scenarios" if holds_scenarios(folder) else ""
        echo(f"{folder}: no file{held} is missing or changed.")
    if faults:
        raise typer.Exit(FAILED)


@app.command()
def codebook(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="Print the codebook of this run folder.  [default: none]")
    ] = None,
    expansions: Expansions = None,
    as_json: AsJson = False,
) -> None:
    """Print the tables and columns with their meaning, including the columns of the given expansions."""
    from wallsim.runs.flags import experiment_of
    from wallsim.runs.folder.codebook import codebook_rows, codebook_text
    from wallsim.runs.folder.results import run_codebook, run_experiment
    from wallsim.runs.folder.schema import TABLES, tables_of, vocabulary

    if folder is not None and expansions is not None:
        refuse(f"--expansions: cannot be combined with {folder}, which determines them")
    if as_json:
        from wallsim.report.documents import codebook_document

        experiment = experiment_of(None, {"expansions": expansions}) if folder is None else run_experiment(folder)
        tables = TABLES if folder is None else tables_of(experiment)
        words = _words(experiment) if folder is None else vocabulary(experiment.components())
        print_document(codebook_document(tables, lambda table: codebook_rows(table, words)))
    elif folder is not None:
        echo(run_codebook(folder))
    else:
        echo(codebook_text(_words(experiment_of(None, {"expansions": expansions}))))


def _words(experiment: Experiment) -> Vocabulary:
    # Without the arrays of a whole board, which take longer to make than the codebook.
    from wallsim.rules.board_names import read_board_names
    from wallsim.runs.folder.schema import make_vocabulary

    return make_vocabulary(read_board_names(), experiment.ruleset(), experiment.policies)
