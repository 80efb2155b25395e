"""The notebooks that come with the package, and copies of them to work in."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wallsim.rules.files import data_folder
from wallsim.runs.folder.commit import create_whole

_PLACE = "notebooks"


class Copied(NamedTuple):
    """What became of each notebook in a folder: the names of new files, and of those that differ and were kept."""

    new: tuple[str, ...]
    kept: tuple[str, ...]


def shipped_notebooks() -> tuple[Path, ...]:
    """The files of the notebooks by name, in a wheel or in a source tree."""
    try:
        folder = data_folder(_PLACE)
    except FileNotFoundError:
        folder = Path(__file__).resolve().parents[2] / _PLACE
    return tuple(sorted(folder.glob("*.ipynb")))


def copy_notebooks(folder: Path) -> Copied:
    """Copy the notebooks into a folder, which is made if need be; a file that is there is never changed.

    OSError if the folder or a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    new, kept = [], []
    for source in shipped_notebooks():
        data, to = source.read_bytes(), folder / source.name
        if create_whole(to, data):
            new.append(source.name)
        elif to.read_bytes() != data:
            kept.append(source.name)
    return Copied(tuple(new), tuple(kept))
