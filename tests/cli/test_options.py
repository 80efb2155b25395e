"""The words of the command line: options said once, help with whole sentences, suggestions, and names for shells."""

import inspect
from pathlib import Path
from typing import Annotated, Literal

import pytest
import typer.main
from typer.testing import CliRunner

import wallsim
from tests.refusals import assert_names
from wallsim.cli import app
from wallsim.cli.app import COMMANDS, EXAMPLES, SENTENCE
from wallsim.cli.option_groups import Parsed, Within, grouped, options_from
from wallsim.cli.options import complete_expansions, complete_policies, complete_switches, complete_towers, on_disk
from wallsim.errors import InputError
from wallsim.experiment.keys import EXPERIMENT_KEYS
from wallsim.rules.suggestions import did_you_mean

ROOT = typer.main.get_command(app)


def commands_of(group):
    """All commands below a group, those of its groups too."""
    for command in group.commands.values():
        yield command
        yield from commands_of(command) if hasattr(command, "commands") else ()


# The functions of a command, and its options that only a terminal needs, or that a file or a folder may determine.
FUNCTIONS = {
    "advise": ((wallsim.advise,), {"as_json"}),
    "review": ((wallsim.review,), {"out", "check", "from_", "game", "trust_code"}),
    "run": ((wallsim.play,), {"slice_", "dask", "out", "dry_run", "plot", "quiet", "as_json"}),
    "tournament": ((wallsim.play,), {"experiment", "scenario", "blocks", "dask", "out", "quiet", "as_json"}),
    "trace": ((wallsim.trace,), {"text", "out"}),
    "replay": ((wallsim.trace,), {"game", "remarkable", "out"}),
    "compare": ((wallsim.compare, wallsim.compare_scenarios), {"adjust", "plot", "html", "as_json"}),
    "verify": ((wallsim.verify,), {"quiet", "as_json"}),
    "summary": ((wallsim.summarise,), {"plot", "as_json"}),
    "figures": ((wallsim.figures,), {"parquet", "markdown", "as_json"}),
}


@pytest.mark.parametrize("command", FUNCTIONS)
def test_every_option_of_a_command_is_a_parameter_of_its_function_with_the_same_default(command):
    functions, own = FUNCTIONS[command]
    known = {
        name: each.default for function in functions for name, each in inspect.signature(function).parameters.items()
    }
    options = {each.name: each.default for each in ROOT.commands[command].params if each.param_type_name == "option"}
    assert own <= options.keys()
    shared = options.keys() - own - EXPERIMENT_KEYS.keys()  # the keys of an experiment are the fields of `Experiment`
    # An empty list is no list as the default of an option.
    wanted = {name: None if known.get(name) == () else known.get(name, "none") for name in shared}
    assert {name: str(options[name]) for name in shared} == {name: str(each) for name, each in wanted.items()}


def test_every_argument_and_option_has_a_text():
    assert [(each.name, one.name) for each in commands_of(ROOT) for one in each.params if not one.help] == []


def test_every_command_is_in_one_group_and_has_a_whole_short_sentence():
    assert sorted(name for names in COMMANDS.values() for name in names) == sorted(ROOT.commands)
    for command in commands_of(ROOT):
        sentence = command.get_short_help_str(1000)
        assert sentence.endswith("."), command.name
        assert len(sentence) <= SENTENCE, sentence


def test_the_help_shows_each_sentence_and_commands_that_exist():
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).output
    assert "..." not in shown.partition("Play:")[2]
    assert all(command.get_short_help_str(1000) in shown for command in ROOT.commands.values())
    assert all(line in shown and line.split()[1] in ROOT.commands for line in EXAMPLES)
    assert "engine version" in CliRunner().invoke(app, ["--version"]).output


def test_nothing_is_suggested_where_nothing_is_near():
    assert did_you_mean("balancd", ("balanced", "random")).endswith("balanced?")
    assert did_you_mean("xyz", ("balanced", "random")) == ""
    assert did_you_mean(3, ("balanced",)) == ""
    assert did_you_mean("x" * 10_000, ("balanced",)) == ""


