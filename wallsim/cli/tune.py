"""The command that tunes a policy's weights in self-play."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.options import AsJson, BoardFolder, Edition, Expansions, Players, Setup, Switches, Tower, Workers
from wallsim.cli.output import print_document, refuse, whole_number, workers_of
from wallsim.cli.stopping import stoppable

if TYPE_CHECKING:
    from wallsim.policies.catalogue import Policy
    from wallsim.runs.tuning.settings import Settings

_OPTIONS_WITHOUT_EFFECT = ("out", "workers", "as_json")  # options that do not affect the result
_MAX_GENERATIONS, _MAX_GAMES, _MAX_POPULATION = 100_000, 10_000_000, 1000
_NAME = r"[\w.+-]{1,80}"


@app.command()
def tune(
    context: typer.Context,
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="The starting policy: a name or a policy file.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the journal and the result.")],
    players: Players = None,
    generations: Annotated[
        str, typer.Option(metavar="N", help="Total number of generations; a larger number continues a finished tuning.")
    ] = "100",
    games: Annotated[str, typer.Option(metavar="N", help="Games per candidate and generation.")] = "2000",
    population: Annotated[str, typer.Option(metavar="N", help="Candidates per generation.")] = "24",
    seed: Annotated[str, typer.Option(metavar="N", help="Seed of the games and of the search.")] = "1",
    setup: Setup = None,
    edition: Edition = None,
    expansions: Expansions = None,
    tower: Tower = None,
    board: BoardFolder = None,
    switch: Switches = None,
    weights: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME...]|all", help="Weights to tune; all: every weight with an effect in these games."
        ),
    ] = "all",
    hold: Annotated[
        str | None, typer.Option(metavar="NAME[,NAME...]", help="Weights to leave unchanged.  [default: none]")
    ] = None,
    pool: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME...]", help="Further initial opponents.  [default: none]"),
    ] = None,
    step: Annotated[
        str, typer.Option(metavar="X", help="Initial step: standard deviation in units of a weight's size.")
    ] = "0.15",
    lead_weight: Annotated[
        str, typer.Option(metavar="X", help="Score per VP ahead of the best opponent, added to the share of wins.")
    ] = "0.02",
    held_out: Annotated[
        str,
        typer.Option(metavar="N", help="Held-out games against each opponent at the end; a quarter of them in checks."),
    ] = "24000",
    check_every: Annotated[str, typer.Option(metavar="N", help="Number of generations between checks.")] = "10",
    workers: Workers = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the tuned policy and its file.  [default: POLICY_tuned]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search for better weights of a policy in self-play, by CMA-ES, and write them as a policy file.

    Candidates play in one seat, every seat in turn, against a pool that starts with POLICY and grows by past versions
    of the mean. Held-out games, which the search does not use, evaluate the result.

    The same command with the same folder resumes an interrupted tuning and shows a finished one again; more
    --generations continue it.
    """
    from wallsim.runs.flags import experiment_of

    experiment = experiment_of(
        None,
        {"players": players, "setup": setup, "edition": edition, "expansions": expansions, "tower": tower,
         "board": board, "rules": switch},
    )  # fmt: skip
    from wallsim.runs.experiment import MAX_SEED
    from wallsim.runs.tuning.held_out import opponents_for
    from wallsim.runs.tuning.relevant_weights import tuned_weights
    from wallsim.runs.tuning.settings import Settings

    start = _policy("POLICY", policy)
    further = tuple(_policy("--pool", word) for word in _listed(pool))
    settings = Settings(
        experiment=experiment,
        start=start,
        weights=tuned_weights(start, experiment.ruleset(), _listed(weights), _listed(hold)),
        pool=further,
        references=opponents_for(start, further),
        games=whole_number("--games", games, 1, _MAX_GAMES),
        population=whole_number("--population", population, 2, _MAX_POPULATION),
        seed=whole_number("--seed", seed, 0, MAX_SEED),
        step=_number_between("--step", step, 0.001, 2.0),
        lead_weight=_number_between("--lead-weight", lead_weight, 0.0, 1.0),
        held_out=whole_number("--held-out", held_out, 1, _MAX_GAMES),
        check_every=whole_number("--check-every", check_every, 1, _MAX_GENERATIONS),
    )
    count = whole_number("--generations", generations, 1, _MAX_GENERATIONS)
    threads = workers_of(workers)
    title = f"{start.name}_tuned" if name is None else name
    if not re.fullmatch(_NAME, title):
        refuse(f'--name: "{title[:100]}" is not 1 to 80 letters, digits or _ . + -')
    with stoppable(out, "generations"):
        result = _tune_into(out, settings, count, title, threads, _command(context))
    from wallsim.report.tables.console import make_console
    from wallsim.report.tables.tuning import print_result
    from wallsim.runs.tuning.outcome import PICTURE

    if as_json:
        print_document({"folder": str(out), "policy_file": str(out / f"{title}.toml"), **result})
    else:
        print_result(make_console(), result, out / f"{title}.toml", out / PICTURE)


