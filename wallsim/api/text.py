"""Console output as text, and as HTML for notebooks."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable

from rich.console import Console

from wallsim.report.tables.console import Screen

_WIDTH = 100  # characters, without a terminal
_PAGE = '<pre style="line-height: normal; overflow-x: auto">{code}</pre>'


class Printable:
    """A result that `print` and notebooks show as the command line does."""

    def _print(self, console: Console) -> None:
        raise NotImplementedError

    def __str__(self) -> str:
        """What the command line prints."""
        return as_text(self._print)

    def _repr_html_(self) -> str:
        return as_html(self._print)


def as_text(show: Callable[[Console], None]) -> str:
    """The output of `show` as text without colours, as wide as the terminal; also in a notebook."""
    buffer = io.StringIO()
    width = shutil.get_terminal_size((_WIDTH, 25)).columns
    console = Screen(file=buffer, width=width, color_system=None, force_jupyter=False, force_terminal=False)
    show(console)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())


def as_html(show: Callable[[Console], None]) -> str:
    """The output of `show` as a block of HTML in which everything that it prints is escaped; it links to nothing."""
    console = Screen(
        file=io.StringIO(), width=_WIDTH, color_system=None, record=True, force_jupyter=False, force_terminal=False
    )
    show(console)
    return console.export_html(code_format=_PAGE, inline_styles=True)
