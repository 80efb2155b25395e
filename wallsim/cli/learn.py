"""The command that learns the value of a standing from games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.chunked import announce_rounding, file_title, search_chunks
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import AsJson, Dask, Workers, experiment_options, number_options, on_disk
from wallsim.cli.output import policy_of, workers_of
from wallsim.cli.search_options import experiments_of, repeating_command, show_result, words_of
from wallsim.cli.signals import stoppable
from wallsim.experiment.keys import read_number
from wallsim.searches.keys import LEARNING_KEYS, NOISE

_KEYS = ("edition", "expansions", "board", "rules")  # of an experiment
_LIST = "[,...]"


@app.command()
@grouped
def learn(
    context: typer.Context,
    policies: Annotated[
        str,
        typer.Option(metavar=f"NAME{_LIST}", help="Who plays: names (see `wallsim policies`), .toml and .py files."),
    ],
    out: Annotated[
        Path, typer.Option(metavar="DIR", parser=on_disk, help="Folder for the positions, the journal and the value.")
    ],
    players: Annotated[str, typer.Option(metavar=f"N{_LIST}", help="Numbers of players, each with a model.")] = "4",
    numbers: dict[str, Any] = number_options(LEARNING_KEYS, *LEARNING_KEYS),
    setup: Annotated[str, typer.Option(metavar="lineup|draft[,...]", help="Set-ups.")] = "lineup,draft",
    tower: Annotated[str, typer.Option(metavar=f"NAME{_LIST}", help="Towers; see `wallsim towers`.")] = "mid",
    keys: dict[str, Any] = experiment_options(*_KEYS),
    noise: Annotated[
        str, typer.Option(metavar=f"X{_LIST}", help="Levels of the weight noise in VP, one drawn for each seat.")
    ] = "0,0,0.5,1.5",
    workers: Workers = None,
    dask: Dask = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the value and its file.")] = "value",
    as_json: AsJson = False,
) -> None:
    """Learn the value of a standing from games. The games are those of policies that are seated at random; the standing
    is that at the end of a season.

    A model for each number of players and season predicts a seat's points, its lead and its chance to win from what
    everybody sees. A fifth of the games is held out to measure how well. Searching policies can use it (search.value).

    The same command with the same folder resumes an interrupted learning; more --games continue it.
    """
    from wallsim.searches.learning.learning import Settings

    file_title(name, name)
    settings = Settings(
        cells=experiments_of(keys, players=players, setup=setup, tower=tower),
        policies=tuple(policy_of("--policies", word) for word in words_of("--policies", policies)),
        noise=tuple(read_number("noise", NOISE, level) for level in noise.split(",")),
        **numbers,
    )
    announce_rounding(settings)
    threads = workers_of(workers)
    facts = {"name": name, "command": repeating_command(context, "learn")}
    from wallsim.report.tables.learning import print_learning
    from wallsim.searches.learning.chunked import value_file
    from wallsim.searches.learning.fitting import value_text
    from wallsim.searches.learning.learning import Store, learn_value

    with stoppable(out, "positions", dask):
        result = search_chunks(
            Store(out, settings.identity()), settings, facts,
            lambda store, watch: learn_value(settings, store, workers=threads, watch=watch),
            {value_file(name): value_text},
        )  # fmt: skip
    show_result(out / f"{name}.json", result, settings.cells, as_json, print_learning, "value_file")
