"""The command that tunes a policy's weights in self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, Dask, Workers, experiment_options, number_options, on_disk
from wallsim.cli.output import print_document, refuse, workers_of
from wallsim.cli.search_options import (
    SEARCHED,
    SEARCHED_KEYS,
    Phases,
    PhaseWeights,
    Searched,
    coordinates,
    experiments_of,
    finished_result,
    line_printer,
    listed,
    named_policy,
    repeating_command,
    report_repairs,
    save_search,
    settings_shown,
    title_of,
)
from wallsim.cli.signals import stoppable
from wallsim.runs.searches.keys import SEARCH_KEYS

if TYPE_CHECKING:
    from wallsim.policies.catalogue import Policy
    from wallsim.runs.tuning.history import History
    from wallsim.runs.tuning.settings import Settings


@app.command()
@grouped
def tune(
    context: typer.Context,
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="The starting policy: a name or a policy file.")],
    out: Annotated[Path, typer.Option(metavar="DIR", parser=on_disk, help="Folder for the journal and the result.")],
    keys: dict[str, Any] = experiment_options(*SEARCHED_KEYS),
    numbers: dict[str, Any] = number_options(SEARCH_KEYS, *SEARCH_KEYS),
    searched: Searched = SEARCHED,
    weights: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME...]|all|draft|plan",
            help="Weights to tune. all: every weight with an effect in these games, but for those of the two groups. "
            "draft: those of the draft. plan: target_own to second_attack.",
        ),
    ] = "all",
    hold: Annotated[
        str | None, typer.Option(metavar="NAME[,NAME...]", help="Weights to leave unchanged.  [default: none]")
    ] = None,
    phases: Phases = None,
    phase_weights: PhaseWeights = None,
    pool: Annotated[
        str | None,
        typer.Option(metavar="NAME[,NAME...]", help="Further initial opponents.  [default: none]"),
    ] = None,
    towards: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The policy towards whose weights --ridge pulls.  [default: plain]"),
    ] = None,
    workers: Workers = None,
    dask: Dask = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the tuned policy and its file.  [default: POLICY_tuned]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search for better weights of a policy in self-play. CMA-ES searches, and the result is a policy file.

    Candidates play in one seat, every seat in turn, against a pool that starts with POLICY and grows by past versions
    of the mean. Held-out games, which the search does not use, evaluate the result.

    The same command with the same folder resumes an interrupted tuning and shows a finished one again; more
    --generations continue it.
    """
    experiments = experiments_of(keys, searched)
    from wallsim.runs.tuning.coordinates import tuned_weights
    from wallsim.runs.tuning.evaluation import opponents_for
    from wallsim.runs.tuning.settings import Settings

    start = named_policy("POLICY", policy)
    further = tuple(named_policy("--pool", word) for word in listed(pool))
    rulesets = [experiment.ruleset() for experiment in experiments]
    tuned = tuned_weights(start, rulesets, listed(weights), listed(hold))
    settings = Settings(
        experiment=experiments[0],
        further=tuple(experiments[1:]),
        start=start,
        weights=coordinates(start, tuned, phases, phase_weights),
        pool=further,
        references=opponents_for(start, further),
        towards=_natural(towards, numbers["ridge"]),
        **{name: number for name, number in numbers.items() if name != "generations"},
    )
    count = numbers["generations"]
    threads = workers_of(workers)
    title = title_of(name, f"{start.name}_tuned")
    with stoppable(out, "generations", dask):
        result = _tune_into(out, settings, count, title, threads, repeating_command(context, "tune", "policy"))
    from wallsim.report.tables.console import make_console
    from wallsim.report.tables.tuning import print_result
    from wallsim.runs.tuning.journal import PICTURE

    other = settings_shown(experiments, as_json)
    if as_json:
        print_document({"folder": str(out), "policy_file": str(out / f"{title}.toml"), **result, **other})
    else:
        print_result(make_console(), result, out / f"{title}.toml", out / PICTURE)


def _natural(towards: str | None, ridge: float) -> Policy | None:
    """The policy towards whose weights the ridge pulls; None without a ridge."""
    if towards is not None and not ridge:
        refuse("--towards: needs --ridge")
    policy = named_policy("--towards", towards or "plain") if ridge else None
    if policy is not None and not policy.weights:
        refuse(f"--towards: {policy.name} has no weights; allowed are policies with weights")
    return policy


def _tune_into(
    folder: Path, settings: Settings, generations: int, name: str, workers: int, command: str
) -> dict[str, Any]:
    from wallsim.report.progress import counted
    from wallsim.report.tables import tuning as words
    from wallsim.report.tables.console import make_console
    from wallsim.runs.tuning import outcome
    from wallsim.runs.tuning.journal import RESULT, Journal
    from wallsim.runs.tuning.session import history_of, tune_policy

    screen = make_console(to_stderr=True)
    opponents = [opponent.name for role, opponent in settings.references if role != "sanity"]
    requested = {"name": name, "generations": generations, "settings": settings.identity()}
    with Journal(folder, settings.identity()) as journal:
        saved = outcome.read_saved(journal.place, name)
        again = [f"{error}; written again from the journal" for error in saved.errors]
        report_repairs(journal, again, saved.other_errors)
        if journal.generations > generations:
            refuse(f"--generations: {generations} is less than the {journal.generations} that {folder} has")

        def search(generations: int) -> History:
            with counted(screen, "games") as watch:
                return history_of(
                    settings, journal, generations, workers=workers, watch=watch, report=line_printer(screen)
                )

        def save(history: History, result: dict[str, Any]) -> None:
            text = words.policy_description(settings.start.name, settings.seats), words.policy_comments(result)
            save_search(folder, history, result, text, opponents, RESULT, saved.others)

        results = finished_result(journal, saved, requested, search, save)
        if results is not None:
            screen.print(f"{folder} already contains this tuning, finished; nothing to play.", soft_wrap=True)
            return results
        outcome.begin(journal.place)
        with counted(screen, "games") as watch:
            history, result = tune_policy(
                settings, journal, generations, name=name, workers=workers, watch=watch, report=line_printer(screen)
            )
        result["command"] = command
        save(history, result)
        return result
