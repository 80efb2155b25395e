"""Console output as text."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable

from rich.console import Console

from wallsim.report.screen import Screen

_WIDTH = 100  # characters, without a terminal


def as_text(show: Callable[[Console], None]) -> str:
    """The output of `show` as text without colours, as wide as the terminal; also in a notebook."""
    buffer = io.StringIO()
    width = shutil.get_terminal_size((_WIDTH, 25)).columns
    console = Screen(file=buffer, width=width, color_system=None, force_jupyter=False, force_terminal=False)
    show(console)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())
