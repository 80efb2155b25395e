"""The command that compiles before the first game."""

from __future__ import annotations

from wallsim.cli.app import app
from wallsim.cli.run_output import observer_of
from wallsim.cli.terminal_output import echo


@app.command()
def warm() -> None:
    """Compile the engine for this machine now. No later command has to compile it.

    A release may ship machine code for any recent processor. Code compiled for this machine is somewhat faster.
    Results are the same, byte for byte.
    """
    from wallsim.runs.compile_progress import compile_engine

    if not compile_engine(observer_of(quiet=False)):
        echo("The engine is compiled for this machine.", err=True)
