"""The commands that search for better bots; each is the function of its name in `wallsim`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wallsim.cli.app import app
from wallsim.cli.option_groups import Group, grouped, option
from wallsim.cli.options import AsJson, Dask, Workers, complete_towers, key_option, on_disk
from wallsim.cli.output import counted, print_document, screen, workers_of
from wallsim.cli.signals import stoppable
from wallsim.cli.terminal_output import echo
from wallsim.experiment.keys import EXPERIMENT_KEYS
from wallsim.searches.chunk_searches import Learning, Teaching
from wallsim.searches.response import Response
from wallsim.searches.search import Search, Watcher, flag_of
from wallsim.searches.weights import Tuning

if TYPE_CHECKING:
    from rich.console import Console

    from wallsim.folder.receipts import Facts, Key

Out = Annotated[
    Path, typer.Option("--out", metavar="DIR", parser=on_disk, help="Folder for the journal and the result.")
]


def _options_of(search: type[Search]) -> Any:
    """The options of a search, one for each field: its key says what it may be, and the words about it."""
    return Group(search, tuple(map(_option_of, fields(search))))


def _option_of(one: Field[Any]) -> inspect.Parameter:
    key, default = one.metadata["key"], one.default
    if EXPERIMENT_KEYS.get(one.name) is key:
        return option(one.name, key_option(one.name))
    if one.name == "policy":
        return option(one.name, Annotated[str, typer.Argument(metavar=key.metavar, help=key.help)], ...)
    if key.read == "flag":
        return option(one.name, Annotated[bool, typer.Option(flag_of(one), help=key.help)], default)
    complete = complete_towers if one.name == "tower" else None
    words = typer.Option(flag_of(one), metavar=key.metavar, help=key.help, autocompletion=complete)
    if default is MISSING:
        return option(one.name, Annotated[str, words], ...)
    return option(one.name, Annotated[str | None, words], None if default is None else str(default))


_TUNING, _RESPONSE = _options_of(Tuning), _options_of(Response)
_LEARNING, _TEACHING = _options_of(Learning), _options_of(Teaching)


@app.command()
@grouped
def tune(
    out: Out, search: Tuning = _TUNING, workers: Workers = None, dask: Dask = None, as_json: AsJson = False
) -> None:
    """Search for better weights of a policy in self-play. CMA-ES searches, and the result is a policy file.

    Candidates play in one seat, every seat in turn, against a pool that starts with POLICY and grows by past versions
    of the mean. Held-out games, which the search does not use, evaluate the result.

    The same command with the same folder resumes an interrupted tuning and shows a finished one again; more
    --generations continue it.
    """
    from wallsim.report.tables.tuning import print_tuning

    _search(search, "games", out, workers, dask, as_json, print_tuning)


@app.command()
@grouped
def exploit(out: Out, search: Response = _RESPONSE, workers: Workers = None, as_json: AsJson = False) -> None:
    """Search for a best response to a policy. How much it wins is the policy's exploitability.

    One seat plays the response, every seat in turn, and all others POLICY. CMA-ES searches the weights of the response
    round by round. Held-out games, which the search does not use, give its share of wins.

    The same command with the same folder resumes an interrupted search; more minutes or generations continue it.
    """
    from wallsim.report.tables.tuning import print_response

    _search(
        search,
        "CPU seconds" if search.generations is None else "generations",
        out,
        workers,
        None,
        as_json,
        print_response,
    )


@app.command()
@grouped
def learn(
    out: Out, search: Learning = _LEARNING, workers: Workers = None, dask: Dask = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Learn the value of a standing from games. The games are those of policies that are seated at random; the standing
    is that at the end of a season.

    A model for each number of players and season predicts a seat's points, its lead and its chance to win from what
    everybody sees. A fifth of the games is held out to measure how well. Searching policies can use it (search.value).

    The same command with the same folder resumes an interrupted learning; more --games continue it.
    """
    from wallsim.report.tables.learning import print_learning

    _search(search, "games", out, workers, dask, as_json, print_learning)


@app.command()
@grouped
def teach(
    out: Out, search: Teaching = _TEACHING, workers: Workers = None, dask: Dask = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Teach a policy by trying its plans. A model learns how much more or less a card is worth on a box.

    Before every round one seat tries plans on tables that might be real, each to the end of the round, where a learned
    value judges the position. Which plans are tried is fixed before any result is seen.

    The same command with the same folder resumes an interrupted teaching; more --games continue it.
    """
    from wallsim.report.tables.learning import print_teaching

    _search(search, "games", out, workers, dask, as_json, print_teaching)


class _Terminal(Watcher):
    """Says on standard error what becomes of a folder and how far a search is; terminals also show its course."""

    def __init__(self, count: Callable[[int, int], None]) -> None:
        self._count, self._console = count, screen(to_stderr=True)

    def progress(self, done: int, total: int) -> None:
        self._count(done, total)

    def did(self, key: Key, facts: Facts) -> None:
        from wallsim.report.tables.tuning import course_line

        if self._console.is_terminal and (line := course_line(key, facts)):
            self._console.print(line, soft_wrap=True)

    def says(self, line: str) -> None:
        echo(line, err=True)


def _search(
    search: Search, things: str, out: Path, workers: str | None, dask: str | None, as_json: bool,
    show: Callable[[Console, dict[str, Any], Path], None],
) -> None:  # fmt: skip
    """Search in a folder, counting `things`, and show the result."""
    from wallsim.api.searches import document_of
    from wallsim.rules.other_settings import settings_line

    threads = workers_of(workers)
    with stoppable(out, search.kind.unit, dask), counted(things) as progress:
        document = document_of(search, out, workers=threads, watch=_Terminal(progress))
    if as_json:
        print_document(document)
        return
    if document["not_default"]:
        echo(settings_line(document["not_default"]))
    show(screen(), document, out / search.names.shown)
