"""The command that opens the notebooks of the package in JupyterLab, in copies to work in."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from wallsim.cli.app import app
from wallsim.cli.option_groups import grouped
from wallsim.cli.options import OnDisk
from wallsim.cli.output import refuse
from wallsim.cli.terminal_output import echo
from wallsim.errors import how_to_install
from wallsim.escaping import escaped_line

_NEEDED = ("jupyterlab", "ipykernel", "duckdb")  # of the extra `notebook`


class Copied(NamedTuple):
    """What became of each notebook in a folder: the names of new files, and of those that differ and were kept."""

    new: tuple[str, ...]
    kept: tuple[str, ...]


def shipped_notebooks() -> tuple[Path, ...]:
    """The files of the notebooks by name, in a wheel or in a source tree."""
    from wallsim.rules.files import data_folder

    try:
        folder = data_folder("notebooks")
    except FileNotFoundError:
        folder = Path(__file__).resolve().parents[2] / "notebooks"
    return tuple(sorted(folder.glob("*.ipynb")))


def copy_notebooks(folder: Path) -> Copied:
    """Copy the notebooks into a folder, which is made if need be; a file that is there is never changed.

    OSError if the folder or a file cannot be written.
    """
    from wallsim.folder.commit import create_whole

    folder.mkdir(parents=True, exist_ok=True)
    new, kept = [], []
    for source in shipped_notebooks():
        data, to = source.read_bytes(), folder / source.name
        if create_whole(to, data):
            new.append(source.name)
        elif to.read_bytes() != data:
            kept.append(source.name)
    return Copied(tuple(new), tuple(kept))


@app.command()
@grouped
def lab(*, folder: OnDisk = Path("notebooks"), browser: bool = True) -> None:
    """Open the notebooks in JupyterLab. They are copied into a folder first.

    Existing files are never changed: a notebook that differs from that of this version is left as it is, and
    listed. It needs the extra `notebook`: `pip install ".[notebook]"` in a checkout.

    Options
    -------
    folder DIR: Folder of the notebooks.
    browser: Open a browser.
    """
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
