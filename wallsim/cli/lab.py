"""The command that opens the notebooks in JupyterLab."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from wallsim.cli.app import app
from wallsim.cli.options import on_disk
from wallsim.cli.output import refuse
from wallsim.cli.terminal_output import echo
from wallsim.errors import how_to_install
from wallsim.escaping import escaped_line

_NEEDED = ("jupyterlab", "ipykernel", "duckdb")  # of the extra `notebook`


@app.command()
def lab(
    folder: Annotated[
        Path, typer.Option(metavar="DIR", parser=on_disk, help="Folder of the notebooks.", show_default=True)
    ] = Path("notebooks"),
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Open the notebooks in JupyterLab. They are copied into a folder first.

    Existing files are never changed: a notebook that differs from that of this version is left as it is, and
    listed. It needs the extra `notebook`: `pip install ".[notebook]"` in a checkout.
    """
    from wallsim.studies.shipped_notebooks import copy_notebooks

    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        refuse(f"lab: {missing[0]} is not installed; {how_to_install('notebook')}")
    try:
        copied = copy_notebooks(folder)
        os.chdir(folder)
    except OSError as error:
        refuse(f"--folder: {folder}: cannot be written: {error.strerror}")
    if copied.new:
        echo(escaped_line(f"Wrote {len(copied.new)} notebooks into {folder}."), err=True)
    for name in copied.kept:
        echo(escaped_line(f"Kept {folder / name}, which differs from this version's; delete it to get that."), err=True)
    sys.stdout.flush()
    # Safe path for the server alone: notebooks may import what lies beside them.
    # JupyterLab takes the place of this process, and with it the terminal, Ctrl-C and the exit status.
    os.execv(sys.executable, [sys.executable, "-P", "-m", "jupyterlab", *([] if browser else ["--no-browser"])])