def test_shells_complete_names():
    assert complete_policies("bal")[0] == "balanced"
    assert "balanced,builder" in complete_policies("balanced,bui")
    assert complete_towers("mid-u") == ["mid-urn"]
    assert complete_expansions("l") == ["landsknechte", "leaders"]
    assert complete_switches("comb") == ["combat="]
    assert complete_switches("combat=m") == ["combat=must", "combat=may"]
    assert complete_switches("nothing=") == []
    assert not Path("bal").exists()


MODULE = '''
def play(game, *, games: int = 10, rate: float = MOST, plays: Sequence[str] = (), loud: bool = False,
         size: int | None = None):
    """Play.

    Parameters
    ----------
    games
        Number of games,
        all of them. Or fewer.
    rate, plays
        Of two parameters.
    loud
        Whether it is heard.
    size
        Players; None for one per core. More.

    Returns
    -------
    None
    """

MOST = 2.5

class Tuning(BaseModel):
    """A tuning."""

    games: Annotated[int, Strict()] = Field(20, ge=1, description="Games per candidate.")
    quiet: bool = True
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module that cannot be imported, since nothing of it is there before it is used."""
    (tmp_path / "told.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    return "told"


def run(command, *words):
    """What a command says, in one line, or its error."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(grouped(command))
    result = CliRunner().invoke(app, words)
    return " ".join(str(result.exception if isinstance(result.exception, InputError) else result.output).split())


def test_options_of_a_function_or_a_model_become_arguments_with_their_texts(module):
    asked = options_from(f"{module}:play", games="N", rate="--speed X", plays="NAME[,...]", loud="", size="N")

    def command(*, given: dict = asked):
        typer.echo(given)

    assert run(command) == "{'games': 10, 'rate': 2.5, 'loud': False}"
    assert run(command, "--games", "3", "--speed", "many", "--plays", "a, b", "--loud") == (
        "{'games': 3, 'rate': 'many', 'plays': ('a', 'b'), 'loud': True}"
    )
    shown = run(command, "--help")
    assert_names(shown, "--games N", "all of them.", "[default: 10]", "--speed X", "two parameters.", "2.5]")
    assert_names(shown, "Players.", "one per core]")
    assert "Or fewer" not in shown

    of_model = options_from(f"{module}:Tuning", games="N")

    def tune(*, given: dict = of_model):
        typer.echo(given)

    assert run(tune) == "{'games': 20}"
    assert_names(run(tune, "--help"), "Games per candidate.", "[default: 20]")


def test_options_of_a_command_are_those_of_its_signature_and_docstring():
    def command(
        folder: Annotated[Path, Parsed(on_disk)], *, count: Annotated[int, Within(1, 9)] = 4,
        from_: list[str] | None = None, kind: Literal["urn", "auto"] = "auto", draw: bool = True,
    ):  # fmt: skip
        """Do it.

        It does more.

        Options
        -------
        folder DIR: The folder.
        count: How many, of
          those.
        from_ NAME: Repeatable.
        kind: The kind: the best.
        draw: Whether to draw.
        """
        typer.echo((folder, count, from_, kind, draw))

    assert run(command, "x") == f"({Path('x')!r}, 4, None, 'auto', True)"
    assert run(command, "x", "--count", "5", "--from", "a", "--from", "b", "--no-draw", "--kind", "urn") == (
        f"({Path('x')!r}, 5, ['a', 'b'], 'urn', False)"
    )
    assert_names(run(command, "x", "--count", "12"), '--count: "12"', "1 to 9")
    assert_names(run(command, "x", "--kind", "autos"), '--kind: "autos"', "urn, auto", "mean auto?")
    shown = run(command, "--help")
    assert_names(shown, "It does more. Arguments", "--count N How many", "those. [default: 4]")
    assert_names(shown, "--kind urn|auto The kind: the best. [default: auto]")
