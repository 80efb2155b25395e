"""Options of commands are said once: in a docstring, that of a function of `wallsim` where there is one."""

import inspect
from pathlib import Path
from typing import Annotated, Literal

import pytest
import typer
import typer.main
from typer.testing import CliRunner

import wallsim
from tests.cli.test_help import ROOT, commands_of
from wallsim.cli.option_groups import Parsed, Within, grouped, options_from
from wallsim.cli.options import on_disk
from wallsim.cli.signatures import Described, described, own_options, sections_of
from wallsim.errors import InputError
from wallsim.experiment.keys import EXPERIMENT_KEYS

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
    assert {name: str(options[name]) for name in shared} == {
        name: as_option(known.get(name, "none")) for name in shared
    }


def as_option(default):
    """The default of a parameter as its option has it: an empty list is no list."""
    return str(None if default == () else default)


def test_every_argument_and_option_has_a_text():
    for command in commands_of(ROOT):
        assert [each.name for each in command.params if not each.help] == [], command.name


def test_the_help_of_an_option_is_the_first_sentence_and_what_stands_for_none():
    assert Described("int | None", None, "Number of threads; None for one per core. More.").help == (
        "Number of threads.  [default: one per core]"
    )
    assert Described("str", None, "The scenario. None for the first.").help == "The scenario.  [default: the first]"
    assert Described("int", 3, "Dealt tables. Many more.").help == "Dealt tables."


MODULE = '''
from pydantic import BaseModel, Field

MOST = 2.5

def play(game, *, games: int = 10, rate: float = MOST, plays: Sequence[str] = (), loud: bool = False, name=None):
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

    Returns
    -------
    None
    """

class Tuning(BaseModel):
    """A tuning."""

    games: Annotated[int, Strict()] = Field(20, ge=1, description="Games per candidate.")
    quiet: bool = True
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "told.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    return "told"


def test_parameters_and_fields_are_read_without_importing(module):
    known = described(f"{module}:play", ("games", "rate", "plays"))
    assert known["games"] == Described("int", 10, "Number of games, all of them. Or fewer.")
    assert known["rate"] == Described("float", 2.5, "Of two parameters.")
    assert known["plays"] == Described("Sequence[str]", (), "Of two parameters.")
    assert described(f"{module}:Tuning", ("games",)) == {"games": Described("int", 20, "Games per candidate.")}


def run(command, *words):
    app = typer.Typer(rich_markup_mode=None)
    app.command()(grouped(command))
    result = CliRunner().invoke(app, words)
    return result.exception if isinstance(result.exception, InputError) else result.output


def test_options_of_a_function_become_its_arguments(module):
    asked = options_from(f"{module}:play", games="N", rate="--speed X", plays="NAME[,...]", loud="")

    def command(*, given: dict = asked):
        typer.echo(given)

    assert run(command) == "{'games': 10, 'rate': 2.5, 'loud': False}\n"
    assert run(command, "--games", "3", "--speed", "many", "--plays", "a, b", "--loud") == (
        "{'games': 3, 'rate': 'many', 'plays': ('a', 'b'), 'loud': True}\n"
    )
    shown = run(command, "--help")
    assert "Number of games, all of them. [default: 10]" in " ".join(shown.split())
    assert "--speed X" in shown


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
        kind: The kind.
        draw: Whether to draw.
        """
        typer.echo((folder, count, from_, kind, draw))

    assert run(command, "x") == f"({Path('x')!r}, 4, None, 'auto', True)\n"
    assert run(command, "x", "--count", "5", "--from", "a", "--from", "b", "--no-draw", "--kind", "urn") == (
        f"({Path('x')!r}, 5, ['a', 'b'], 'urn', False)\n"
    )
    assert str(run(command, "x", "--count", "12")) == '--count: "12" is not a whole number from 1 to 9'
    assert str(run(command, "x", "--kind", "autos")) == '--kind: "autos" is not one of urn, auto; did you mean auto?'
    text = " ".join(run(command, "--help").split())
    assert "It does more. Arguments" in text
    assert "--count N How many, of those. [default: 4]" in text
    assert "--kind urn|auto The kind. [default: auto]" in text


def test_sections_of_a_docstring():
    assert sections_of("First.\n\n    More.\n\n    Options\n    -------\n    a N: text\n") == {
        "": "First.\n\nMore.", "Options": "a N: text",
    }  # fmt: skip
    assert own_options("First.\n\n    Options\n    -------\n    a N: text\n      of two lines.\n    b: c: d\n") == {
        "a": ("N", "text of two lines."), "b": (None, "c: d"),
    }  # fmt: skip
