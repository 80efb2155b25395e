"""The command line: reads words, calls the package, prints. Heavy imports wait until a command needs them.

Exit status: 0 done, 1 a run failed or is damaged, 2 bad input, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

BAD_INPUT, FAILED, INTERRUPTED, TERMINATED = 2, 1, 130, 143


class Terminated(KeyboardInterrupt):
    """SIGTERM, treated as Ctrl-C."""


class PlainFaults(TyperGroup):
    """Turns the package's own errors into messages on stderr and an exit status, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            status = _status(error)
            if status is None:
                raise
            typer.echo(str(error), err=True)
            raise typer.Exit(status) from None


app = typer.Typer(
    cls=PlainFaults, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None, help="A Monte Carlo laboratory for the board game Wallenstein.",
)  # fmt: skip
board_app = typer.Typer(help="Boards of your own.", no_args_is_help=True)
app.add_typer(board_app, name="board")

File = Annotated[Path | None, typer.Argument(metavar="EXPERIMENT.toml", help="An experiment file, instead of flags.")]
Players = Annotated[str | None, typer.Option(metavar="N", help="3, 4 or 5 players.  [default: 4]")]
Setup = Annotated[
    str | None, typer.Option(metavar="lineup|draft", help="Printed line-ups, or a draft.  [default: lineup]")
]
Lineups = Annotated[
    str | None, typer.Option(metavar="A,B,...", help="Line-up of each seat.  [default: A,B,C,... by seat]")
]
Edition = Annotated[str | None, typer.Option(metavar="2e|1e", help="Second or first edition.  [default: 2e]")]
Expansions = Annotated[
    str | None,
    typer.Option(metavar="NAME[,NAME...]|all", help="Some of court, landsknechte, leaders.  [default: none]"),
]
Policies = Annotated[
    str | None,
    typer.Option(metavar="NAME[,NAME...]", help="One for all seats, or one a seat; see `wallsim policies`."),
]
Games = Annotated[str | None, typer.Option(metavar="N", help="Games to play.  [default: 10000]")]
Seed = Annotated[
    str | None,
    typer.Option(metavar="N", help="Seed; with the game's number it decides all chance.  [default: 1]"),
]
Tower = Annotated[str | None, typer.Option(metavar="NAME|FILE.toml", help="The dice tower; see `wallsim towers`.")]
BoardFolder = Annotated[
    Path | None, typer.Option("--board", metavar="DIR", help="A board of your own instead of the game's.")
]
Switches = Annotated[
    list[str] | None,
    typer.Option("--switch", metavar="NAME=VALUE", help="A switch of the rules, repeatable; see `wallsim rules`."),
]
RunFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="A run folder.")]


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
    seasons: Annotated[bool | None, typer.Option("--seasons", help="Also write a row a game, season and seat.")] = None,
    battles: Annotated[bool | None, typer.Option("--battles", help="Also write a row a battle.")] = None,
    workers: Annotated[
        str | None,
        typer.Option(metavar="N", help="Threads; they never change a result.  [default: every core]"),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Run folder.  [default: one under results/]")] = None,
) -> None:
    """Play many games into a folder, or go on with it.

    An interrupted run resumes with the same command; a finished one only prints its summary again.

    What is played comes from EXPERIMENT.toml or from flags, not from both: only --games, --seed, --workers
    and --out may go with a file, and then replace what it says.
    """
    from wallsim.runs.flags import experiment_of, number, short

    experiment = experiment_of(
        file,
        {"players": players, "setup": setup, "lineups": lineups, "edition": edition, "expansions": expansions,
         "policies": policies, "games": games, "seed": seed, "tower": tower, "board": board, "rules": switch,
         "seasons": seasons, "battles": battles},
    )  # fmt: skip
    from wallsim.analysis.summary import summarise
    from wallsim.report.console import make_console, print_summary
    from wallsim.report.progress import watch_on
    from wallsim.runs.play import MOST_WORKERS, default_workers, play_run

    threads = number(workers) if workers is not None else default_workers()
    if not isinstance(threads, int) or not 1 <= threads <= MOST_WORKERS:
        _refuse(f'--workers: "{short(workers or "")}" is not a whole number from 1 to {MOST_WORKERS}')
    folder = out or Path("results") / f"{(experiment.name or 'run').replace(' ', '_')}-{experiment.hash()[:8]}"
    signal.signal(signal.SIGTERM, _terminate)
    try:
        finished = play_run(experiment, folder, workers=threads, watch=watch_on(make_console(to_stderr=True)))
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
    from wallsim.runs.experiment import MOST_GAMES
    from wallsim.runs.story.game import story
    from wallsim.runs.trace import Match, trace_lines, write_trace

    wanted, last = number(game), (experiment.games if file is not None else MOST_GAMES) - 1
    if not isinstance(wanted, int) or not 0 <= wanted <= last:
        _refuse(f"--game: {short(game)} is not a whole number from 0 to {last}")
    parts = experiment.parts()
    log = parts.arena(experiment.seed).trace(wanted)
    match = Match(parts.board, parts.ruleset, parts.tower, experiment.seed, experiment.policies, wanted)
    stream = io.StringIO()
    if text:
        stream.writelines(f"{line}\n" for line in story(match, trace_lines(match, log)))
    else:
        write_trace(stream, match, log)
    _hand_out(stream.getvalue(), out)


