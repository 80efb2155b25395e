"""The application that commands are added to, its options, and what becomes of errors."""

from __future__ import annotations

import errno
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from wallsim.cli.output import BAD_INPUT, FAILED


class PlainFaults(TyperGroup):
    """Turns the package's own errors into messages on stderr and an exit status, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            status = _status(error)
            if status is None:
                raise
            typer.echo(str(error), err=True)
            raise typer.Exit(status) from None


app = typer.Typer(
    cls=PlainFaults, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    rich_markup_mode=None, help="A Monte Carlo laboratory for the board game Wallenstein.",
)  # fmt: skip


# Errors of policies that no command foresaw; whoever raised one has loaded its module.
_BAD_POLICIES = (
    ("wallsim.policies.policy", "PolicyError"),
    ("wallsim.jit", "NotCompiledError"),
    ("wallsim.engine.illegal_answer", "IllegalAnswerError"),
)


def _status(error: Exception) -> int | None:
    # The modules of errors are cheap, but only a command that failed has need of them.
    from wallsim.errors import InputError, RunError

    if isinstance(error, InputError) or (isinstance(error, OSError) and error.errno != errno.EPIPE):
        return BAD_INPUT
    if isinstance(error, RunError):
        return FAILED
    loaded = [(sys.modules.get(module), name) for module, name in _BAD_POLICIES]
    bad = tuple(getattr(module, name) for module, name in loaded if module is not None)
    return BAD_INPUT if isinstance(error, bad) else None


def _show_version(wanted: bool) -> None:
    if wanted:
        from wallsim.engine.version import ENGINE_VERSION
        from wallsim.runs.folder.manifest import package_version

        typer.echo(f"wallsim {package_version('wallsim')}, engine version {ENGINE_VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the versions and leave."),
    ] = False,
) -> None:
    """A Monte Carlo laboratory for the board game Wallenstein."""
