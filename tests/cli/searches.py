"""The commands that search for weights, called as from a terminal, and what they leave in their folder."""

from typer.testing import CliRunner

from wallsim.cli import app


def call(command, *words):
    """Call a command with words that may be numbers or paths."""
    return CliRunner().invoke(app, [command, *map(str, words)])


def files(folder):
    """The files of a search by name, but for its lock."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}
