"""The command line: reads words, calls the package, prints. Heavy imports wait until a command needs them.

Exit status: 0 done, 1 a run failed or is damaged, 2 bad input, 130 interrupted, 143 terminated.
"""

from wallsim.cli import battle, games, init, lists, policy, tournament, tower, tune  # each adds its commands
from wallsim.cli.app import app
from wallsim.cli.streams import show_everything

__all__ = ["app", "battle", "games", "init", "lists", "main", "policy", "tournament", "tower", "tune"]


def main() -> None:
    """The command `wallsim`."""
    show_everything()
    app(prog_name="wallsim")
