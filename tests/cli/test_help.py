"""The help of the command line: every command in one group, no sentence cut, examples that are commands."""

import typer.main
from typer.testing import CliRunner

from wallsim.cli import app
from wallsim.cli.app import COMMANDS, EXAMPLES, SENTENCE

ROOT = typer.main.get_command(app)


def commands_of(group):
    """All commands below a group, those of its groups too."""
    for command in group.commands.values():
        yield command
        yield from commands_of(command) if hasattr(command, "commands") else ()


def test_every_command_is_in_one_group():
    assert sorted(name for names in COMMANDS.values() for name in names) == sorted(ROOT.commands)


def test_sentences_are_whole_and_short():
    for command in commands_of(ROOT):
        sentence = command.get_short_help_str(1000)
        assert sentence.endswith("."), command.name
        assert len(sentence) <= SENTENCE, sentence


def test_the_help_shows_each_sentence_and_commands_that_exist():
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).output
    assert "..." not in shown.partition("Play:")[2]
    assert all(command.get_short_help_str(1000) in shown for command in ROOT.commands.values())
    assert all(line in shown and line.split()[1] in ROOT.commands for line in EXAMPLES)