def _tune_into(
    folder: Path, settings: Settings, generations: int, name: str, workers: int, command: str
) -> dict[str, Any]:
    from wallsim.report.figures.style import save_picture
    from wallsim.report.figures.tuning import learning_curve
    from wallsim.report.progress import counted
    from wallsim.report.tables import tuning as words
    from wallsim.report.tables.console import make_console
    from wallsim.runs.tuning import outcome
    from wallsim.runs.tuning.journal import Journal
    from wallsim.runs.tuning.tuning import tune_policy

    screen = make_console(to_stderr=True)
    with Journal(folder, settings.identity()) as journal:
        if journal.generations > generations:
            refuse(f"--generations: {generations} is less than the {journal.generations} that {folder} has")
        result = outcome.read_result(folder, name, generations)
        if result is not None:
            screen.print(f"{folder} already contains this tuning, finished; nothing to play.", soft_wrap=True)
        else:
            outcome.begin(folder)

            def print_line(line: dict[str, Any]) -> None:
                if screen.is_terminal:
                    screen.print(words.course_line(line), soft_wrap=True)

            with counted(screen, "games") as watch:
                history, result = tune_policy(
                    settings, journal, generations, name=name, workers=workers, watch=watch, report=print_line
                )
            policy = outcome.policy_text(
                settings.policy(name, result["weights"]),
                words.policy_description(settings.start.name, settings.seats),
                words.policy_comments(result, command),
            )
            table = outcome.curve(history)
            opponents = [opponent.name for role, opponent in settings.references if role != "sanity"]
            picture = learning_curve(table, opponents, result["fair"], words.curve_title(result))
            save_picture(picture, folder / outcome.PICTURE)
            outcome.write_files(folder, {**result, "command": command}, policy, table)
    return dict(result)


def _listed(text: str | None) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def _policy(flag: str, text: str) -> Policy:
    from wallsim.policies.catalogue import PolicyError, load_policy, policy_names, read_policy

    try:
        if not text.endswith(".toml"):
            return load_policy(text)
        policy = read_policy(Path(text))
        if policy.name in policy_names() and policy != load_policy(policy.name):
            refuse(f"{flag}: {text} has the name of another policy, {policy.name}; rename the file")
        return policy
    except PolicyError as error:
        refuse(f"{flag}: {str(error).removeprefix('policies: ')}")


def _number_between(flag: str, text: str, minimum: float, maximum: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not minimum <= value <= maximum:
        refuse(f'{flag}: "{text[:100]}" is not a number from {minimum:g} to {maximum:g}')
    return value


def _command(context: typer.Context) -> str:
    # The command line that repeats this tuning, without the folder; omitted options have their defaults.
    words = ["wallsim", "tune", str(context.params["policy"])]
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if (
            parameter.param_type_name == "option"
            and parameter.name not in _OPTIONS_WITHOUT_EFFECT
            and value is not None
        ):
            for part in value if isinstance(value, list | tuple) else [value]:
                words += [parameter.opts[0], str(part)]
    return shlex.join(words)
