"""The command that tunes a policy's weights in self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, Dask, Workers, experiment_options, number_options, on_disk
from wallsim.cli.output import refuse, workers_of
from wallsim.cli.search_options import (
    SEARCHED,
    SEARCHED_KEYS,
    Phases,
    PhaseWeights,
    Search,
    Searched,
    coordinates,
    experiments_of,
    listed,
    named_policy,
    repeating_command,
    search_into,
    show_result,
    title_of,
)
from wallsim.cli.signals import stoppable
from wallsim.searches.keys import SEARCH_KEYS

if TYPE_CHECKING:
    from wallsim.folder.tuning_journal import Journal
    from wallsim.policies.catalogue import Policy
    from wallsim.searches.tuning.history import History


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
    experiments = experiments_of(keys, setup=searched.setup or None, tower=searched.tower or None)
    from wallsim.searches.tuning.coordinates import tuned_weights
    from wallsim.searches.tuning.evaluation import opponents_for
    from wallsim.searches.tuning.settings import Settings

    start = named_policy("POLICY", policy)
    further = tuple(named_policy("--pool", word) for word in listed(pool))
    rulesets = [experiment.ruleset() for experiment in experiments]
    tuned = tuned_weights(start, rulesets, listed(weights), listed(hold))
    settings = Settings(
        experiment=experiments[0],
        further=experiments[1:],
        start=start,
        weights=coordinates(start, tuned, phases, phase_weights),
        pool=further,
        references=opponents_for(start, further),
        towards=_natural(towards, numbers["ridge"]),
        **{name: number for name, number in numbers.items() if name != "generations"},
    )
    count, threads, title = numbers["generations"], workers_of(workers), title_of(name, f"{start.name}_tuned")
    command = repeating_command(context, "tune", "policy")
    from wallsim.folder.tuning_journal import TUNING
    from wallsim.report.tables.tuning import policy_comments, policy_description, print_tuning
    from wallsim.searches.tuning.session import tune_policy

    def play(journal: Journal, **more: Any) -> tuple[History, dict[str, Any]]:
        history, result = tune_policy(settings, journal, count, name=title, **more)
        return history, {**result, "command": command}

    def words(result: dict[str, Any]) -> tuple[str, list[str]]:
        return policy_description(start.name, settings.seats), policy_comments(result)

    requested = {"name": title, "generations": count, "settings": settings.identity()}
    opponents = [opponent.name for role, opponent in settings.references if role != "sanity"]
    search = Search(TUNING, "tuning", requested, count, opponents, "games", None, play, words)
    with stoppable(out, "generations", dask):
        result = search_into(out, settings, search, threads)
    show_result(out / f"{title}.toml", result, experiments, as_json, print_tuning)


def _natural(towards: str | None, ridge: float) -> Policy | None:
    """The policy towards whose weights the ridge pulls; None without a ridge."""
    if towards is not None and not ridge:
        refuse("--towards: needs --ridge")
    policy = named_policy("--towards", towards or "plain") if ridge else None
    if policy is not None and not policy.weights:
        refuse(f"--towards: {policy.name} has no weights; allowed are policies with weights")
    return policy
