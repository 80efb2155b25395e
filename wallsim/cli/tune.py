"""The command that tunes a policy's weights in self-play."""

from __future__ import annotations

import re
import shlex
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.options import BoardFolder, Edition, Expansions, Players, Setup, Switches, Tower
from wallsim.cli.output import INTERRUPTED, TERMINATED, Terminated, refuse, terminate, whole_number

if TYPE_CHECKING:
    from wallsim.policies.catalogue import Policy

_NOT_TOLD = ("out", "workers")  # options that change nothing in the result
_MOST_GENERATIONS, _MOST_GAMES, _MOST_POPULATION = 100_000, 10_000_000, 1000
_NAME = r"[\w.+-]{1,80}"


@app.command()
def tune(
    context: typer.Context,
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="Where to start: a name, or a policy file.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the result and all that leads there.")],
    players: Players = None,
    generations: Annotated[
        str, typer.Option(metavar="N", help="Generations in all; more than a folder has, and it goes on.")
    ] = "100",
    games: Annotated[str, typer.Option(metavar="N", help="Games a candidate and generation.")] = "4000",
    population: Annotated[str, typer.Option(metavar="N", help="Candidates a generation.")] = "24",
    seed: Annotated[str, typer.Option(metavar="N", help="Decides all chance, of games and of the search.")] = "1",
    setup: Setup = None,
    edition: Edition = None,
    expansions: Expansions = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
    weights: Annotated[
        str, typer.Option(metavar="NAME[,NAME...]|all", help="Weights to tune; all: those that matter in these games.")
    ] = "all",
    hold: Annotated[
        str | None, typer.Option(metavar="NAME[,NAME...]", help="Weights to leave as they are.  [default: none]")
    ] = None,
    pool: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME...]", help="Further opponents from the start on.  [default: none]"),
    ] = None,
    step: Annotated[
        str, typer.Option(metavar="X", help="First step: standard deviation by the size of a weight.")
    ] = "0.15",
    lead_weight: Annotated[
        str, typer.Option(metavar="X", help="Score for each VP ahead of the best opponent, beside the share of wins.")
    ] = "0.02",
    held_out: Annotated[
        str, typer.Option(metavar="N", help="Held-out games against each opponent at the end; a fourth at checks.")
    ] = "24000",
    check_every: Annotated[str, typer.Option(metavar="N", help="Generations between two checks.")] = "10",
    workers: Annotated[
        str | None, typer.Option(metavar="N", help="Threads; they never change a result.  [default: every core]")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of the policy file.  [default: POLICY_tuned]")
    ] = None,
) -> None:
    """Search for better weights of a policy in self-play, by CMA-ES, and write them as a policy file.

    Candidates sit in one seat, from every seat in turn, against a pool that begins with POLICY and grows by past
    versions of the mean. Held-out games, which the search never sees, tell what the result is worth.

    The same command on the same folder resumes; a finished one is only shown; more --generations go on.
    """
    from wallsim.runs.flags import experiment_of

    experiment = experiment_of(
        None,
        {"players": players, "setup": setup, "edition": edition, "expansions": expansions, "tower": tower,
         "board": board, "rules": switch},
    )  # fmt: skip
    from wallsim.analysis.tuning import opponents_for
    from wallsim.report.console import make_console
    from wallsim.report.tuning import tune_into
    from wallsim.runs.experiment import MOST_SEED
    from wallsim.runs.play import MOST_WORKERS, default_workers
    from wallsim.runs.tuning.belonging import tuned_weights
    from wallsim.runs.tuning.settings import Settings

    start = _policy("POLICY", policy)
    further = tuple(_policy("--pool", word) for word in _listed(pool))
    settings = Settings(
        experiment=experiment,
        start=start,
        weights=tuned_weights(start, experiment.ruleset(), _listed(weights), _listed(hold)),
        pool=further,
        references=opponents_for(start, further),
        games=whole_number("--games", games, 1, _MOST_GAMES),
        population=whole_number("--population", population, 2, _MOST_POPULATION),
        seed=whole_number("--seed", seed, 0, MOST_SEED),
        step=_positive("--step", step, 0.001, 2.0),
        lead_weight=_positive("--lead-weight", lead_weight, 0.0, 1.0),
        held_out=whole_number("--held-out", held_out, 1, _MOST_GAMES),
        check_every=whole_number("--check-every", check_every, 1, _MOST_GENERATIONS),
    )
    wanted = whole_number("--generations", generations, 1, _MOST_GENERATIONS)
    threads = default_workers() if workers is None else whole_number("--workers", workers, 1, MOST_WORKERS)
    title = f"{start.name}_tuned" if name is None else name
    if not re.fullmatch(_NAME, title):
        refuse(f'--name: "{title[:100]}" is not 1 to 80 letters, digits or _ . + -')
    signal.signal(signal.SIGTERM, terminate)
    try:
        tune_into(
            out, settings, wanted, name=title, workers=threads, command=_command(context.params),
            console=make_console(), screen=make_console(to_stderr=True),
        )  # fmt: skip
    except KeyboardInterrupt as stop:
        typer.echo(f"Stopped. Every finished generation is kept in {out}; the same command resumes.", err=True)
        raise typer.Exit(TERMINATED if isinstance(stop, Terminated) else INTERRUPTED) from None


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def _policy(flag: str, text: str) -> Policy:
    from wallsim.policies.catalogue import PolicyError, load_policy, read_policy

    try:
        return read_policy(Path(text)) if text.endswith(".toml") else load_policy(text)
    except PolicyError as error:
        refuse(f"{flag}: {str(error).removeprefix('policies: ')}")


def _positive(flag: str, text: str, least: float, most: float) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not least <= found <= most:
        refuse(f'{flag}: "{text[:100]}" is not a number from {least:g} to {most:g}')
    return found


def _command(given: dict[str, Any]) -> str:
    # As it can be typed again, without the folder; options that were left out stand with their defaults.
    words = ["wallsim", "tune", str(given["policy"])]
    for name, value in given.items():
        if name == "policy" or name in _NOT_TOLD or value is None:
            continue
        for part in value if isinstance(value, list | tuple) else [value]:
            words += [f"--{name.replace('_', '-')}", str(part)]
    return shlex.join(words)
