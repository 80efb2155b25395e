"""The application to which commands are added, its options, and its error handling."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from wallsim.cli.activity import announced
from wallsim.cli.forced_exit import orderly_end, stop_status
from wallsim.cli.output import BAD_INPUT, FAILED
from wallsim.cli.terminal_output import echo
from wallsim.errors import WallsimError, is_out_of_memory
from wallsim.escaping import escaped

try:
    from typer.exceptions import TyperException
except ImportError:  # typer before 0.27 raises the errors of click
    from click.exceptions import ClickException as TyperException  # type: ignore[assignment]


# The commands as `--help` lists them, by what a user wants to do.
COMMANDS = {
    "Play": ("run", "init", "tournament", "lineups", "rules", "board", "towers", "tower", "battle"),
    "Look": ("summary", "compare", "replay", "trace", "openings", "review", "advise", "codebook"),
    "Study": ("report", "figures", "study", "lab"),
    "Make bots": ("policies", "policy", "tune", "exploit", "learn", "teach"),
    "Maintain": ("runs", "verify", "repair", "merge", "warm", "bench"),
}
EXAMPLES = (
    "wallsim run --games 2000 --policies casual-4p --out results/small",
    "wallsim replay results/small --remarkable comeback --out comeback.html",
)
SENTENCE = 55  # characters of a command's sentence, so that a line of 72 holds it


class ErrorMessageGroup(TyperGroup):
    """Turns errors of the package into messages on stderr and an exit status, without a traceback.

    The help lists the commands by what they are for, with examples.
    """

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands by group, and after them the examples."""
        width = max(map(len, self.commands))
        for group, names in COMMANDS.items():
            with formatter.section(group):
                rows = [(name.ljust(width), self.commands[name].get_short_help_str(SENTENCE)) for name in names]
                formatter.write_dl(rows)
        with formatter.section("Examples"):
            for line in EXAMPLES:
                formatter.write_text(line)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the words before the name of a command."""
        with _escaped_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            with orderly_end(), announced(), _escaped_errors():
                return super().invoke(ctx)
        except typer.Exit:
            raise
        except BaseException as error:
            stopped = stop_status(error)
            status = _status(error) if stopped is None else stopped
            if status is None:
                raise
            echo(_words(error) if stopped is None else "Stopped.", err=True)
            raise typer.Exit(status) from None


@contextmanager
def _escaped_errors() -> Iterator[None]:
    # An option or an argument that does not exist is refused by typer, which repeats it.
    try:
        yield
    except TyperException as error:
        error.message = escaped(error.message)
        raise


app = typer.Typer(
    cls=ErrorMessageGroup, no_args_is_help=True, pretty_exceptions_enable=False,
    rich_markup_mode=None, help="A Monte Carlo toolkit for the board game Wallenstein.",
)  # fmt: skip


def _status(error: BaseException) -> int | None:
    if isinstance(error, WallsimError):
        return error.exit_status
    if is_out_of_memory(error):
        return FAILED
    return BAD_INPUT if isinstance(error, OSError) and error.errno != errno.EPIPE else None


def _words(error: BaseException) -> str:
    if is_out_of_memory(error):
        return "Out of memory: use fewer --workers or a smaller `chunk`. Finished chunks are stored."
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


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
