"""What is printed on a console, as text."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable

from rich.console import Console

_WIDTH = 100  # characters, where there is no terminal


def as_text(show: Callable[[Console], None]) -> str:
    """What `show` prints, without colours, as wide as the terminal, and the same in a notebook."""
    buffer = io.StringIO()
    width = shutil.get_terminal_size((_WIDTH, 25)).columns
    console = Console(
        file=buffer, width=width, highlight=False, markup=False, emoji=False, color_system=None,
        force_jupyter=False, force_terminal=False,
    )  # fmt: skip
    show(console)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())
