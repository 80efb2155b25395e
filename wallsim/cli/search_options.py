"""What the commands that search for weights share: their options, and what they read from them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from wallsim.cli.option_groups import options_of
from wallsim.cli.options import complete_towers
from wallsim.cli.output import counted, print_document, refuse, screen
from wallsim.cli.terminal_output import echo

if TYPE_CHECKING:
    from rich.console import Console

    from wallsim.experiment.experiment import Experiment
    from wallsim.folder.line_journal import LineJournal
    from wallsim.policies.catalogue import Policy
    from wallsim.policies.weights import Weight
    from wallsim.searches.tuning.coordinates import Coordinate
    from wallsim.searches.tuning.history import History
    from wallsim.searches.tuning.settings import Settings

_OPTIONS_WITHOUT_EFFECT = ("out", "workers", "dask", "as_json")  # options that do not affect the result
_NAME = r"[\w.+-]{1,80}"

Setups = Annotated[
    str | None,
    typer.Option(
        "--setup",
        metavar="lineup|draft[,...]",
        help="Set-up: printed line-ups or a draft; both share the games evenly.  [default: lineup]",
    ),
]
Towers = Annotated[
    str | None,
    typer.Option(
        "--tower",
        metavar="NAME|FILE.toml[,...]",
        help="The dice tower, see `wallsim towers`; several share the games evenly.",
        autocompletion=complete_towers,
    ),
]
Phases = Annotated[
    str | None,
    typer.Option(
        "--phases",
        metavar="PHASE[,PHASE...]",
        help="Phases that have values of their own: rounds, years, or names such as year two.  [default: as POLICY]",
    ),
]
PhaseWeights = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[,NAME...]|all",
        help="Weights with a value per phase.  [default: those whose worth changes with time]",
    ),
]


def listed(text: str | None) -> list[str]:
    """The parts of a list with commas."""
    return [part.strip() for part in text.split(",")] if text else []


@dataclass(frozen=True)
class Searched:
    """In which set-ups and with which towers is searched, as options say it."""

    setup: Setups = None
    tower: Towers = None


SEARCHED = options_of(Searched)
SEARCHED_KEYS = ("players", "edition", "expansions", "board", "rules")  # of an experiment


def experiments_of(keys: Mapping[str, Any], **choices: str | None) -> tuple[Experiment, ...]:
    """An experiment for each combination of the words of some options, the first ones first; None is the default."""
    from wallsim.play.flags import experiment_of

    words = [[None] if text is None else words_of(f"--{name}", text) for name, text in choices.items()]
    return tuple(experiment_of(None, {**keys, **dict(zip(choices, each, strict=True))}) for each in product(*words))


def words_of(flag: str, text: str) -> list[str]:
    """The words of a list with commas; refused if it has a duplicate."""
    words = [part.strip() for part in text.split(",")]
    if len(set(words)) < len(words):
        refuse(f"{flag}: {text[:100]} has a duplicate; each may occur once")
    return words


def coordinates(
    start: Policy, weights: Sequence[Weight], phases: str | None, phase_weights: str | None
) -> tuple[Coordinate, ...]:
    """What is searched: the weights, of which some have a value per phase."""
    from wallsim.searches.tuning.coordinates import coordinates_of, phase_weights_named, phases_named

    named = phases_named(listed(phases))
    phased = phase_weights_named(weights, named, None if phase_weights is None else listed(phase_weights))
    return coordinates_of(start, weights, named, phased)


def named_policy(flag: str, text: str) -> Policy:
    """The policy of a name or file; refused if it is none, or has the name of another policy."""
    from wallsim.policies.catalogue import PolicyError, is_shipped_name, load_policy, read_policy, refuse_former_name

    try:
        if not text.endswith(".toml"):
            refuse_former_name([text])
            return load_policy(text)
        policy = read_policy(Path(text))
        if is_shipped_name(policy.name) and policy != load_policy(policy.name):
            refuse(f"{flag}: {text} has the name of another policy, {policy.name}; rename the file")
        return policy
    except PolicyError as error:
        refuse(f"{flag}: {str(error).removeprefix('policies: ')}")


def title_of(name: str | None, default: str) -> str:
    """The name of the policy or the value that is written; refused if no file can have it."""
    title = default if name is None else name
    if not re.fullmatch(_NAME, title):
        refuse(f'--name: "{title[:100]}" is not 1 to 80 letters, digits or _ . + -')
    return title


class Search(NamedTuple):
    """A search with a journal, as its command asks for it."""

    kind: str  # of its journal
    name: str  # how it is called
    requested: dict[str, Any]  # what a result answers that need not be searched again
    generations: int | None  # at most; None for a search that ends with its time
    opponents: Sequence[str]  # of the learning curve
    unit: str  # of its progress
    clock: Callable[[], float] | None
    play: Callable[..., tuple[History, dict[str, Any]]]  # called with the journal, workers, watch and report
    words: Callable[[dict[str, Any]], tuple[str, Sequence[str]]]  # description and comments of the policy file


def search_into(folder: Path, settings: Settings, search: Search, workers: int) -> dict[str, Any]:
    """Search, or go on with a search, in a folder; a finished one that was asked for is shown again, and restored."""
    from wallsim.folder.tuning_journal import RESULTS, Journal
    from wallsim.searches.tuning import outcome
    from wallsim.searches.tuning.session import history_of

    console, file, most = screen(to_stderr=True), RESULTS[search.kind], search.generations
    more: dict[str, Any] = {"workers": workers, "report": _line_printer(console)}
    with Journal(folder, settings.identity(), search.kind) as journal:
        saved = outcome.read_saved(journal.place, search.requested["name"], file)
        again = [f"{error}; written again from the journal" for error in saved.errors]
        report_repairs(journal, again, saved.other_errors)
        if most is not None and journal.generations > most:
            refuse(f"--generations: {most} is less than the {journal.generations} that {folder} has")
        if (result := saved.result) is not None and saved.answers(search.requested):
            if saved.errors or not journal.has(result["generations"]):
                with counted("games") as watch:
                    history = history_of(
                        settings, journal, result["generations"], clock=search.clock, watch=watch, **more
                    )
                if saved.errors:
                    _save_search(folder, history, result, search, saved.others)
            console.print(f"{folder} already contains this {search.name}, finished; nothing to play.", soft_wrap=True)
            return result
        outcome.begin(journal.place, file)
        with counted(search.unit) as watch:
            history, result = search.play(journal, watch=watch, **more)
        _save_search(folder, history, result, search, saved.others)
        return result


def _line_printer(console: Console) -> Callable[[dict[str, Any]], None]:
    # Prints each line of a journal as it is written; only terminals show them.
    from wallsim.report.tables.tuning import course_line

    def print_line(line: dict[str, Any]) -> None:
        if console.is_terminal:
            console.print(course_line(line), soft_wrap=True)

    return print_line


def _save_search(
    folder: Path, history: History, result: dict[str, Any], search: Search, others: Mapping[str, str]
) -> None:
    # The policy file, the result and the learning curve; `others` are the digests of results under other names.
    from wallsim.folder.derived import write_derived
    from wallsim.folder.local_files import FileStore
    from wallsim.folder.tuning_journal import PICTURE, RESULTS
    from wallsim.policies.catalogue import Policy
    from wallsim.report.figures.style import PNG_COLOURS, picture_bytes
    from wallsim.report.figures.tuning import learning_curve
    from wallsim.report.tables.tuning import curve_title
    from wallsim.searches.tuning import outcome

    start = history.settings.start
    numbers = result["weights"], result["phases"], start.counties
    policy = Policy(result["name"], start.kind, *numbers, correction=start.correction)
    table = outcome.curve(history)

    def picture() -> bytes:
        return picture_bytes(
            lambda: learning_curve(table, search.opponents, result["fair"], curve_title(result)), folder / PICTURE,
            PNG_COLOURS,
        )  # fmt: skip

    text = outcome.policy_text(policy, *search.words(result))
    write_derived(FileStore(folder), outcome.result_files(result, text, table, picture, RESULTS[search.kind]), others)


def report_repairs(journal: LineJournal, errors: Sequence[str] = (), other_errors: Sequence[str] = ()) -> None:
    """Say on stderr what is damaged in the folder of a search, one line each.

    `errors` say themselves what becomes of them; the files of `other_errors` are written by another command.
    """
    lines = [*journal.repairs, *errors]
    lines += [f"{error}; repeat the command that wrote it" for error in other_errors]
    for line in lines:
        echo(f"{journal.folder}: {line}", err=True)


def show_result(
    file: Path,
    result: dict[str, Any],
    experiments: Sequence[Experiment],
    as_json: bool,
    show: Callable[[Console, dict[str, Any], Path], None],
    key: str = "policy_file",
) -> None:
    """Print the result of a search, whose `file` is the one that policies or experiments name, or its document."""
    other = settings_shown(experiments, as_json)
    if as_json:
        print_document({"folder": str(file.parent), key: str(file), **result, **other})
        return

    show(screen(), result, file)


def settings_shown(experiments: Sequence[Experiment], as_json: bool) -> dict[str, list[str]]:
    """What is not the default in the games of a search, for its document; without one the line is printed."""
    from wallsim.rules.other_settings import settings_line, settings_of_all

    settings = settings_of_all([each.components().settings() for each in experiments])
    if settings and not as_json:
        echo(settings_line(settings))
    return {"not_default": settings}


def repeating_command(context: typer.Context, command: str, *arguments: str) -> str:
    """The command line that repeats a search, without its folder; options that are not given have their defaults."""
    words = ["wallsim", command, *(str(context.params[argument]) for argument in arguments)]
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if (
            parameter.param_type_name == "option"
            and parameter.name not in _OPTIONS_WITHOUT_EFFECT
            and value is not None
        ):
            if isinstance(value, bool):
                words += [parameter.opts[0]] if value else []
                continue
            for part in value if isinstance(value, list | tuple) else [value]:
                words += [parameter.opts[0], str(part)]
    return shlex.join(words)