@app.command()
def summary(folder: RunFolder) -> None:
    """Print again what a finished run found."""
    from wallsim.analysis.summary import summarise
    from wallsim.report.console import make_console, print_summary
    from wallsim.runs.results import open_run

    finished = open_run(folder)
    print_summary(make_console(), finished, summarise(finished))


@app.command()
def verify(folder: RunFolder) -> None:
    """Check that no byte of a run has changed."""
    from wallsim.runs import results

    faults = results.verify(folder)
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
    from wallsim.runs.codebook import codebook_text
    from wallsim.runs.flags import experiment_of
    from wallsim.runs.results import run_codebook
    from wallsim.runs.schema import vocabulary

    if folder is not None and expansions is not None:
        _refuse(f"--expansions: not together with {folder}, which says it")
    if folder is not None:
        typer.echo(run_codebook(folder))
    else:
        typer.echo(codebook_text(vocabulary(experiment_of(None, {"expansions": expansions}).parts())))


@app.command()
def rules() -> None:
    """List what can be chosen of the rules: players, set-up, edition, expansions, and switches.

    A switch stands for a point on which the rulebooks are silent or differ; the ledger's choice is the default.
    """
    from wallsim.report.catalogues import RULES_FOOT, rule_rows

    _table(("mark", "rules", "name", "default", "else", "meaning"), rule_rows())
    typer.echo(RULES_FOOT)


@app.command()
def policies() -> None:
    """List the policies that can sit at the table."""
    from wallsim.report.catalogues import policy_rows

    _table(("policy", "kind", "weights", "description"), policy_rows())


@app.command()
def towers() -> None:
    """List the presets of the dice tower.

    `through` is the chance that a dropped cube falls through, `loose` that a cube inside is knocked loose.
    """
    from wallsim.report.catalogues import tower_rows

    _table(("tower", "model", "through", "loose", "source"), tower_rows())


@board_app.command("check")
def check_board_folder(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A board folder.")],
) -> None:
    """Name every fault of a board folder by file, line and column."""
    from wallsim.rules.board import check_board

    faults = check_board(folder)
    if faults:
        count = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}"
        _refuse("\n".join([f"{folder}: {count}", *map(str, faults)]))
    typer.echo(f"{folder}: no faults; it can be played with --board {folder}")


@app.command()
def bench(
    policies: Annotated[str, typer.Option(help="Policies to measure, separated by commas.")] = "random,balanced",
    samples: Annotated[int, typer.Option(min=3, max=99, help="Samples a policy; the median is shown.")] = 9,
    runs: Annotated[bool, typer.Option("--runs", help="Also time start-up and whole runs (minutes).")] = False,
) -> None:
    """Measure how fast this machine plays, in CPU time and against 10^9 xoshiro draws."""
    from rich.console import Console

    from wallsim.policies.catalogue import PolicyError, load_policy
    from wallsim.report.speeds import print_bench

    names = policies.split(",")
    try:
        for name in names:
            load_policy(name)
    except PolicyError as error:
        _refuse(str(error))
    print_bench(Console(), names, samples, runs)


def _show_version(wanted: bool) -> None:
    if wanted:
        from wallsim.engine.version import ENGINE_VERSION
        from wallsim.runs.manifest import package_version

        typer.echo(f"wallsim {package_version('wallsim')}, engine version {ENGINE_VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the versions and leave."),
    ] = False,
) -> None:
    """A Monte Carlo laboratory for the board game Wallenstein."""


def main() -> None:
    """The command `wallsim`."""
    app(prog_name="wallsim")


def _hand_out(text: str, out: Path | None) -> None:
    # A file is there whole or not at all; a device or a pipe is written as it is, never replaced.
    try:
        if out is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        elif out.exists() and not out.is_file():
            out.write_text(text, encoding="utf-8")
        else:
            from wallsim.runs.commit import write_whole

            write_whole(Path(os.path.realpath(out)), text.encode())
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        if out is None:  # else the interpreter tries once more when it ends, and complains
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _refuse(f"--out: {out or 'standard output'} cannot be written: {error.strerror}")


def _table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    from wallsim.report.console import make_console, print_table

    print_table(make_console(), headings, rows)


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(BAD_INPUT)


def _status(error: Exception) -> int | None:
    # The modules of errors are cheap, but only a command that failed has need of them.
    from wallsim.runs.errors import InputError, RunError

    if isinstance(error, InputError) or (isinstance(error, OSError) and error.errno != errno.EPIPE):
        return BAD_INPUT
    return FAILED if isinstance(error, RunError) else None


def _terminate(*_: object) -> NoReturn:
    raise Terminated
