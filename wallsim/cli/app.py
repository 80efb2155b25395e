"""The application to which commands are added, its options, and its error handling."""

from __future__ import annotations

import errno
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from wallsim.cli.output import BAD_INPUT
from wallsim.cli.streams import echo
from wallsim.errors import WallsimError


class ErrorMessageGroup(TyperGroup):
    """Turns errors of the package into messages on stderr and an exit status, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            status = _status(error)
            if status is None:
                raise
            echo(str(error), err=True)
            raise typer.Exit(status) from None


app = typer.Typer(
    cls=ErrorMessageGroup, no_args_is_help=True, pretty_exceptions_enable=False,
    rich_markup_mode=None, help="A Monte Carlo toolkit for the board game Wallenstein.",
)  # fmt: skip


def _status(error: Exception) -> int | None:
    if isinstance(error, WallsimError):
        return error.exit_status
    return BAD_INPUT if isinstance(error, OSError) and error.errno != errno.EPIPE else None


def _show_version(requested: bool) -> None:
    if requested:
        from importlib.metadata import PackageNotFoundError, version

        from wallsim.engine.version import ENGINE_VERSION

        try:
            package = version("wallsim")
        except PackageNotFoundError:
            package = "not installed"
        echo(f"wallsim {package}, engine version {ENGINE_VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the versions and exit."),
    ] = False,
) -> None:
    """A Monte Carlo toolkit for the board game Wallenstein."""
