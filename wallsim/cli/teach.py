"""The command that teaches a policy which plans come out best."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.chunked import announce_rounding, file_title, search_chunks
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, Dask, Workers, experiment_options, number_options, on_disk
from wallsim.cli.output import refuse, workers_of
from wallsim.cli.search_options import experiments_of, listed, named_policy, repeating_command, show_result
from wallsim.cli.signals import stoppable
from wallsim.errors import InputError, WallsimError
from wallsim.experiment.keys import read_number
from wallsim.searches.keys import SHRINK, TEACHING_KEYS

if TYPE_CHECKING:
    from wallsim.policies.policy import Policy
    from wallsim.policies.value.value_file import Value
    from wallsim.searches.teaching.lessons import Settings
    from wallsim.searches.teaching.teaching import Earlier

_KEYS = ("edition", "expansions", "board", "rules")  # of an experiment
_LIST = "[,...]"


@app.command()
@grouped
def teach(
    context: typer.Context,
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="The pupil: a name or a policy file.")],
    value: Annotated[str, typer.Option(metavar="NAME", help="The learned value that judges plans: a name or a file.")],
    out: Annotated[
        Path, typer.Option(metavar="DIR", parser=on_disk, help="Folder for the lessons, the journal and the result.")
    ],
    rivals: Annotated[
        str | None,
        typer.Option(metavar=f"NAME{_LIST}", help="Who else sits at the tables.  [default: POLICY]"),
    ] = None,
    players: Annotated[str, typer.Option(metavar=f"N{_LIST}", help="Numbers of players, each with a model.")] = "4",
    numbers: dict[str, Any] = number_options(TEACHING_KEYS, *TEACHING_KEYS),
    shrink: Annotated[
        str, typer.Option(metavar="X", help="Factor of the correction, against errors of the fit: 0 to 1.")
    ] = "0.7",
    setup: Annotated[str, typer.Option(metavar="lineup|draft[,...]", help="Set-ups.")] = "lineup,draft",
    tower: Annotated[str, typer.Option(metavar=f"NAME{_LIST}", help="Towers; see `wallsim towers`.")] = "mid",
    keys: dict[str, Any] = experiment_options(*_KEYS),
    earlier: Annotated[
        str | None,
        typer.Option(metavar=f"DIR{_LIST}", help="Folders of earlier teachings, whose lessons are fitted too."),
    ] = None,
    workers: Workers = None,
    dask: Dask = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the taught policy.  [default: POLICY_taught]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Teach a policy by trying its plans. A model learns how much more or less a card is worth on a box.

    Before every round one seat tries plans on tables that might be real, each to the end of the round, where a learned
    value judges the position. Which plans are tried is fixed before any result is seen.

    The same command with the same folder resumes an interrupted teaching; more --games continue it.
    """
    from wallsim.searches.teaching.lessons import Settings

    pupil = _planning("POLICY", policy)
    title = file_title(name, f"{pupil.name}_taught")
    settings = Settings(
        cells=experiments_of(keys, players=players, setup=setup, tower=tower),
        pupil=pupil,
        rivals=tuple(_planning("--rivals", word) for word in listed(rivals)) or (pupil,),
        value=_value(value),
        shrink=read_number("shrink", SHRINK, shrink),
        **numbers,
    )
    folders = [_earlier(settings, Path(word)) for word in listed(earlier)]
    announce_rounding(settings)
    threads = workers_of(workers)
    facts = {"name": title, "command": repeating_command(context, "teach", "policy")}
    from wallsim.report.tables.learning import policy_comments, print_teaching
    from wallsim.searches.teaching.lessons import LessonStore
    from wallsim.searches.teaching.teaching import correction_text, taught_policy_text
    from wallsim.searches.teaching.teaching import teach as teach_policy

    correction, file = f"{title}.json", f"{title}.toml"
    with stoppable(out, "lessons", dask):
        result = search_chunks(
            LessonStore(out, settings.identity()), settings, facts,
            lambda store, watch: teach_policy(settings, store, folders, workers=threads, watch=watch),
            {correction: correction_text,
             file: lambda result, _: taught_policy_text(pupil, correction, policy_comments(result))},
        )  # fmt: skip
    show_result(out / file, result, settings.cells, as_json, print_teaching)


def _planning(flag: str, text: str) -> Policy:
    """The policy of a name or file that plans by weights alone."""
    policy = named_policy(flag, text)
    if policy.kind != "balanced":
        refuse(f"{flag}: {text} is of kind {policy.kind!r}; only policies of kind 'balanced' plan by weights alone")
    return policy


def _value(text: str) -> Value:
    from wallsim.policies.value.value_file import load_value

    try:
        return load_value(text)
    except InputError as error:
        refuse(f"--value: {error}")


def _earlier(settings: Settings, folder: Path) -> Earlier:
    from wallsim.searches.teaching.teaching import earlier_teaching

    try:
        return earlier_teaching(settings, folder)
    except WallsimError as error:
        refuse(f"--earlier: {error}")
