"""The command line: parses arguments, calls the package, prints. Heavy imports are delayed until they are needed.

Exit status: 0 success, 1 a run failed or is damaged, 2 invalid input, 130 interrupted, 143 terminated.
"""

from wallsim.cli import (
    battle,
    board,
    compare,
    exploit,
    games,
    init,
    learn,
    lists,
    policy,
    study,
    tournament,
    tower,
    tune,
)  # each module adds its commands
from wallsim.cli.app import app
from wallsim.cli.streams import install_ascii_fallback

__all__ = [
    "app",
    "battle",
    "board",
    "compare",
    "exploit",
    "games",
    "init",
    "learn",
    "lists",
    "main",
    "policy",
    "study",
    "tournament",
    "tower",
    "tune",
]


def main() -> None:
    """The command `wallsim`."""
    install_ascii_fallback()
    app(prog_name="wallsim")
